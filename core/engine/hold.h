// What a person must have said before a task that is ready may start.
//
// The engine asks it before it starts a task, `next` before it hands one out, so that no gate is
// passed by working by hand.
#pragma once

#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

enum class Hold {
  kNone,
  kApproval,    // its approval_gate, as its text is now
  kBudget,      // its own budget_usd is spent
  kPlanBudget,  // that of the whole plan is
};

Hold hold_of(const Plan& plan, const Task& task, const Ledger& ledger);

bool needs_approval(const Task& task, const Ledger& ledger);
bool over_budget(const Task& task, const Ledger& ledger);
bool over_budget(const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
