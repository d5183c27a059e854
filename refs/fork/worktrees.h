// The worktrees of a repository, and the one that is ours.
//
// Forks and landing ask it who has a branch, and what git keeps about a tree (its administrative
// directory <common>/worktrees/<n>, the common directory itself for the main worktree).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/fork_lock.h"
#include "refs/git/repository.h"

namespace gitplan {

struct Worktree {
  std::string path;
  std::string admin;        // its git directory
  std::string head;         // refs/heads/…, or a commit id where detached
  std::string lock_reason;  // empty: not locked
  bool main = false;        // where the repository is; never removed
  bool locked = false;
  bool on_branch() const { return head.starts_with("refs/"); }
  // The branch that it is rebasing or bisecting, though its HEAD is detached; empty: none.
  std::string held_branch() const;
  // "merge", "rebase", "cherry-pick", "revert", "bisect" where it is in the middle of one.
  std::optional<std::string> operation() const;
  bool present() const;  // its directory is there, and nobody began to remove it
  Git git() const { return Git(admin, path); }
};

// All of them; a bare repository has no main one. Read from git's own files: no process.
Result<std::vector<Worktree>> list_worktrees(const Repository& repository);
std::optional<Worktree> worktree_at(const Repository& repository, const std::string& path);

// What the lock of a tree of ours says.
std::string lock_reason(std::string_view plan, std::string_view task, std::string_view attempt);
inline constexpr std::string_view kLockPrefix = "git plan: ";

// Removes a linked worktree of ours, present or not, and never follows a link. The caller has made
// sure that nothing in it is needed. A removal that is cut short is seen by <admin>/plan-removing:
// what is missing in the tree was not deleted by anybody else.
Status remove_worktree(const Repository& repository, const Worktree& tree, const ForkLock& lock);

}  // namespace gitplan
