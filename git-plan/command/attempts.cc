// git plan attempts: every start of every task; what one did, and its work as a branch again.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "git-plan/command/context.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/table.h"
#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

struct Found {
  std::string task;
  const Attempt* attempt = nullptr;
};

// Attempt numbers count per task: the same one may be of several.
Result<Found> find_attempt(const PlanView& view, const std::string& task, const std::string& id) {
  std::vector<Found> found;
  for (const auto& [name, record] : view.ledger.tasks)
    for (const Attempt& attempt : record.attempts)
      if ((task.empty() || name == task) && (attempt.id == id || attempt.id.starts_with(id)))
        found.push_back({name, &attempt});
  for (const Found& each : found)
    if (each.attempt->id == id && !task.empty()) return each;
  if (found.size() == 1) return found.front();
  if (found.empty())
    return error(
        ErrorCode::kNotFound,
        "there is no attempt '" + id + "'" + (task.empty() ? "" : " of task '" + task + "'"),
        "'git plan attempts " + view.id + "' lists them");
  std::vector<std::string> names;
  for (const Found& each : found) names.push_back(each.task + " " + each.attempt->id);
  return error(ErrorCode::kAmbiguous, "attempt '" + id + "' could be: " + joined(names),
               "name the task and the whole attempt");
}

Json attempt_json(const std::string& task, const Attempt& attempt, const std::string& tree) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
  return {{"task", task},
          {"attempt", attempt.id},
          {"run", text(attempt.run)},
          {"agent", text(attempt.agent)},
          {"role", text(attempt.role)},
          {"outcome", text(attempt.outcome)},
          {"failure", text(attempt.failure)},
          {"error", text(attempt.error)},
          {"lease", attempt.by_hand() ? Json(to_rfc3339(attempt.lease)) : Json()},
          {"started", to_rfc3339(attempt.started)},
          {"finished", attempt.ended == 0 ? Json() : Json(to_rfc3339(attempt.ended))},
          {"duration_s", attempt.ended == 0
                             ? Json()
                             : Json(static_cast<double>(attempt.ended - attempt.started) / 1000)},
          {"exit_code", attempt.ended == 0 ? Json() : Json(attempt.exit_code)},
          {"base", text(attempt.base)},
          {"commit", text(attempt.commit)},
          {"branch", text(branch_name(attempt.branch))},
          {"worktree", text(tree)},
          {"files_modified", attempt.paths},
          {"remarks", attempt.remarks}};
}

Result<int> list(Context& context, const PlanView& view, const std::string& plan_dir,
                 const std::string& only) {
  Output& out = context.out();
  Json all = Json::array();
  Table table({"task", "attempt", "agent", "outcome", "time", "commit", "worktree"});
  // In the plan's order; then those of tasks that the plan has no more.
  std::vector<std::string> tasks;
  for (const Task& task : view.plan.tasks()) tasks.push_back(task.name);
  const std::set<std::string> known(tasks.begin(), tasks.end());
  for (const auto& [name, record] : view.ledger.tasks)
    if (known.count(name) == 0) tasks.push_back(name);
  for (const std::string& task : tasks) {
    if (!only.empty() && task != only) continue;
    for (const Attempt& attempt : view.ledger.task(task).attempts) {
      const std::string tree = attempt_tree(attempt_dir(plan_dir, task, attempt.id));
      if (context.json()) {
        all.push_back(attempt_json(task, attempt, tree));
        continue;
      }
      const bool changed = attempt.changed();
      const bool good = attempt.outcome == "finished";
      table.row({{task, Style::kBold},
                 {attempt.id},
                 {attempt.agent},
                 {attempt.outcome.empty() ? "running" : spoken(attempt.outcome),
                  good                      ? Style::kGood
                  : attempt.outcome.empty() ? Style::kInfo
                                            : Style::kBad},
                 {attempt.ended != 0  ? short_duration(attempt.ended - attempt.started)
                  : attempt.by_hand() ? "lease until " + moment(attempt.lease, context.now())
                                      : ""},
                 {changed ? short_id(attempt.commit) : "", Style::kAccent},
                 {tree, Style::kDim}});
    }
  }
  if (context.json()) {
    const Json document = {{"schema", 1}, {"plan", view.id}, {"attempts", std::move(all)}};
    out.line(json_text(document));
  } else if (table.empty()) {
    out.note("No attempt was made yet.");
  } else {
    out.print(table.render(out, 0));
  }
  return 0;
}

void field(Output& out, std::string_view label, std::string_view text) {
  if (!text.empty())
    out.line(out.styled(Style::kDim, fmt::format("{:<9}", label)) + one_line(text, 4000));
}

Result<int> show(Context& context, const PlanView& view, const std::string& plan_dir,
                 const Found& found) {
  Output& out = context.out();
  const Attempt& attempt = *found.attempt;
  const std::string tree = attempt_tree(attempt_dir(plan_dir, found.task, attempt.id));
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  std::string stat;
  if (attempt.changed()) {
    // A commit that another clone kept alive may not be here.
    Result<std::string> told = repository->git().read(
        {"diff", "--stat", context.out().color() ? "--color=always" : "--color=never", attempt.base,
         attempt.commit, "--"});
    stat = told.ok() ? *told : "commit " + short_id(attempt.commit) + " is not in this clone";
  }
  if (context.json()) {
    Json document = {{"schema", 1}, {"plan", view.id}};
    document.update(attempt_json(found.task, attempt, tree));
    out.line(json_text(document));
    return 0;
  }
  out.line(out.styled(Style::kBold, printable(found.task + ", attempt " + attempt.id)));
  field(out, "outcome",
        (attempt.outcome.empty() ? "running" : spoken(attempt.outcome)) +
            (attempt.failure.empty() ? "" : " (" + spoken(attempt.failure) + ")"));
  field(out, "error", attempt.error);
  field(out, "agent", attempt.agent);
  field(out, "started", to_rfc3339(attempt.started));
  if (attempt.by_hand()) field(out, "lease", to_rfc3339(attempt.lease));
  if (attempt.ended != 0) {
    field(out, "time", short_duration(attempt.ended - attempt.started));
    field(out, "exit", std::to_string(attempt.exit_code));
  }
  field(out, "base", attempt.base);
  if (attempt.changed()) field(out, "commit", attempt.commit);
  field(out, "worktree", tree);
  for (const std::string& remark : attempt.remarks) field(out, "remark", remark);
  if (!stat.empty()) {
    out.line();
    out.line(stat);
  }
  return 0;
}

Result<int> revive(Context& context, const PlanView& view, const Found& found,
                   const std::optional<std::string>& wanted) {
  const Attempt& attempt = *found.attempt;
  if (!attempt.changed())
    return error(ErrorCode::kInvalid,
                 "attempt '" + attempt.id + "' of '" + found.task + "' left no commit",
                 attempt.outcome.empty() ? "it is still running" : "it changed nothing");
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const std::string branch =
      wanted.value_or("revived/" + view.id + "/" + found.task + "-" + attempt.id);
  const Git& git = repository->git();
  if (Result<std::string> known = git.read({"cat-file", "-t", attempt.commit}); !known.ok())
    return error(ErrorCode::kNotFound,
                 "commit " + short_id(attempt.commit) + " is not in this clone",
                 "it was made in another clone and is kept alive there");
  GITPLAN_TRY(git.check({"branch", "--no-track", "--", branch, attempt.commit}));
  context.out().line("Made branch '" + branch + "' at " + short_id(attempt.commit) + ".");
  return 0;
}

Result<int> attempts(Context& context, const Arguments& arguments) {
  const std::optional<std::string> shown = arguments.value("--show");
  const std::optional<std::string> revived = arguments.value("--revive");
  if (shown && revived)
    return error(ErrorCode::kUsage, "options '--show' and '--revive' exclude each other");
  if (arguments.has("--branch") && !revived)
    return error(ErrorCode::kUsage, "option '--branch' needs '--revive <attempt>'");
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  const std::string task = arguments.positional(1).value_or("");
  if (!task.empty() && view.ledger.tasks.find(task) == view.ledger.tasks.end()) {
    if (Result<const Task*> found = task_of(view, task); !found.ok())
      return std::move(found).error();
  }
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(view.id));
  if (!shown && !revived) return list(context, view, plan_dir, task);
  GITPLAN_TRY_ASSIGN(const Found found, find_attempt(view, task, shown ? *shown : *revived));
  if (shown) return show(context, view, plan_dir, found);
  return revive(context, view, found, arguments.value("--branch"));
}

}  // namespace

const CommandInfo kAttemptsCommand{
    .name = "attempts",
    .summary = "List each start of a task, show one, bring its work back",
    .usage =
        "git plan attempts <plan> [<task>] [--json]\n"
        "       git plan attempts <plan> [<task>] --show <attempt> [--json]\n"
        "       git plan attempts <plan> [<task>] --revive <attempt> [--branch <name>]",
    .group = Group::kWork,
    .json = true,
    .options = {{.name = "--show",
                 .argument = "<attempt>",
                 .help = "what it did, and the files it changed",
                 .completes = Completes::kAttempt},
                {.name = "--revive",
                 .argument = "<attempt>",
                 .help = "make a branch at its commit",
                 .completes = Completes::kAttempt},
                {.name = "--branch", .argument = "<name>", .help = "the branch's name"}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask}},
    .run = attempts,
};

}  // namespace gitplan
