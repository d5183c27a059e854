// `git plan delete`: puts a plan away for good. It is a state that travels; `undo` takes it back.
#include <algorithm>

#include "core/ledger/apart.h"
#include "core/ledger/readiness.h"
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/view/sync_view.h"
#include "git-plan/view/words.h"
#include "refs/store/run_lock.h"
#include "refs/sync/rename.h"

namespace gitplan {
namespace {

Status refuse_at_work(Store& store, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const std::string dir, store.plan_dir(view.id));
  if (const auto holder = RunLock::holder(dir))
    return error(ErrorCode::kBusy,
                 "run " + holder->run + " of '" + view.id + "' is at work (process " +
                     std::to_string(holder->pid) + " on " + holder->host + ")",
                 "'git plan cancel " + view.id + "' ends it");
  if (view.ledger.state == PlanState::kRunning || view.ledger.state == PlanState::kQueued)
    return error(
        ErrorCode::kRefused,
        "'" + view.id + "' is " + std::string(name(view.ledger.state)) +
            ", but its run has died; what it left would be forgotten",
        "'git plan execute " + view.id + "' goes on, 'git plan abort " + view.id + "' gives it up");
  return {};
}

Result<bool> agreed(Context& context, const Arguments& arguments, const PlanView& view) {
  if (arguments.has("--yes")) return true;
  if (!context.interactive())
    return error(ErrorCode::kInvalid, "deleting '" + view.id + "' is not asked without a terminal",
                 "'--yes' answers the question");
  const Progress reached = progress(view.plan, view.ledger);
  const std::string done =
      reached.total == 0 ? ""
                         : ", " + std::to_string(reached.done) + " of " +
                               counted(static_cast<std::size_t>(reached.total), "task") + " done";
  return ask_yes_no(context.out(),
                    "Delete '" + view.id + "' (" + one_line(view.plan.title, 60) + done + ")?",
                    false);
}

// For secrets: the plan's chain gives way to a tombstone, here and at the remotes that have it.
Result<int> purge(Context& context, const Arguments& arguments, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY(refuse_at_work(*store, view));
  context.out().note("Purging '" + view.id +
                     "' takes away its text, its history, its branches plan/" + view.id +
                     "/… and all work of it that has not landed, here and at remotes. It cannot be "
                     "taken back.");
  GITPLAN_TRY_ASSIGN(const bool yes, agreed(context, arguments, view));
  if (!yes) {
    context.out().note("Nothing was purged.");
    return exit_status(ErrorCode::kInterrupted);
  }
  GITPLAN_TRY(purge_plan(*repository, *store, view.id));
  context.out().note("Purged '" + view.id +
                     "' here. Its objects go with the next 'git gc "
                     "--prune=now'.");
  GITPLAN_TRY_ASSIGN(const std::string listed, repository->git().read({"remote"}));
  int status = 0;
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = std::min(listed.find('\n', at), listed.size());
    GITPLAN_TRY_ASSIGN(const Remote remote,
                       remote_of(*repository, *settings, listed.substr(at, end - at)));
    at = end + 1;
    PushOptions options;
    options.plans = {view.id};
    const Result<Pushed> pushed = push_plans(*repository, *store, remote, options);
    if (!pushed.ok()) {
      context.out().error(pushed.error(), false);
      context.out().note("hint: 'git plan push " + remote.name + "' purges it there later");
      status = exit_status(ErrorCode::kFailed);
      continue;
    }
    GITPLAN_TRY_ASSIGN(const int there, show_pushed(context, remote, *pushed));
    status = std::max(status, there);
  }
  if (!listed.empty())
    context.out().note(
        "Servers keep objects that nothing names until they clean up: what was "
        "secret is to be changed all the same.");
  return status;
}

Result<int> delete_plan(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  if (arguments.has("--purge")) return purge(context, arguments, view);
  if (view.ledger.state == PlanState::kDeleted) {
    context.out().note("'" + view.id + "' is deleted already.");
    return 0;
  }
  GITPLAN_TRY(refuse_at_work(*store, view));
  GITPLAN_TRY_ASSIGN(const bool yes, agreed(context, arguments, view));
  if (!yes) {
    context.out().note("Nothing was deleted.");
    return exit_status(ErrorCode::kInterrupted);
  }
  const auto decide = [&](const PlanView& now) -> Result<Store::Change> {
    GITPLAN_TRY(refuse_at_work(*store, now));
    Store::Change change;
    if (now.ledger.state != PlanState::kDeleted) change.bodies.push_back(deletion_of(now.ledger));
    return change;
  };
  if (const Result<PlanView> changed = store->change(view.id, decide); !changed)
    return changed.error();
  context.out().note("Deleted '" + view.id + "'. 'git plan undo " + view.id + "' takes it back.");
  return 0;
}

}  // namespace

const CommandInfo kDeleteCommand{
    .name = "delete",
    .summary = "Delete a plan",
    .usage = "git plan delete <plan> [--purge] [--yes]",
    .group = Group::kPlans,
    .inside_task = false,
    .options = {{"--purge", "", "", "take its content away, here and at remotes: for secrets"},
                {"--yes", "-y", "", "do not ask"}},
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = delete_plan,
};

}  // namespace gitplan
