// The effect Watch: how far the plan is that this one waits for.
#include "core/engine/other_plan.h"
#include "git-plan/executor/execution.h"

namespace gitplan {

void Execution::carry_out(const Watch& effect) {
  const auto look = [&]() -> OtherPlan {
    const auto id = store_.resolve(effect.plan.plan);
    if (!id) return {OtherPlan::State::kGone, ""};
    const auto view = store_.load(*id);
    if (!view) return {OtherPlan::State::kPending, view.error().message};
    return look_at(effect.plan, view->plan, view->ledger);
  };
  OtherPlan found = look();
  say_wait(found.state == OtherPlan::State::kPending
               ? "waits for the plan '" + effect.plan.plan + "': " + found.why
               : "");
  input(std::move(found));
}

}  // namespace gitplan
