#include "core/engine/attempt_start.h"

#include <algorithm>

namespace gitplan {

AttemptStarted attempt_started(const Plan& plan, const Task& task, const TaskRecord& record,
                               AttemptStart start) {
  AttemptStarted started;
  started.run = std::move(start.run);
  started.task = task.name;
  // Numbers count per task and clone: another clone gives its own.
  const auto mine = std::count_if(record.attempts.begin(), record.attempts.end(),
                                  [&](const Attempt& a) { return a.actor == start.actor; });
  started.attempt = start.actor + "." + std::to_string(mine + 1);
  started.agent = std::move(start.agent);
  started.role = task.role;
  started.mode = std::string(name(plan.mode_of(task)));
  started.base = std::move(start.base);
  if (!plan.in_place(task)) started.branch = start.task_branch_prefix + task.name;
  started.text_hash = task.text_hash;
  started.minutes =
      record.minutes > 0 ? record.minutes : task.timeout_minutes.value_or(start.default_minutes);
  return started;
}

}  // namespace gitplan
