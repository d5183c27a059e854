#include "core/engine/hold.h"

#include "core/plan/references.h"

namespace gitplan {

bool may_work_together(const Plan& plan, const Task& mine, const Task& other) {
  if (!plan.in_place(mine) && !plan.in_place(other)) return true;
  if (!plan.optimistic(mine) || !plan.optimistic(other)) return false;
  return !mine.files.empty() && !other.files.empty() && !scopes_overlap(mine.files, other.files);
}

bool needs_approval(const Task& task, const Ledger& ledger) {
  return task.approval_gate && ledger.task(task.name).approved != task.text_hash;
}

bool over_budget(const Task& task, const Ledger& ledger) {
  return task.budget_usd && task.run.empty() &&
         ledger.spent(task.name) >= *task.budget_usd * (1 + ledger.task(task.name).budget_raises);
}

bool over_budget(const Plan& plan, const Ledger& ledger) {
  return plan.orchestration && plan.orchestration->budget_usd &&
         ledger.spent() >= *plan.orchestration->budget_usd * (1 + ledger.budget_raises);
}

Hold hold_of(const Plan& plan, const Task& task, const Ledger& ledger) {
  if (needs_approval(task, ledger)) return Hold::kApproval;
  if (over_budget(task, ledger)) return Hold::kBudget;
  if (task.run.empty() && over_budget(plan, ledger)) return Hold::kPlanBudget;
  return Hold::kNone;
}

}  // namespace gitplan
