// A branch, and the HEAD of the worktree that has it, held by git's own locks while files move.
//
// Landing moves files before the ref, as git does, and the user may switch, rebase or commit at any
// moment: what was looked at before the locks is looked at again under them. The locks are those of
// a prepared transaction of `git update-ref`, which gives them up when its caller dies.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct RefMove {
  std::string branch;    // refs/heads/…
  std::string from, to;  // commits
  std::string reflog;    // what the reflogs say
  std::chrono::milliseconds deadline{120000};
};

// `forward` moves index and files of `holder`, and `back` undoes it where the ref does not move
// after all. kBusy: HEAD is somewhere else by now, or another git is at work there: nothing has
// changed, and it can be looked at again. `holder` null: the branch is checked out nowhere. Where
// the ref is at `to` already, as for a second worktree of the branch, there is only `forward`.
Status move_locked(const Repository& repository, const Worktree* holder, const RefMove& move,
                   const std::function<Status()>& forward, const std::function<Status()>& back);

}  // namespace gitplan
