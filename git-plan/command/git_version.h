// Which git is there, and whether it is new enough. `version`, `execute` and `doctor` call this.
#pragma once

#include <string>

#include "core/base/error.h"

namespace gitplan {

// 2.38: the first whose `git merge-tree` merges without a work tree.
inline constexpr int kOldestGitMajor = 2, kOldestGitMinor = 38;

struct GitVersion {
  std::string text;  // "2.39.5", as git says it
  int major = 0, minor = 0;
};

// What `git --version` says; "git version 2.39.5 (Apple Git-154)" and the like are read too.
Result<GitVersion> git_version();

// kUnsupported where git is older: names the version that is there and the one that is needed.
Status require_git();

}  // namespace gitplan
