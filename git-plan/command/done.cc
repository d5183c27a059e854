// git plan done: proves what was made by hand, ends the attempt, and lands it where no run does.
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "git-plan/command/hand_end.h"
#include "git-plan/command/run_plan.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/input.h"
#include "git-plan/executor/task_folder.h"
#include "git-plan/hand/take_in.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/words.h"
#include "refs/store/lock_wait.h"

namespace gitplan {
namespace {

Status must_be_trusted(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const bool trusted, is_trusted(context, view));
  if (trusted) return {};
  GITPLAN_TRY_ASSIGN(std::string why, why_not_trusted(context, view));
  return error(
      ErrorCode::kNotTrusted, std::move(why),
      "read it with 'git plan show " + view.id + "', then 'git plan trust " + view.id + "'");
}

Result<std::optional<std::string>> summary_of(const Arguments& arguments) {
  const auto text = arguments.value("--summary");
  const auto file = arguments.value("--file");
  if (text && file)
    return error(ErrorCode::kUsage, "options '--summary' and '--file' exclude each other");
  if (!file) return text;
  GITPLAN_TRY_ASSIGN(InputText input, read_input(*file));
  return std::optional(std::move(input.text));
}

// Proving takes its time, and a failed proof is mended after it: nobody else may have it meanwhile.
Status stay_alive(Context& context, const HandEnd& end) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const int minutes, settings->integer("plan.lease"));
  const Millis whole = minutes * Millis{60000};
  if (end.attempt.lease - context.now() > whole / 2) return {};
  const auto decide = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies.push_back(AttemptRenewed{end.task.name, end.attempt.id, context.now() + whole});
    return change;
  };
  GITPLAN_TRY(store->change(end.view.id, decide));
  return {};
}

// A run that was over when the task was finished has not seen it; it lets go of the plan soon.
Result<bool> run_takes_it(Context& context, const std::string& plan, const std::string& plan_dir,
                          const std::string& task) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  for (LockWait patience(std::chrono::seconds(60)); RunLock::holder(plan_dir);) {
    GITPLAN_TRY_ASSIGN(const PlanView now, store->load(plan));
    const Run* run = now.ledger.run();
    if (now.ledger.task(task).status != TaskStatus::kFinished) return true;
    if (run != nullptr && run->outcome.empty()) return true;
    if (!patience.wait()) return true;
  }
  return false;
}

// `by`: the run that has it; null: the plan is aborted.
int say_taken(Context& context, const PlanView& view, const AttemptEnded& ended, const Run* by) {
  const bool took = view.ledger.task(ended.task).status == TaskStatus::kCompleted;
  const bool takes = by != nullptr && (took || by->control.empty());
  if (context.json())
    context.out().line(json_text(
        {{"schema", 1},
         {"plan", view.id},
         {"task", ended.task},
         {"attempt", ended.attempt},
         {"outcome", ended.outcome},
         {"files_modified", ended.paths},
         {"integrated_by", takes ? nlohmann::ordered_json(by->id) : nlohmann::ordered_json()}}));
  else if (takes)
    context.out().note("Run " + by->id +
                       (took ? " has integrated it." : " is at work and integrates it."));
  else if (by != nullptr)
    context.out().note("Run " + by->id + " was asked to " + by->control + ": 'git plan execute " +
                       view.id + "' integrates it afterwards.");
  else
    context.out().note("The plan is aborted: 'git plan execute " + view.id + "' integrates it.");
  return 0;
}

Result<int> integrate(Context& context, const std::string& plan, const std::string& plan_dir,
                      const AttemptEnded& ended) {
  for (;;) {
    GITPLAN_TRY_ASSIGN(const bool taken, run_takes_it(context, plan, plan_dir, ended.task));
    GITPLAN_TRY_ASSIGN(PlanView view, context.plan(plan));
    const Run* run = view.ledger.run();
    if (taken) return say_taken(context, view, ended, run);
    if (view.ledger.state == PlanState::kAborted) return say_taken(context, view, ended, nullptr);
    ExecuteOptions options;
    options.tasks = {ended.task};
    options.interactive = context.interactive() && !context.json();
    options.program_dir = std::filesystem::path(context.program_path()).parent_path();
    GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
    const TaskStatus status = view.ledger.task(ended.task).status;
    // Another run has integrated it before this one could begin, and the plan may be over with it.
    if (status == TaskStatus::kCompleted) return say_taken(context, view, ended, run);
    GITPLAN_TRY_ASSIGN(const Preflight report,
                       preflight(context, view, facts, options, std::nullopt));
    if (report.fault() != nullptr && report.fault()->code != ErrorCode::kBusy)
      return all_faults(context, report);
    if (!report.faults.empty()) continue;  // somebody else has begun one
    Result<int> status_of_run = run_plan(context, view.id, facts.dir, options);
    if (status_of_run || status_of_run.error().code != ErrorCode::kBusy) return status_of_run;
  }
}

Result<int> done(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> summary, summary_of(arguments));
  GITPLAN_TRY_ASSIGN(const HandPlace place, hand_place(context));
  std::string plan, plan_dir;
  AttemptEnded ended;
  {
    GITPLAN_TRY_ASSIGN(const HandEnd end, hand_end(context, place, "done", *arguments.positional(0),
                                                   arguments.positional(1),
                                                   arguments.value("--attempt").value_or("")));
    plan = end.view.id;
    plan_dir = end.plan_dir;
    GITPLAN_TRY(must_be_trusted(context, end.view));
    GITPLAN_TRY(stay_alive(context, end));
    if (summary) {
      const std::string dir = attempt_dir(plan_dir, end.task.name, end.attempt.id);
      GITPLAN_TRY(write_output(attempt_tree(dir), end.attempt.id, *summary));
    }
    GITPLAN_TRY_ASSIGN(ended, take_in(context, end.view, end.task, end.attempt, true));
    if (ended.outcome != "finished") {
      Error missing =
          failed("'" + end.task.name + "' is not done: " + ended.error,
                 "it stays yours: mend it in " +
                     attempt_tree(attempt_dir(plan_dir, end.task.name, end.attempt.id)) +
                     " and say 'git plan done' again");
      return missing;
    }
    GITPLAN_TRY(record_end(context, plan, ended));
  }
  if (!context.json()) {
    context.out().note("Finished '" + printable(ended.task) + "': " +
                       (ended.paths.empty() ? "nothing changed"
                                            : counted(ended.paths.size(), "file") + " changed") +
                       ".");
    for (const std::string& remark : ended.remarks)
      context.out().warning(printable(ended.task) + ": " + one_line(remark, 4000));
  }
  return integrate(context, plan, plan_dir, ended);
}

}  // namespace

const CommandInfo kDoneCommand{
    .name = "done",
    .summary = "Say that a task worked on by hand is done",
    .usage =
        "git plan done <plan> [<task>] [--summary <text> | -F <file>] [--attempt <id>] [--json]",
    .group = Group::kWork,
    .json = true,
    .options = {{.name = "--summary",
                 .argument = "<text>",
                 .help = "what those that come after should know"},
                {.name = "--file",
                 .letter = "-F",
                 .argument = "<file>",
                 .help = "the same from a file, or '-'",
                 .completes = Completes::kFile},
                {.name = "--attempt",
                 .argument = "<id>",
                 .help = "only if this attempt still has the task",
                 .completes = Completes::kAttempt}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask}},
    .run = done,
};

}  // namespace gitplan
