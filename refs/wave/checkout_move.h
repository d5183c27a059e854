// The step of a landing that the user sees: their branch, index and files move to the plan's
// commit.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"
#include "refs/wave/in_the_way.h"
#include "refs/wave/locked_branch.h"

namespace gitplan {

// Each leaves the ref at `to`, or everything as it was and git's words as the error; kBusy: as
// move_locked() has it.

// As `git merge --ff-only` in the worktree that has the branch, its post-merge hook included;
// nothing of the user's is in the way.
Status fast_forward(const Repository& repository, const Worktree& tree, const RefMove& move);

// Around what is in the way: other files change, these stay as the user has them, with what is
// staged of them and their marks in the index, and show as modified.
Status move_around(const Repository& repository, const Worktree& tree, const RefMove& move,
                   const std::vector<Blocked>& blocked);

// Those of the files in the way that were chosen become the plan's. Only after save_files().
Status overwrite(const Worktree& tree, const std::vector<Blocked>& blocked);

// Where the branch is checked out nowhere.
Status move_ref(const Repository& repository, const RefMove& move);

// A second worktree with the same branch, after the branch has moved.
Status follow(const Worktree& tree, const RefMove& move);

// A commit with the user's versions of these files: what is staged in its parent, what is in the
// files itself. What they deleted is not in it.
Result<std::string> save_files(const Repository& repository, const Worktree& tree,
                               const std::string& from, const std::vector<Blocked>& blocked);

}  // namespace gitplan
