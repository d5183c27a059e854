// How a worktree of ours is made, checked, stood at a commit and looked over before it goes.
//
// Forks calls this for the trees of attempts, of the integration and for resolving by hand.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/fork_lock.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct NewTree {
  std::string path, commit;
  std::string branch;  // refs/heads/…, made or reset; empty: detached
  std::string reason;  // of its lock
};

// `git worktree add`, then looks whether the tree is good: a failing post-checkout hook of the
// user's makes git fail although it is. A bad one is removed again.
// A git that a killed executor left behind goes on under `lock`.
Status make_tree(const Repository& repository, const NewTree& wanted, const ForkLock& lock);

// Whether a tree that was made or renewed is what was wanted. `git_failed`: as it does where a
// post-checkout hook fails; then every file is looked for.
Status check_tree(const Repository& repository, const NewTree& wanted, bool git_failed);

// The tree's file .git is there and leads to its administrative directory.
bool has_link(const Worktree& tree);
// Gives the tree that file back where it is missing or leads elsewhere.
Status restore_link(const Worktree& tree);

// Removes the lock files that a killed git left in this tree (and for this ref, where given). A git
// that is still at work is waited for; kBusy where it does not end.
Status clear_stale_locks(const Repository& repository, const Worktree& tree,
                         const std::string& ref = {});

// Stands a tree of ours detached at a commit, without a trace of what was in it but ignored files.
Status stand_at(const Repository& repository, const std::string& path, const std::string& commit);

// Changed and untracked paths, without .git-plan/ and what <attempt_dir>/left-out names.
Result<std::vector<std::string>> unsaved_paths(const Worktree& tree,
                                               const std::string& attempt_dir = {});

// "a\0b\0" as words.
std::vector<std::string> split_nul(const std::string& text);

}  // namespace gitplan
