// Other plans: the one that is waited for, and those that touch the same files meanwhile.
#include "core/plan/references.h"
#include "git-plan/executor/execution.h"
#include "git-plan/executor/waiting.h"
#include "git-plan/neighbours/at_work.h"

namespace gitplan {

// As for a run that starts now: the plan's own unlanded work, or else the branch that it lands on.
std::string Execution::base_now() const {
  for (const std::string& ref : {setup_.integration_branch, engine_->ledger().run()->target}) {
    if (ref.empty()) continue;
    const auto tip = repository_.ref(ref);
    if (!tip) return {};
    if (*tip) return **tip;
  }
  return {};
}

void Execution::carry_out(const Watch& effect) {
  if (effect.plan.plan.empty()) {
    OtherPlan over{OtherPlan::State::kDone, ""};
    over.base = base_now();
    return input(std::move(over));
  }
  const auto look = [&]() -> OtherPlan {
    const auto id = store_.resolve(effect.plan.plan);
    if (!id) return {OtherPlan::State::kGone, ""};
    const auto view = store_.load(*id);
    if (!view) return {OtherPlan::State::kPending, view.error().message};
    return look_at(effect.plan, view->plan, view->ledger);
  };
  OtherPlan found = look();
  found.plan = effect.plan.plan;
  // For `status`; the observer hears it by its event.
  const std::string why = found.state == OtherPlan::State::kPending
                              ? "waits for the plan '" + effect.plan.plan + "': " + found.why
                              : "";
  if (why != std::exchange(waiting_, why)) tell_waiting(setup_.plan_dir, why);
  input(std::move(found));
}

// For the brief; what meets the task's own scope is said to people as well. Nobody is held up.
std::vector<SoftLock> Execution::soft_locks_of_others(const Task& task) {
  Result<std::vector<SoftLock>> locks = soft_locks(store_, setup_.plan);
  if (!locks) return {};  // what is only told is no reason not to start
  for (const SoftLock& lock : *locks)
    if (scopes_overlap(task.files, lock.files))
      observer_.on_warning("'" + task.name + "' may change what '" + lock.task + "' of the plan '" +
                           lock.plan + "' works at: " + lock.files.front() +
                           (lock.files.size() > 1 ? ", …" : ""));
  return *std::move(locks);
}

void Execution::note_changed_meanwhile(AttemptEnded& ended) {
  if (ended.outcome != "finished") return;
  const Millis since = recorded(ended.task, ended.attempt).started;
  const auto met = changed_meanwhile(store_, setup_.plan, since, ended.paths);
  if (met) ended.remarks.insert(ended.remarks.end(), met->begin(), met->end());
}

}  // namespace gitplan
