// A worktree that an attempt is done with, made as new for the next one.
//
// Forks calls this: in a large repository that costs a fraction of a new worktree, since only what
// differs is written. On disk: <admin>/plan-index, the index as it was when the tree was made. With
// it git finds by their times and sizes all files that were changed since, whatever an agent did to
// the index (assume-unchanged, entries of its own).
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/fork/tree_making.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

// Keeps the index of a tree that was just made. Where that fails the tree is not used again.
void remember_index(const std::string& path);

// Not where submodules were checked out, where the tree is in the middle of a merge or the like, or
// where it has settings of its own (sparse checkout included) that differ from the main worktree's.
// Whether its content is needed is the caller's question.
bool can_be_renewed(const Repository& repository, const Worktree& tree);

// Gives it another lock; the caller holds the fork lock.
Status relock(const Worktree& tree, const std::string& reason);

// Stands it on the branch at the commit, with exactly the commit's files. `keep_ignored`: and the
// ignored ones that lie there. The path and the lock of `wanted` are the tree's. On an error the
// tree is in pieces and has to be removed.
Status renew_tree(const Repository& repository, const Worktree& tree, const NewTree& wanted,
                  bool keep_ignored);

}  // namespace gitplan
