#include "git-plan/command/ask_run.h"

#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/words.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

std::string_view said(std::string_view what) {
  if (what == "pause") return "Nothing new starts; running tasks go on to their end.";
  if (what == "cancel") return "Running tasks are cancelled, the plan is paused.";
  return "Everything is stopped, the plan is aborted.";
}

// The run that an executor works on now; empty: nobody does.
std::string run_at_work(const std::string& plan_dir, const Ledger& ledger) {
  if (!RunLock::holder(plan_dir)) return {};
  const Run* run = ledger.run();
  return run != nullptr && run->outcome.empty() ? run->id : std::string();
}

// The executor is dead, but what it started may still be at work: each shim sees this file.
Status stop_attempts(const std::string& plan_dir, const Ledger& ledger) {
  for (const auto& [task, record] : ledger.tasks) {
    const Attempt* last = record.last();
    if (last == nullptr || !last->outcome.empty() || last->by_hand()) continue;
    const AttemptFiles files(attempt_dir(plan_dir, task, last->id));
    if (files.exit() || !files.alive()) continue;
    GITPLAN_TRY(files.request_stop("abort"));
  }
  return {};
}

}  // namespace

Result<int> ask_run(Context& context, const std::string& plan, std::string_view what) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string id, store->resolve(plan));
  GITPLAN_TRY_ASSIGN(const std::string dir, store->plan_dir(id));
  std::string run;
  const auto decide = [&](const PlanView& view) -> Result<Store::Change> {
    run = run_at_work(dir, view.ledger);
    const PlanState state = view.ledger.state;
    // A killed run left an open run behind; the request belongs to it.
    const bool killed = run.empty() && state == PlanState::kRunning;
    if (what == "abort" && killed && view.ledger.run() != nullptr) {
      GITPLAN_TRY(stop_attempts(dir, view.ledger));
      Store::Change change;
      change.bodies.push_back(RunEnded{view.ledger.run()->id, "aborted", "aborted by hand"});
      return change;
    }
    const bool stopped = state == PlanState::kPaused || state == PlanState::kFailed;
    if (run.empty() && !(what == "abort" && stopped))
      return error(
          ErrorCode::kInvalid,
          "no run of plan '" + id + "' is at work: there is nothing to " + std::string(what),
          killed
              ? "its executor is gone: 'git plan execute " + id + "' goes on, 'git plan abort " +
                    id + "' ends it"
              : "the plan is " + spoken(name(state)) + "; 'git plan status " + id + "' shows it");
    Store::Change change;
    change.bodies.push_back(ControlRequested{run, std::string(what)});
    return change;
  };
  const Result<PlanView> done = store->change(id, decide);
  if (!done.ok()) return done.error();
  if (run.empty())
    context.out().note("Aborted plan '" + id + "'; what is done is kept.");
  else
    context.out().note("Asked run " + run + " of '" + id + "' to " + std::string(what) + ". " +
                       std::string(said(what)));
  if (what != "pause")
    for (const auto& [task, record] : done->ledger.tasks)
      if (record.claimed() != nullptr)
        context.out().note("'" + printable(task) + "' is worked on by hand and is left alone: " +
                           "'git plan fail " + id + " " + printable(task) + "' ends it.");
  return 0;
}

}  // namespace gitplan
