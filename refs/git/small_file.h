// Files of a line or two: records of where a tree lies, heads and locks in a git directory.
//
// Forks and landing read git's own state files and their records with it; records are written by
// refs/store/local_file.h.
#pragma once

#include <optional>
#include <string>

namespace gitplan {

bool exists(const std::string& path);        // a dangling link exists too
bool is_directory(const std::string& path);  // a link to one is none

// Without the last newline; nothing where it cannot be read.
std::optional<std::string> read_small_file(const std::string& path);

}  // namespace gitplan
