// git plan approve: a person's word that a task may start, that its result may be taken, or that a
// plan is ready.
#include <nlohmann/json.hpp>

#include "git-plan/command/plan_task.h"
#include "git-plan/command/run_summary.h"
#include "git-plan/command/table.h"
#include "git-plan/trust/person.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/plan_facts.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

bool is_gate(const Decision& decision) {
  return decision.open() &&
         (decision.asked.kind == "approval_gate" || decision.asked.kind == "checkpoint");
}

struct Approval {
  EventBody event;
  std::string what;  // "'deploy' may start"
};

Approval answer_to(const DecisionAsked& asked) {
  const std::string task = "'" + asked.task + "'";
  return {DecisionResolved{asked.decision, "approve", "", 0},
          asked.kind == "checkpoint" ? task + " is taken" : task + " may start"};
}

// What a word about this task means now.
Result<Approval> approval_of(const PlanView& view, const Task& task) {
  for (const Decision& decision : view.ledger.decisions)
    if (is_gate(decision) && decision.asked.task == task.name) return answer_to(decision.asked);
  const TaskRecord& record = view.ledger.task(task.name);
  if (!task.approval_gate)
    return error(ErrorCode::kRefused,
                 task.checkpoint == Checkpoint::kNone
                     ? "'" + task.name + "' needs no approval"
                     : "'" + task.name + "' has not reached its checkpoint yet",
                 "'git plan why " + view.id + " " + task.name + "' says where it stands");
  if (record.approved == task.text_hash)
    return error(ErrorCode::kRefused, "'" + task.name + "' is approved already, as it is now");
  if (record.status == TaskStatus::kCompleted || record.status == TaskStatus::kSkipped ||
      record.status == TaskStatus::kFinished || record.status == TaskStatus::kRunning)
    return error(ErrorCode::kRefused,
                 "'" + task.name + "' is " + spoken(name(record.status)) + " already");
  return Approval{TaskApproved{task.name, task.text_hash}, "'" + task.name + "' may start"};
}

// Without a task: the plan itself where it waits for that, else all that waits in it.
Result<std::vector<Approval>> approvals_of(const PlanView& view) {
  if (view.ledger.state == PlanState::kInReview || view.ledger.state == PlanState::kPendingApproval)
    return std::vector<Approval>{{PlanStateSet{"active", "approved"}, "the plan may be executed"}};
  std::vector<Approval> all;
  for (const Decision& decision : view.ledger.decisions)
    if (is_gate(decision)) all.push_back(answer_to(decision.asked));
  if (all.empty())
    return error(ErrorCode::kRefused, "nothing of plan '" + view.id + "' waits for approval",
                 "'git plan status " + view.id + "' shows how far it is");
  return all;
}

Result<int> approve(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  std::vector<Approval> all;
  if (const auto name = arguments.positional(1)) {
    GITPLAN_TRY_ASSIGN(const Task* task, task_of(view, *name));
    GITPLAN_TRY_ASSIGN(Approval one, approval_of(view, *task));
    all.push_back(std::move(one));
  } else {
    GITPLAN_TRY_ASSIGN(all, approvals_of(view));
  }
  GITPLAN_TRY(need_person(context, "approving", view.id));
  Output& out = context.out();
  if (context.interactive() && !context.json())
    for (const Decision& decision : view.ledger.decisions)
      if (is_gate(decision) &&
          (!arguments.positional(1) || decision.asked.task == *arguments.positional(1)))
        out.print(decision_panel(out, view.id, view.ledger, decision.asked, facts.dir, false));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  const auto say = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    for (const Approval& one : all) change.bodies.push_back(one.event);
    return change;
  };
  if (Result<PlanView> done = store->change(view.id, say); !done.ok())
    return std::move(done).error();
  auto approved = nlohmann::ordered_json::array();
  for (const Approval& one : all) {
    approved.push_back(one.what);
    if (!context.json()) out.line("Approved: " + printable(one.what) + ".");
  }
  if (context.json())
    out.line(json_text({{"schema", 1}, {"plan", view.id}, {"approved", std::move(approved)}}));
  else if (!RunLock::holder(facts.dir))
    out.note("Go on" + go_on(view));
  return 0;
}

}  // namespace

const CommandInfo kApproveCommand{
    .name = "approve",
    .summary = "Let a task start, or its result be taken, that waits for a person",
    .usage = "git plan approve <plan> [<task>] [--json]",
    .group = Group::kWork,
    .inside_task = false,
    .json = true,
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<task>", .required = false, .completes = Completes::kTask}},
    .run = approve,
};

}  // namespace gitplan
