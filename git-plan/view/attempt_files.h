// An attempt's local files below the plan's directory (git-plan/executor/FILES.md), read only.
//
// `output`, the decision panels and `attempts` show them. The executor and the shim write them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

std::string attempt_dir(const std::string& plan_dir, std::string_view task,
                        std::string_view attempt);

// The last lines of its log, without blank lines at the end; empty: there is no log (any more).
std::vector<std::string> last_log_lines(const std::string& attempt_dir, std::size_t count);

// True when it is over, or its shim has died without saying so.
bool attempt_over(const std::string& attempt_dir);

// A whole local file; nothing: not there.
std::optional<std::string> read_local_file(const std::string& path);

// The path of its worktree, where that still exists.
std::string attempt_tree(const std::string& attempt_dir);

}  // namespace gitplan
