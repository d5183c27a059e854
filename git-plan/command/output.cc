// git plan output: what a task left: its summary, and the log of what it printed.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "git-plan/command/context.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/table.h"
#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/verify_log.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/log_reader.h"
#include "git-plan/view/words.h"
#include "refs/store/run_lock.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kLook = std::chrono::milliseconds(200);

class TaskOutput {
 public:
  TaskOutput(Context& context, const PlanView& view, std::string plan_dir)
      : context_(context), view_(view), plan_dir_(std::move(plan_dir)) {}

  // The last attempt, or the named one.
  Result<const Attempt*> attempt(const std::string& task, const std::optional<std::string>& id) {
    const std::vector<Attempt>& attempts = view_.ledger.task(task).attempts;
    if (!id) {
      if (!attempts.empty()) return &attempts.back();
      return error(ErrorCode::kNotFound, "task '" + task + "' has not started yet",
                   "'git plan why " + view_.id + " " + task + "' says what it waits for");
    }
    for (const Attempt& attempt : attempts)
      if (attempt.id == *id) return &attempt;
    return error(ErrorCode::kNotFound, "task '" + task + "' has no attempt '" + *id + "'",
                 "'git plan attempts " + view_.id + " " + task + "' lists them");
  }

  Result<std::string> summary(const std::string& task, const Attempt& attempt) {
    GITPLAN_TRY_ASSIGN(Store * store, context_.store());
    if (attempt.output) {
      GITPLAN_TRY_ASSIGN(const std::optional<std::string> text,
                         store->file(view_.id, "outputs/" + task + "/" + attempt.id + ".md"));
      if (text) return *text;
    }
    if (auto local = read_local_file(dir(task, attempt) + "/output.md")) return *local;
    std::string notes;
    for (const Finding& finding : attempt.findings)
      if (!finding.prose_notes.empty()) notes += finding.prose_notes + "\n";
    return notes;
  }

  std::string dir(const std::string& task, const Attempt& attempt) const {
    return attempt_dir(plan_dir_, task, attempt.id);
  }

  std::string heading(const std::string& task, const Attempt& attempt) const {
    std::string text = fmt::format("{}, attempt {}: ", task, attempt.id);
    if (attempt.ended == 0)
      text += "running for " + short_duration(context_.now() - attempt.started);
    else
      text += spoken(attempt.outcome) + " after " + short_duration(attempt.ended - attempt.started);
    if (!attempt.error.empty()) text += ", " + attempt.error;
    return context_.out().styled(Style::kBold, one_line(text, 2000));
  }

 private:
  Context& context_;
  const PlanView& view_;
  std::string plan_dir_;
};

void print_block(Output& out, std::string_view text) {
  std::string clean = printable(text);
  while (clean.ends_with('\n')) clean.pop_back();
  if (!clean.empty()) out.line(clean);
}

// The log, and with `follow` what comes until the attempt is over.
Status print_log(Context& context, const std::string& plan, const std::string& task,
                 const std::string& attempt, const std::string& dir, bool follow, bool raw) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  Output& out = context.out();
  LogReader log(dir + "/log");
  PrintableLines lines;
  const auto over = [&]() -> Result<bool> {
    const AttemptFiles files(dir);
    if (files.exit() || (files.started() && !files.alive())) return true;
    GITPLAN_TRY_ASSIGN(const PlanView view, store->load(plan));
    for (const Attempt& each : view.ledger.task(task).attempts)
      if (each.id == attempt) return !each.outcome.empty();
    return true;
  };
  bool last = !follow;
  while (true) {
    const std::string piece = log.next();
    if (log.cut()) out.note("The log reached its limit; what lay between is not kept.");
    if (!piece.empty()) {
      out.print(raw ? piece : lines.take(piece));
      continue;
    }
    std::fflush(stdout);
    if (last) break;
    // One more look after the end: what was written in between is there then.
    GITPLAN_TRY_ASSIGN(last, over());
    if (!last) std::this_thread::sleep_for(kLook);
  }
  out.print(lines.rest());
  return {};
}

Result<int> all_summaries(Context& context, const PlanView& view, TaskOutput& output) {
  Output& out = context.out();
  Json tasks = Json::array();
  bool any = false;
  for (const Task& task : view.plan.tasks()) {
    const Attempt* last = view.ledger.task(task.name).last();
    if (last == nullptr) continue;
    GITPLAN_TRY_ASSIGN(const std::string summary, output.summary(task.name, *last));
    if (context.json()) {
      tasks.push_back({{"name", task.name},
                       {"attempt", last->id},
                       {"outcome", last->outcome.empty() ? Json() : Json(last->outcome)},
                       {"summary", summary.empty() ? Json() : Json(summary)}});
      continue;
    }
    if (any) out.line();
    any = true;
    out.line(output.heading(task.name, *last));
    print_block(out, summary);
  }
  if (context.json()) {
    const Json document = {{"schema", 1}, {"plan", view.id}, {"tasks", std::move(tasks)}};
    out.line(json_text(document));
  } else if (!any) {
    out.note("No task has started yet.");
  }
  return 0;
}

// What the verify commands printed, wave by wave.
Result<int> verifications(Context& context, const PlanView& view, const std::string& plan_dir) {
  Output& out = context.out();
  Json waves = Json::array();
  bool any = false;
  for (const int wave : waves_with_verify_log(plan_dir)) {
    const std::string log = read_local_file(verify_log_path(plan_dir, wave)).value_or("");
    if (context.json()) {
      waves.push_back({{"wave", wave == 0 ? Json() : Json(wave)}, {"log", printable(log)}});
      continue;
    }
    if (any) out.line();
    any = true;
    out.line(out.styled(Style::kBold, wave == 0 ? "the landing" : "wave " + std::to_string(wave)));
    print_block(out, log);
  }
  if (context.json()) {
    const Json document = {{"schema", 1}, {"plan", view.id}, {"verify", std::move(waves)}};
    out.line(json_text(document));
  } else if (!any) {
    out.note(view.plan.orchestration && !view.plan.orchestration->verify.empty()
                 ? "Nothing has been verified here yet, or gc has removed the logs."
                 : "The plan has no verify commands.");
  }
  return 0;
}

// -f without a task means the one that runs.
Result<std::string> running_task(const PlanView& view) {
  std::vector<std::string> running;
  for (const Task& task : view.plan.tasks())
    if (view.ledger.task(task.name).status == TaskStatus::kRunning) running.push_back(task.name);
  if (running.size() == 1) return running.front();
  if (running.empty())
    return error(ErrorCode::kInvalid, "no task of plan '" + view.id + "' is running",
                 "name one: git plan output " + view.id + " <task> -f");
  return error(ErrorCode::kAmbiguous, "several tasks are running: " + joined(running),
               "name one: git plan output " + view.id + " " + running.front() + " -f");
}

Result<int> output(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(std::string plan_dir, store->plan_dir(view.id));
  const bool follow = arguments.has("--follow");
  std::string task = arguments.positional(1).value_or("");
  if (arguments.has("--verify")) {
    if (task.empty() && !follow && !arguments.has("--attempt") && !arguments.has("--raw"))
      return verifications(context, view, plan_dir);
    return error(ErrorCode::kUsage, "option '--verify' is about waves and goes with no task",
                 "git plan output " + view.id + " --verify");
  }
  TaskOutput left(context, view, std::move(plan_dir));
  if (task.empty()) {
    if (arguments.has("--attempt") || arguments.has("--raw"))
      return error(ErrorCode::kUsage, "an attempt or a raw log is one task's: name the task",
                   "git plan output " + view.id + " <task>");
    if (!follow) return all_summaries(context, view, left);
    GITPLAN_TRY_ASSIGN(task, running_task(view));
  }
  if (Result<const Task*> found = task_of(view, task); !found.ok()) return std::move(found).error();
  GITPLAN_TRY_ASSIGN(const Attempt* attempt, left.attempt(task, arguments.value("--attempt")));
  const std::string dir = left.dir(task, *attempt);
  Output& out = context.out();
  if (arguments.has("--raw")) {
    GITPLAN_TRY(print_log(context, view.id, task, attempt->id, dir, follow, true));
    return 0;
  }
  GITPLAN_TRY_ASSIGN(const std::string summary, left.summary(task, *attempt));
  if (context.json()) {
    const auto log = read_local_file(dir + "/log");
    const Json document = {
        {"schema", 1},
        {"plan", view.id},
        {"tasks",
         {{{"name", task},
           {"attempt", attempt->id},
           {"outcome", attempt->outcome.empty() ? Json() : Json(attempt->outcome)},
           {"summary", summary.empty() ? Json() : Json(summary)},
           {"log", log ? Json(printable(*log)) : Json()}}}}};
    out.line(json_text(document));
    return 0;
  }
  out.line(left.heading(task, *attempt));
  print_block(out, summary);
  if (!summary.empty()) out.line();
  const bool never_ran = attempt->failure == "fork" || attempt->failure == "setup";
  if (never_ran) {
    if (const auto setup = read_local_file(dir + "/setup.log")) print_block(out, printable(*setup));
    out.note("It never ran: " + attempt->error);
  } else if (!follow && !read_local_file(dir + "/log")) {
    out.note("Its log is not here: it ran in another clone, or gc has removed it.");
  } else {
    GITPLAN_TRY(print_log(context, view.id, task, attempt->id, dir, follow, false));
  }
  return 0;
}

}  // namespace

const CommandInfo kOutputCommand{
    .name = "output",
    .summary = "Show what a task left: its summary and its log",
    .usage =
        "git plan output <plan> [<task>] [--attempt <id>] [-f] [--raw] [--json]\n"
        "       git plan output <plan> --verify [--json]",
    .group = Group::kWork,
    .json = true,
    .options = {{.name = "--follow", .letter = "-f", .help = "go on until the attempt is over"},
                {.name = "--attempt",
                 .argument = "<id>",
                 .help = "this attempt instead of the last",
                 .completes = Completes::kAttempt},
                {.name = "--raw", .help = "the log alone, byte for byte"},
                {.name = "--verify", .help = "what the verify commands of each wave printed"}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask}},
    .run = output,
};

}  // namespace gitplan
