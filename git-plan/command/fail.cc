// git plan fail: gives up a task that is worked on by hand, or gives it back. The work is kept.
#include "git-plan/command/hand_end.h"
#include "git-plan/command/table.h"
#include "git-plan/hand/take_in.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

Result<int> fail(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const HandPlace place, hand_place(context));
  std::optional<std::string> named = arguments.positional(1);
  std::string reason = arguments.positional(2).value_or("");
  GITPLAN_TRY_ASSIGN(const PlanView seen, context.plan(*arguments.positional(0)));
  // In its worktree the task need not be named.
  if (named && reason.empty() && place.plan == seen.id && seen.plan.find(*named) == nullptr) {
    reason = *named;
    named.reset();
  }
  const bool release = arguments.has("--release");
  GITPLAN_TRY_ASSIGN(const HandEnd end, hand_end(context, place, "fail", seen.id, named,
                                                 arguments.value("--attempt").value_or("")));
  GITPLAN_TRY_ASSIGN(AttemptEnded ended, take_in(context, end.view, end.task, end.attempt, false));
  const std::string trouble = ended.outcome == "failed" ? "; " + ended.error : "";
  ended.outcome = release ? "lost" : "failed";
  ended.failure = release ? "" : "task";
  ended.error = (!reason.empty() ? reason : release ? "given back" : "given up by hand") + trouble;
  GITPLAN_TRY(record_end(context, end.view.id, ended));
  if (release) GITPLAN_TRY(leave_tree(context, end.view, end.task, end.attempt));
  const std::string task = "'" + printable(end.task.name) + "'";
  Output& out = context.out();
  out.line(release ? "Gave " + task + " back; it can be taken again."
                   : "Ended " + task + " as failed: " + one_line(ended.error, 1000));
  if (ended.commit != end.attempt.base)
    out.note("Its work is kept as " + short_id(ended.commit) + ": git plan attempts " +
             printable(end.view.id + " " + end.task.name));
  return 0;
}

}  // namespace

const CommandInfo kFailCommand{
    .name = "fail",
    .summary = "Give up a task worked on by hand, or give it back",
    .usage = "git plan fail <plan> [<task>] [<reason>] [--release] [--attempt <id>]",
    .group = Group::kWork,
    .options = {{.name = "--release", .help = "give it back as if it had not been begun"},
                {.name = "--attempt",
                 .argument = "<id>",
                 .help = "only if this attempt still has the task",
                 .completes = Completes::kAttempt}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask},
                    {.name = "<reason>", .required = false}},
    .run = fail,
};

}  // namespace gitplan
