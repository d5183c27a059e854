#include "git-plan/command/plan_task.h"

#include <charconv>

#include "core/base/edit_distance.h"

namespace gitplan {

Result<const Task*> task_of(const PlanView& view, const std::string& name) {
  if (const Task* task = view.plan.find(name)) return task;
  std::vector<std::string> names;
  for (const Task& task : view.plan.tasks()) names.push_back(task.name);
  const auto near = nearest(name, names);
  return error(ErrorCode::kNotFound, "there is no task '" + name + "' in plan '" + view.id + "'",
               near            ? "did you mean '" + *near + "'?"
               : names.empty() ? "the plan has no tasks"
                               : "'git plan status " + view.id + "' lists them");
}

Result<int> count_of(const std::string& option, const std::string& text, int most) {
  int count = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  if (read.ec == std::errc() && read.ptr == end && count >= 1 && count <= most) return count;
  return error(ErrorCode::kUsage, "option '" + option + "' takes a number from 1 to " +
                                      std::to_string(most) + ", not '" + text + "'");
}

}  // namespace gitplan
