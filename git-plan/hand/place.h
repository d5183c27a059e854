// Where a command was called: in the tree of an attempt, or anywhere else.
//
// `next`, `done` and `fail` call this first, and so do `execute`, `status` and `why`, which say
// where the plan lands. In an attempt's tree HEAD is the task's own branch, so
// everything else is looked at from where the task was taken: the attempt's file `claimed`
// (git-plan/executor/FILES.md), else the main worktree.
#pragma once

#include <string>

#include "git-plan/command/context.h"

namespace gitplan {

struct HandPlace {
  std::string plan, task, attempt;  // whose tree it is; empty: nobody's
};

// Moves the context out of the tree.
Result<HandPlace> hand_place(Context& context);

// Inside a task the commands work for that task alone. `task` empty: for any.
Status for_own_task_only(Context& context, std::string_view command, const std::string& plan,
                         const std::string& task);

}  // namespace gitplan
