// Where the repository is: the cheap way by libgit2, git's own way where that could answer
// differently.
//
// Only repository.cc calls this.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/git/git.h"
#include "refs/git/libgit2.h"

namespace gitplan {

struct Location {
  std::string git_dir, common_dir, work_tree,
      prefix;                     // absolute, without a final slash; prefix with one
  bool git_dir_is_opened = true;  // false: GIT_COMMON_DIR named what was opened
};

struct Discovered {
  Location location;
  Handle<git_repository> raw;
};

// From `directory` (empty: the current one). `environment`: GIT_DIR and its like count.
Result<Discovered> discover(const std::string& directory, bool environment);

Git git_for(const Location& location);

// A git directory, without a search for it.
Result<Handle<git_repository>> open_dir(const std::string& dir);

}  // namespace gitplan
