// Whether a task of this clone called us: what an agent does is not what a person has said.
//
// main asks it for the commands that change a plan or its run, next, done and fail for their own
// task. PLAN_TASK tells; a task that takes it away is found by its shim above us, where the
// system shows the processes (/proc).
#pragma once

#include <string>
#include <string_view>

#include "git-plan/command/context.h"

namespace gitplan {

// The task's name; empty: none.
std::string task_around(Context& context);

// An agent at work on a task must not start, stop, answer, approve or rewrite work itself.
// `command`: "check --fix".
Status refuse_inside_task(Context& context, std::string_view command);

}  // namespace gitplan
