// The tree, brief and folder of a task that was taken by hand.
#pragma once

#include "git-plan/hand/claim.h"

namespace gitplan {

// Where that fails the attempt is ended as a run would end it, and the error says why.
Result<Claim> make_ready(Context& context, PlanView view, const AttemptStarted& started);

}  // namespace gitplan
