// The step of a landing that the user sees: their branch, index and files move to the plan's
// commit.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"
#include "refs/wave/in_the_way.h"

namespace gitplan {

struct Move {
  std::string branch;    // refs/heads/…
  std::string from, to;  // commits; `to` descends from `from`
  std::string reflog;    // "plan 2026-03-03-x"
  std::chrono::milliseconds deadline{120000};
};

// Each leaves the ref at `to`, or everything as it was and git's words as the error.

// By `git merge --ff-only` in the worktree that has the branch; nothing of the user's is in the
// way.
Status fast_forward(const Repository& repository, const Worktree& tree, const Move& move);

// Around what is in the way: other files change, these stay as the user has them, with what is
// staged of them and their marks in the index, and show as modified.
Status move_around(const Repository& repository, const Worktree& tree, const Move& move,
                   const std::vector<Blocked>& blocked);

// Those of the files in the way that were chosen become the plan's. Only after save_files().
Status overwrite(const Worktree& tree, const std::vector<Blocked>& blocked);

// Where the branch is checked out nowhere.
Status move_ref(const Repository& repository, const Git& git, const Move& move);

// A second worktree with the same branch, after the branch has moved.
Status follow(const Worktree& tree, const Move& move);

// A commit with the user's versions of these files: what is staged in its parent, what is in the
// files itself. What they deleted is not in it.
Result<std::string> save_files(const Repository& repository, const Worktree& tree,
                               const std::string& from, const std::vector<Blocked>& blocked);

}  // namespace gitplan
