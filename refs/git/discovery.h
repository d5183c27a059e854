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
  // GIT_DIR (--git-dir) names the repository and nothing its work tree, so that git takes the
  // current directory for one, whatever lies there.
  bool work_tree_is_guess = false;
};

struct Discovered {
  Location location;
  Handle<git_repository> raw;
};

// From `directory` (empty: the current one). `environment`: GIT_DIR and its like count.
Result<Discovered> discover(const std::string& directory, bool environment);
// What was found before, opened once more.
Result<Handle<git_repository>> open_again(const Location& location);

Git git_for(const Location& location);

}  // namespace gitplan
