// `git plan execute --detach`: the run in a process of its own, in the background.
//
// On disk: detached.log in the plan's local directory (git-plan/executor/FILES.md), what the run
// said, of the last run in the background.
#pragma once

#include <string>

#include "git-plan/command/context.h"
#include "git-plan/executor/executor.h"

namespace gitplan {

// Returns in the front when the run has begun or could not begin (then its error was printed, and
// this is its exit status), and in the background, in a session of its own, when the run is over.
Result<int> execute_detached(Context& front, const std::string& plan, const std::string& plan_dir,
                             ExecuteOptions options);

}  // namespace gitplan
