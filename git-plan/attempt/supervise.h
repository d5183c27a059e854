// Runs one attempt from start to end: log, limits, stopping, and no process of it left behind.
#pragma once

#include <string>

#include "git-plan/attempt/spec.h"

namespace gitplan {

// take_over_signals() comes first. Writes process.json before the command starts and exit.json at
// the end. Returns the exit status of the shim: 0, or 1 where these could not be written.
int supervise(const std::string& attempt_dir, const AttemptSpec& spec);

// For an attempt that cannot even begin.
int give_up(const std::string& attempt_dir, const std::string& error);

}  // namespace gitplan
