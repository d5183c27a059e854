// Where git runs hooks, asked of git itself.
//
// Installing, `hooks status` and wave commits call it: core.hooksPath may come from any scope, and
// a relative one is meant anew in each worktree.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

struct HooksPath {
  std::string directory;   // absolute; need not exist
  std::string configured;  // core.hooksPath as it is written, ~ expanded; empty: not set
  std::string scope;       // system, global, local, worktree, command; empty: not set
  std::string origin;      // "file:/home/me/.gitconfig"
  bool relative() const { return !configured.empty() && configured.front() != '/'; }
};

// For a work tree (or, of a bare repository, its git directory).
Result<HooksPath> hooks_path(const Repository& repository, const std::string& work_tree);

// What a `git commit` in another tree needs as core.hooksPath so that the user's hooks run there:
// their own directory, absolute, where core.hooksPath is relative and missing in that tree. Empty:
// nothing needs to be passed.
Result<std::string> hooks_path_for(const Repository& repository, const std::string& tree);

}  // namespace gitplan
