// Starts the command of an attempt.
#pragma once

#include <sys/types.h>

#include <string>

#include "git-plan/attempt/spec.h"

namespace gitplan {

// Runs `sh -c <command>` in its own process group, so that `kill 0` in a script does not reach the
// shim; standard output and error go to `output`. With spec.terminal it gets the shim's own
// standard streams instead, in the foreground of their terminal. Returns its pid, or -1 with the
// reason.
pid_t start_command(const AttemptSpec& spec, int output, std::string* error);

}  // namespace gitplan
