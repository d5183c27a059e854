// git plan cancel: asks the run at work, from any process of this clone.
#include "git-plan/command/ask_run.h"
#include "git-plan/command/table.h"

namespace gitplan {
namespace {

Result<int> cancel(Context& context, const Arguments& arguments) {
  return ask_run(context, *arguments.positional(0), "cancel");
}

}  // namespace

const CommandInfo kCancelCommand{
    .name = "cancel",
    .summary = "Cancel the running tasks and pause the plan",
    .usage = "git plan cancel <plan>",
    .group = Group::kWork,
    .inside_task = false,
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan}},
    .run = cancel,
};

}  // namespace gitplan
