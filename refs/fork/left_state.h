// What an attempt left in its tree, as git sees it, before anything is committed.
//
// Forks::collect calls it; it only looks.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct LeftState {
  std::string head;          // commit id; empty: unborn
  std::string other_branch;  // checked out instead of the attempt's; empty: none
  bool detached = false;
  std::string half_done;  // a clause for the remark, where something must be finished first
  std::vector<std::string> merge_heads;  // of a merge whose conflicts are all resolved
  // Branches that were checked out there and have commits of their own.
  struct Visited {
    std::string branch, tip;
  };
  std::vector<Visited> visited;
  std::string replayed;  // tip that a half-done rebase started from
};

Result<LeftState> look_at(const Repository& repository, const Worktree& tree,
                          const std::string& branch, const std::string& base);

// Has lines "<<<<<<< " and ">>>>>>> ": git's marks of a conflict.
bool has_conflict_marks(std::string_view text);

// Files of the tree that differ from HEAD and have such marks.
Result<std::vector<std::string>> files_with_marks(const Worktree& tree);

// Unmerged entries of the index.
Result<std::vector<std::string>> unmerged_files(const Worktree& tree);

// "a.cc, b.cc and 3 more"
std::string some_of(const std::vector<std::string>& paths);

}  // namespace gitplan
