// What `done` and `fail` find out first: which attempt by hand is meant.
#pragma once

#include <optional>
#include <string>

#include "git-plan/command/context.h"
#include "git-plan/executor/attempt_files.h"
#include "git-plan/hand/place.h"

namespace gitplan {

struct HandEnd {
  PlanView view;
  std::string plan_dir;
  Task task;
  Attempt attempt;
  AttemptLock lock;  // held from before the attempt was looked at
};

// `named`: the task; without it, the one in whose tree the command was called. `attempt`: the one
// that is meant, empty: the one of the tree, or whichever is at work.
Result<HandEnd> hand_end(Context& context, const HandPlace& place, std::string_view command,
                         const std::string& plan, const std::optional<std::string>& named,
                         const std::string& attempt);

}  // namespace gitplan
