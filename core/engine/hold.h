// What else holds back a task that is ready: a person's word, and others in the working tree.
//
// The engine asks it before it starts a task, `next` before it hands one out, so that no gate is
// passed by working by hand; `why` and `status` say it.
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

// Whether both may be at work at once. Optimistic ones with scopes that do not meet share the
// user's working tree, all others that work there have it for themselves.
bool may_work_together(const Plan& plan, const Task& mine, const Task& other);

bool needs_approval(const Task& task, const Ledger& ledger);
bool over_budget(const Task& task, const Ledger& ledger);
bool over_budget(const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
