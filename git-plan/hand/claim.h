// Taking a task by hand: what can be taken, and what holds the others; then its tree, brief and
// folder, as a run would make them.
//
// `next` calls this. A task that is taken is an attempt with a lease and the agent "hand"; there is
// no slot and no shim. Two who want the same task meet at the plan's journal: one event is the
// first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git-plan/command/context.h"
#include "git-plan/view/plan_facts.h"

namespace gitplan {

// What forbids to take any task: what `execute` would refuse, and a plan that this one waits for.
Result<std::optional<Error>> hold_on_plan(Context& context, const PlanView& view,
                                          const PlanFacts& facts);
// One a task, in the order of the plan: nothing where it can be taken.
std::vector<std::optional<Error>> holds_on_tasks(const PlanView& view, const PlanFacts& facts,
                                                 Millis now);

struct Claim {
  PlanView view;  // with it
  std::string task, attempt;
  Millis lease = 0;
  std::string tree, folder;              // the folder: <tree>/.git-plan/<attempt>
  std::string brief;                     // the text of <folder>/brief.md
  std::vector<std::string> environment;  // the PLAN_ variables of the task
};
// The first that can be taken, or that one; a stopped one only where it is named, and then afresh.
// kFailed where another has it or nothing can be taken.
Result<Claim> claim_task(Context& context, const std::string& plan,
                         const std::optional<std::string>& task);

}  // namespace gitplan
