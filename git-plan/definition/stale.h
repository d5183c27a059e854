// The references of a plan that HEAD has left behind, for those who are about to run it.
//
// `execute` looks before a run; the run asks about those of tasks that are to start.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/engine/stale_reference.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"
#include "refs/snapshot/check.h"

namespace gitplan {

// By plan.contentThreshold; of all tasks that are not over and of the plan's body.
Result<CheckedReferences> check_against(const Repository& repository, const Settings& settings,
                                        const PlanView& view, const TraceTarget& target);
Result<CheckedReferences> check_at_head(const Repository& repository, const Settings& settings,
                                        const PlanView& view);

// Those of tasks that were deleted or are elsewhere now.
std::vector<StaleReference> led_astray(const CheckedReferences& found);

}  // namespace gitplan
