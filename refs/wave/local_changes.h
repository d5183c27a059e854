// What git itself says about the files of a work tree, and what it is told not to look at.
//
// Only in_the_way.cc includes this.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"

namespace gitplan {

struct Local {  // of `git status`, and of what it is told not to look at
  bool staged = false, in_files = false;
  bool unlisted = false;  // not in the index
  bool skip_worktree = false, assume_unchanged = false;
  std::string index_id;
};

// By path: tracked files that differ from the index or HEAD. Nothing is written, not even the
// index.
Result<std::map<std::string, Local>> local_changes(const Worktree& tree);

// An entry of the index, with its marks.
struct Marked {
  std::string path, id;
  unsigned mode = 0;
  bool skip_worktree = false, assume_unchanged = false;
};

// Of these paths, those whose files git status does not look at.
Result<std::vector<Marked>> marked_entries(const Worktree& tree,
                                           const std::vector<std::string>& paths);

}  // namespace gitplan
