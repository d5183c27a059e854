// Every entry of git config that holds for a repository, the last of each key.
//
// Only settings.cc calls this. Two ways to the same answer: the files read through libgit2, and git
// itself, which alone knows command-line configuration, includes and config.worktree.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// Keys as git prints them: section and variable in lower case. A key without a value has "true".
using ConfigEntries = std::map<std::string, std::string, std::less<>>;

Result<ConfigEntries> read_config(const Repository& repository);
Result<ConfigEntries> read_config_by_git(const Repository& repository);

}  // namespace gitplan
