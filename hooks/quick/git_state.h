// What a hook can know of the repository from a few files, in a tenth of a millisecond.
//
// hooks/quick has no libgit2 and nothing else of ours: git-plan-hook is made of it, and `git plan
// hooks run` asks it first. Where a file does not say for sure, the answer is the one that asks
// further.
#pragma once

#include <optional>
#include <string>

namespace gitplan {

struct GitPlace {
  std::string git_dir;     // of this worktree
  std::string common_dir;  // of all worktrees
};

// By GIT_DIR and GIT_COMMON_DIR, as git sets them for hooks, else from the current directory up.
std::optional<GitPlace> find_git();

// A worktree of a task, or another that plans made for themselves: its lock says so.
bool is_task_tree(const GitPlace& place);

// "rebase", "am", "cherry-pick", "revert" or "bisect", where this worktree is in the middle of one.
std::string operation_of(const GitPlace& place);

// False: there is no ref below refs/plans.
bool may_have_plans(const GitPlace& place);

// All of it; nothing where it cannot be read.
std::optional<std::string> read_whole(const std::string& path);

}  // namespace gitplan
