// A plan as it was, by what `git plan log` or git itself calls the change. `show --at` and `diff`
// call this.
#pragma once

#include <string>

#include "git-plan/command/context.h"

namespace gitplan {

// `change`: the beginning of an event's or a commit's id, or a revision (refs/plans/<id>~1).
Result<PlanView> plan_at(Context& context, const std::string& id, const std::string& change);

}  // namespace gitplan
