// Whether a person is there who can give their word, for `trust`, `approve` and the answers to
// gates.
#pragma once

#include <string>

#include "git-plan/command/context.h"

namespace gitplan {

// Good on a terminal, or where plan.allowHeadlessApproval stands for one. `doing`: "approving".
Status need_person(Context& context, const std::string& doing, const std::string& plan);

}  // namespace gitplan
