// Where the scopes of this plan meet those of other plans of the clone.
//
// `create` and `update` say it, the pre-flight report lists it, a run asks about plans that are at
// work (the decision plan_overlap), and the key `view` of that shows it whole.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/engine/other_plan.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "refs/git/repository.h"
#include "refs/store/store.h"

namespace gitplan {

struct MeetingSide {
  std::string task;  // empty: the plan as a whole, by the files that its Changes name
  std::vector<std::string> files;
};
struct Meeting {
  std::string plan;  // the other one's id
  PlanState state = PlanState::kActive;
  int done = 0, total = 0;  // its tasks
  MeetingSide mine, theirs;
};

// Plan by plan, in the order of this plan's tasks. Tasks that are over meet nobody any more.
// `wanted`: in which states the others count. A plan that cannot be read is left out: its own
// commands say why.
Result<std::vector<Meeting>> meetings(const Repository& repository, const Store& store,
                                      std::string_view id, const Plan& plan, const Ledger& ledger,
                                      const std::function<bool(PlanState)>& wanted);

// Not over, whether it has begun or not.
bool may_still_change_files(PlanState state);
// It has begun and is not over: running, or stopped in between.
bool is_at_work(PlanState state);

// "'parse' (src/a.cc) and its task 'draw' (src/, man/, …)"
std::string words(const Meeting& meeting);

// Of the plans at work, those that neither of both waits for; a clause each.
Result<std::vector<PlanOverlap>> overlaps_at_work(const Repository& repository, const Store& store,
                                                  std::string_view id, const Plan& plan,
                                                  const Ledger& ledger);

}  // namespace gitplan
