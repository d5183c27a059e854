// An attempt in a tmux window: its shim is a child of the tmux server, not of the executor.
//
// The executor hands the locks over through a socket with an abstract address, and tmux pipes what
// the window shows into a second process of this program, which writes the log.
#pragma once

#include <cstdint>
#include <string>

#include "git-plan/attempt/spec.h"

namespace gitplan {

// Connects to `address` and takes what comes as descriptors 3 to 5. False: nobody is there any
// more.
bool receive_locks(const std::string& address);

// TERM and the like are those of the window, not those of the terminal of the executor.
void take_window_environment(AttemptSpec* spec);

// Standard input into the log of the attempt, until it ends; the log is locked meanwhile.
int write_log(const std::string& attempt_dir, std::int64_t limit);

}  // namespace gitplan
