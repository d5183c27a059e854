#include "core/engine/other_plan.h"

#include <algorithm>

#include "core/ledger/task_over.h"

namespace gitplan {
namespace {

std::string spoken(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c == '_') c = ' ';
  return text;
}

// The first of the tasks that are waited for that is not over; empty: all are.
std::string open_task(const WaitsFor& waits_for, const Plan& plan, const Ledger& ledger) {
  for (const std::string& name : waits_for.tasks)
    if (!is_over(ledger.task(name).status)) return name;
  if (!waits_for.tasks.empty()) return {};
  for (const Task& task : plan.tasks())
    if (!is_over(ledger.task(task.name).status)) return task.name;
  return {};
}

// Its work is in the branch where it lands, or stays out of it by somebody's word.
bool landed(const Ledger& ledger) {
  const Wave* newest = ledger.newest_result();
  const Run* last = ledger.run();
  if (newest == nullptr || last == nullptr) return true;
  if (last->land == "never" || last->target.empty()) return true;
  return std::any_of(ledger.runs.begin(), ledger.runs.end(),
                     [&](const Run& run) { return run.landed_tip == newest->commit; });
}

}  // namespace

std::vector<WaitsFor> plans_before(const Plan& plan, const Ledger& ledger) {
  std::vector<WaitsFor> before;
  if (const Run* run = ledger.run(); run != nullptr && run->waits_not) return before;
  if (plan.orchestration && plan.orchestration->waits_for)
    before.push_back(*plan.orchestration->waits_for);
  for (const std::string& other : ledger.queued_after) before.push_back({other, {}});
  return before;
}

OtherPlan look_at(const WaitsFor& waits_for, const Plan& plan, const Ledger& ledger) {
  using enum OtherPlan::State;
  if (ledger.state == PlanState::kCompleted) return {kDone, ""};
  for (const std::string& name : waits_for.tasks)
    if (plan.find(name) == nullptr) return {kGone, "it has no task '" + name + "'"};
  const std::string open = open_task(waits_for, plan, ledger);
  const bool has_tasks = !waits_for.tasks.empty() || !plan.tasks().empty();
  // A plan as a whole is done where its work can be built on; of single tasks nobody knows when.
  if (open.empty() && has_tasks && (!waits_for.tasks.empty() || landed(ledger))) return {kDone, ""};
  std::string state = "it is " + spoken(name(ledger.state));
  if (open.empty() && has_tasks) state += ", its work has not landed";
  switch (ledger.state) {
    case PlanState::kFailed:
    case PlanState::kAborted:
    case PlanState::kDeleted:
    case PlanState::kArchived: return {kFailed, state};
    default: break;
  }
  if (open.empty()) return {kPending, state};
  return {kPending,
          state + ", its task '" + open + "' is " + spoken(name(ledger.task(open).status))};
}

}  // namespace gitplan
