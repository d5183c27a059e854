// git plan abort: asks the run at work, from any process of this clone.
#include "git-plan/command/ask_run.h"
#include "git-plan/command/table.h"

namespace gitplan {
namespace {

Result<int> abort(Context& context, const Arguments& arguments) {
  return ask_run(context, *arguments.positional(0), "abort");
}

}  // namespace

const CommandInfo kAbortCommand{
    .name = "abort",
    .summary = "Stop everything and abort the plan",
    .usage = "git plan abort <plan>",
    .group = Group::kWork,
    .inside_task = false,
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan}},
    .run = abort,
};

}  // namespace gitplan
