// Asks the run of a plan to pause, cancel or abort: what those three commands share.
#pragma once

#include <string>
#include <string_view>

#include "git-plan/command/context.h"

namespace gitplan {

// Records control_requested for the run that is at work; where none is, an error with exit
// status 2. A plan that stopped can still be aborted.
Result<int> ask_run(Context& context, const std::string& plan, std::string_view what);

}  // namespace gitplan
