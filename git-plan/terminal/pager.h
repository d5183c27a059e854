// The pager's process: a shell command that reads what we print. Output calls this.
#pragma once

#include <string>

namespace gitplan {

// Standard output (and standard error, where that is a terminal) go to the command from here on.
// 0: it could not be started, and nothing has changed.
int spawn_pager(const std::string& command);

// Closes our end, and waits until the reader has quit it.
void wait_for_pager(int pid);

}  // namespace gitplan
