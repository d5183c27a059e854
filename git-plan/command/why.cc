// git plan why: what each task waits for, by the same function that starts tasks.
#include <nlohmann/json.hpp>

#include "git-plan/command/plan_task.h"
#include "git-plan/command/table.h"
#include "git-plan/hand/place.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/plan_facts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

// What a reader gets beyond the readiness: where the work of a task is.
std::vector<std::string> reasons_of(const Task& task, const TaskView& ready, const PlanView& view) {
  std::vector<std::string> reasons = ready.reasons;
  const TaskRecord& record = view.ledger.task(task.name);
  switch (ready.readiness) {
    case Readiness::kDone:
      if (!reasons.empty()) break;
      if (record.status == TaskStatus::kSkipped)
        reasons.push_back(record.reason.empty() ? "skipped" : "skipped: " + record.reason);
      else if (record.commit.empty())
        reasons.push_back("completed, changed nothing");
      else
        reasons.push_back("completed in wave " + std::to_string(record.wave) + ", commit " +
                          short_id(record.commit));
      break;
    default: break;
  }
  for (const Decision& decision : view.ledger.decisions)
    if (decision.open() && decision.asked.task == task.name)
      reasons.push_back("decision " + decision.asked.decision);
  return reasons;
}

Result<int> why(Context& context, const Arguments& arguments) {
  if (Result<HandPlace> place = hand_place(context); !place.ok()) return std::move(place).error();
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*arguments.positional(0)));
  const std::string only = arguments.positional(1).value_or("");
  if (!only.empty()) {
    if (Result<const Task*> task = task_of(view, only); !task.ok()) return std::move(task).error();
  }
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  Json tasks = Json::array();
  Table table({"", "", ""});
  const std::vector<Task>& all = view.plan.tasks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!only.empty() && all[i].name != only) continue;
    const TaskView& ready = facts.tasks[i];
    // Without a task: what is not over. Those that are done wait for nothing.
    if (only.empty() && ready.readiness == Readiness::kDone && !context.json()) continue;
    const std::vector<std::string> reasons = reasons_of(all[i], ready, view);
    if (context.json())
      tasks.push_back({{"name", all[i].name},
                       {"status", name(view.ledger.task(all[i].name).status)},
                       {"readiness", name(ready.readiness)},
                       {"ready", ready.readiness == Readiness::kReady},
                       {"reasons", reasons}});
    else
      table.row({{all[i].name, Style::kBold},
                 {std::string(name(ready.readiness)), style_of(ready.readiness)},
                 {joined(reasons, "; ")}});
  }
  Output& out = context.out();
  if (context.json()) {
    const Json document = {{"schema", 1},
                           {"plan", view.id},
                           {"waiting", facts.waiting.empty() ? Json() : Json(facts.waiting)},
                           {"tasks", std::move(tasks)}};
    out.line(json_text(document));
    return 0;
  }
  if (!facts.waiting.empty())
    out.line(out.styled(Style::kWarn, "The run waits: " + one_line(facts.waiting, 400)));
  if (!table.empty()) {
    out.print(table.render(out, 0));
  } else {
    out.note(all.empty() ? "The plan has no tasks." : "All tasks are done.");
  }
  return 0;
}

}  // namespace

const CommandInfo kWhyCommand{
    .name = "why",
    .summary = "Say which tasks can start, and why the others cannot",
    .usage = "git plan why <plan> [<task>] [--json]",
    .group = Group::kWork,
    .json = true,
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask}},
    .run = why,
};

}  // namespace gitplan
