// The end of `execute`: what became of the run, what waits for an answer, what to do next.
#pragma once

#include <string>

#include "git-plan/executor/executor.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

// Waves with their commits, where it landed, what stays for a look, open decisions as panels, the
// next step.
std::string run_summary(const Output& out, const RunResult& result, const Repository& repository,
                        const std::string& plan_dir);

// What follows "Go on": ": git plan execute <id>", with --resume where only that starts what has
// stopped. `resolve` and `approve` say it too.
std::string go_on(const PlanView& view);

// 0 the plan, or the tasks asked for, are done; 130 stopped by somebody, 4 a decision is awaited, 1
// failed otherwise.
int run_exit_status(const RunResult& result);

}  // namespace gitplan
