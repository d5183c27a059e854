// Starts git-plan-attempt (git-plan/attempt).
#pragma once

#include <sys/types.h>

#include <string>

#include "core/base/error.h"

namespace gitplan {

// Beside the program, in its libexec folder, or on PATH.
Result<std::string> find_shim(const std::string& program_dir);

// A child of this process in a session of its own; the descriptors are those of the locks it is to
// hold (slot -1: none) and stay open here.
Result<pid_t> spawn_shim(const std::string& shim, const std::string& attempt_dir, int lock,
                         int slot);

// Kills what an attempt left behind whose shim was killed itself: the processes whose environment
// names this brief.
void kill_strays(const std::string& brief);

}  // namespace gitplan
