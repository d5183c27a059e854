// Which program made a `git commit` fail, read from git's own trace (GIT_TRACE2_EVENT): the same in
// every language.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gitplan {

struct FailedChild {
  std::string hook;     // its name; empty: no hook
  std::string program;  // argv[0]
  int code = 0;
  bool signs = false;    // gpg or ssh-keygen, asked for a signature
  bool running = false;  // had not ended when the trace did
};

// The hooks that the outermost git ran, in order.
std::vector<std::string> hooks_in(const std::string& trace_file);

// The last child of the outermost git that failed or did not end.
std::optional<FailedChild> failed_child_in(const std::string& trace_file);

}  // namespace gitplan
