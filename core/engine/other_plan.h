// Other plans that this one has to do with: those that it waits for, those that are at work on the
// same files.
#pragma once

#include <string>
#include <vector>

#include "core/engine/input.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

struct PlanOverlap {
  std::string plan;   // id
  std::string where;  // a clause: "'parse' (src/a.cc) and its task 'draw' (src/)"
};

// What must be done before anything of the plan starts: `waits_for`, and the plans that a person
// queued it after. None where a person let it start without.
std::vector<WaitsFor> plans_before(const Plan& plan, const Ledger& ledger);

// `plan` and `ledger` are the other one's. Done: the tasks that are named are completed or skipped,
// or the whole plan is and has landed, if it shall. Failed: it failed or was aborted, or was
// deleted, and will not get there by itself; one that is paused, or waits for an answer, may still.
OtherPlan look_at(const WaitsFor& waits_for, const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
