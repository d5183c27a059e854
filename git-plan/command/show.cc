// `git plan show`: a plan's text, its ledger or one of its tasks, now or as it was.
#include <nlohmann/json.hpp>

#include "core/base/edit_distance.h"
#include "core/ledger/ledger_codec.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/history.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/plan_facts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

Result<const Task*> task_of(const PlanView& view, const std::string& wanted) {
  if (const Task* task = view.plan.find(wanted)) return task;
  std::vector<std::string> names;
  for (const Task& task : view.plan.tasks()) names.push_back(task.name);
  const auto near = nearest(wanted, names);
  return error(ErrorCode::kNotFound, "plan '" + view.id + "' has no task '" + wanted + "'",
               near ? "did you mean '" + *near + "'?" : "");
}

Json task_json(const PlanView& view, const Task& task) {
  return {{"name", task.name},
          {"description", task.description},
          {"status", name(view.ledger.task(task.name).status)},
          {"run", task.run},
          {"role", task.role},
          {"agent", task.agent},
          {"mode", name(view.plan.mode_of(task))},
          {"isolation", name(view.plan.isolation_of(task))},
          {"depends_on", task.depends_on},
          {"files", task.files},
          {"expects", task.expects},
          {"checks", task.checks},
          {"locks", task.locks},
          {"cwd", task.cwd},
          {"approval_gate", task.approval_gate},
          {"line", task.position.line}};
}

std::string task_text(const Output& out, const PlanView& view, const Task& task) {
  const TaskRecord& record = view.ledger.task(task.name);
  Table table({"", ""});
  const auto row = [&](std::string_view label, const std::string& value,
                       Style style = Style::kPlain) {
    if (!value.empty()) table.row({{std::string(label), Style::kDim}, {value, style}});
  };
  row("task", task.name, Style::kBold);
  row("description", task.description);
  row("status", std::string(name(record.status)), style_of(record.status));
  row("run", task.run);
  if (task.run.empty()) row("role", task.role);
  row("agent", task.agent);
  row("mode", std::string(name(view.plan.mode_of(task))));
  row("depends on", joined(task.depends_on));
  row("files", joined(task.files));
  row("expects", joined(task.expects));
  for (const std::string& check : task.checks) row("check", check);
  row("locks", joined(task.locks));
  if (const Attempt* last = record.last()) {
    row("attempts", std::to_string(record.attempts.size()));
    row("error", last->error, Style::kBad);
  }
  if (record.wave > 0) row("wave", std::to_string(record.wave) + " " + short_id(record.commit));
  return table.render(out, 0);
}

Json document(const PlanView& view, bool stale, bool ledger) {
  Json plan = plan_json(summary_of(view), stale);
  plan["definition"] = view.definition;
  plan["heads"] = view.ledger.heads;
  Json tasks = Json::array();
  for (const Task& task : view.plan.tasks()) tasks.push_back(task_json(view, task));
  Json whole{{"schema", 1},
             {"plan", plan},
             {"text", view.text},
             {"tasks", tasks},
             {"warnings", diagnostics_json(view.warnings)}};
  if (ledger) whole["ledger"] = Json::parse(ledger_to_json(view.ledger));
  return whole;
}

void print_text(Context& context, const std::string& text) {
  const std::string shown = context.out().screen() ? printable(text) : text;
  context.page();
  context.out().print(shown);
  if (!shown.ends_with('\n')) context.out().line();
}

Result<int> show(Context& context, const Arguments& arguments) {
  const auto task_name = arguments.value("--task");
  const bool ledger = arguments.has("--ledger");
  if (task_name && ledger)
    return error(ErrorCode::kUsage, "'--task' and '--ledger' exclude each other",
                 "usage: " + std::string(kShowCommand.usage));
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*arguments.positional(0)));
  if (const auto change = arguments.value("--at")) {
    GITPLAN_TRY_ASSIGN(view, plan_at(context, view.id, *change));
  }
  const Task* task = nullptr;
  if (task_name) {
    GITPLAN_TRY_ASSIGN(task, task_of(view, *task_name));
  }
  if (context.json()) {
    GITPLAN_TRY_ASSIGN(const bool stale,
                       is_stale(context, view.ledger.state, view.ledger.last_activity,
                                view.plan.ttl_days.value_or(0)));
    if (task != nullptr)
      context.out().line(json_text({{"schema", 1}, {"task", task_json(view, *task)}}));
    else
      context.out().line(json_text(document(view, stale, ledger)));
    return 0;
  }
  if (view.ledger.state == PlanState::kConflicted)
    context.out().warning("two changes of '" + view.id + "' did not merge (" +
                          printable(view.conflict) + "); this is the first of " +
                          std::to_string(view.ledger.heads.size()) + ", and 'git plan edit " +
                          view.id + "' shows both");
  if (task != nullptr)
    context.out().print(task_text(context.out(), view, *task));
  else
    print_text(context, ledger ? ledger_to_json(view.ledger) : view.text);
  return 0;
}

}  // namespace

const CommandInfo kShowCommand{
    .name = "show",
    .summary = "Show a plan's text",
    .usage = "git plan show <plan> [--task <name> | --ledger] [--at <change>] [--json]",
    .group = Group::kPlans,
    .json = true,
    .options = {{"--task", "", "<name>", "only this task, with what became of it", false,
                 Completes::kTask},
                {"--ledger", "", "", "the folded state instead of the text"},
                {"--at", "", "<change>", "as it was after a change that 'git plan log' names"}},
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = show,
};

}  // namespace gitplan
