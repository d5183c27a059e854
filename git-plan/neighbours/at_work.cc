#include "git-plan/neighbours/at_work.h"

#include <algorithm>
#include <set>

namespace gitplan {

Result<std::vector<SoftLock>> soft_locks(const Store& store, std::string_view id) {
  std::vector<SoftLock> locks;
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store.list(id));
  for (const Summary& other : plans) {
    // A task that is worked on by hand makes no plan running.
    const bool may_run = other.state == PlanState::kRunning || other.state == PlanState::kActive ||
                         other.state == PlanState::kPaused || other.state == PlanState::kFailed;
    if (!may_run || other.done == other.total) continue;
    const Result<PlanView> view = store.load(other.id);
    if (!view) continue;
    for (const Task& task : view->plan.tasks())
      if (!task.files.empty() && view->ledger.task(task.name).status == TaskStatus::kRunning)
        locks.push_back({other.id, task.name, task.files});
  }
  return locks;
}

Result<std::vector<std::string>> changed_meanwhile(const Store& store, std::string_view id,
                                                   Millis since,
                                                   const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> found;
  const std::set<std::string_view> mine(paths.begin(), paths.end());
  if (mine.empty()) return found;
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store.list(id));
  for (const Summary& other : plans) {
    if (other.last_activity < since) continue;
    const Result<PlanView> view = store.load(other.id);
    if (!view) continue;
    for (const auto& [name, record] : view->ledger.tasks) {
      const Attempt* last = record.last();
      if (last == nullptr || last->outcome != "finished" || last->ended < since) continue;
      std::string files;
      std::size_t count = 0;
      for (const std::string& path : last->paths)
        if (mine.contains(path) && ++count <= kNamed) files += (count == 1 ? "" : ", ") + path;
      if (count == 0) continue;
      if (count > kNamed) files += " and " + std::to_string(count - kNamed) + " more";
      found.push_back(files + (count == 1 ? " was" : " were") + " changed by task '" + name +
                      "' of plan '" + other.id + "' meanwhile");
    }
  }
  return found;
}

}  // namespace gitplan
