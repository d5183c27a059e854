// git plan pause: asks the run at work, from any process of this clone.
#include "git-plan/command/ask_run.h"
#include "git-plan/command/table.h"

namespace gitplan {
namespace {

Result<int> pause(Context& context, const Arguments& arguments) {
  return ask_run(context, *arguments.positional(0), "pause");
}

}  // namespace

const CommandInfo kPauseCommand{
    .name = "pause",
    .summary = "Let nothing new start, and stop when what runs has ended",
    .usage = "git plan pause <plan>",
    .group = Group::kWork,
    .inside_task = false,
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan}},
    .run = pause,
};

}  // namespace gitplan
