// How far a plan is that another one waits for (`waits_for`).
#pragma once

#include "core/engine/input.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

// `plan` and `ledger` are the other one's. Done: the tasks that are named, or the whole plan, are
// completed or skipped. Failed: it failed or was aborted, or was deleted, and will not get there by
// itself; one that is paused, or waits for an answer, may still.
OtherPlan look_at(const WaitsFor& waits_for, const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
