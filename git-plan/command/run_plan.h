// The run itself, when all has been looked at: tells what happens, and how it ended.
//
// `execute` calls it, and `done` for the task that it has finished.
#pragma once

#include "git-plan/command/context.h"
#include "git-plan/command/preflight.h"
#include "git-plan/executor/executor.h"

namespace gitplan {

// The exit status; `options.trusted` is set here. `dir`: local files of the plan (PlanFacts).
Result<int> run_plan(Context& context, const std::string& plan, const std::string& dir,
                     ExecuteOptions options);

// Every fault is said, in the order of the report; in one document, whose `error` is the one that
// the exit status is about.
int all_faults(Context& context, const Preflight& report);

}  // namespace gitplan
