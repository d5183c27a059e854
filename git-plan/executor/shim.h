// Starts git-plan-attempt (git-plan/attempt).
#pragma once

#include <sys/types.h>

#include <string>

#include "core/base/error.h"

namespace gitplan {

// Beside the program, in its libexec folder, or on PATH.
Result<std::string> find_shim(const std::string& program_dir);

// The descriptors of the locks that the shim is to hold; -1: none.
struct ShimLocks {
  int attempt = -1, slot = -1, named = -1;
};

// kTerminal: in this session, and with these standard streams, in a process group of its own; for a
// spec with `terminal`. Until it ends this process is in the background of its terminal.
enum class ShimPlace { kOwnSession, kTerminal };

// A child of this process. The descriptors stay open here.
Result<pid_t> spawn_shim(const std::string& shim, const std::string& attempt_dir,
                         const ShimLocks& locks, ShimPlace place = ShimPlace::kOwnSession);

// Kills what an attempt left behind whose shim was killed itself: the processes whose environment
// names this brief.
void kill_strays(const std::string& brief);

}  // namespace gitplan
