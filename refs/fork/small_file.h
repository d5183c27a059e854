// Files of a line or two: records of where a tree lies, heads and locks in a git directory.
//
// Forks and landing read git's own state files with it and keep their records by it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "refs/store/local_file.h"  // make_directories

namespace gitplan {

bool exists(const std::string& path);        // a dangling link exists too
bool is_directory(const std::string& path);  // a link to one is none

// Without the last newline; nothing where it cannot be read.
std::optional<std::string> read_small_file(const std::string& path);

// Makes the directories on the way and replaces the file by rename, after its bytes are on disk.
Status replace_file(const std::string& path, std::string_view content);

}  // namespace gitplan
