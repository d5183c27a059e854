// What views show of an attempt's local directory (git-plan/executor/attempt_files.h), read only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

// The last lines of a local text, without blank lines at the end; empty: it is not there.
std::vector<std::string> last_lines(const std::string& path, std::size_t count);

// The last lines of its log, without blank lines at the end; empty: there is no log (any more).
std::vector<std::string> last_log_lines(const std::string& attempt_dir, std::size_t count);

// A whole local file; nothing: not there.
std::optional<std::string> read_local_file(const std::string& path);

// The path of its worktree, where that still exists.
std::string attempt_tree(const std::string& attempt_dir);

}  // namespace gitplan
