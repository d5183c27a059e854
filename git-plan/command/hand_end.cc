#include "git-plan/command/hand_end.h"

#include "git-plan/command/plan_task.h"
#include "git-plan/hand/take_in.h"
#include "git-plan/view/words.h"

namespace gitplan {

Result<HandEnd> hand_end(Context& context, const HandPlace& place, std::string_view command,
                         const std::string& plan, const std::optional<std::string>& named,
                         const std::string& attempt) {
  GITPLAN_TRY_ASSIGN(const PlanView seen, context.plan(plan));
  const bool in_tree = place.plan == seen.id;
  if (!named && !in_tree) {
    std::vector<std::string> by_hand;
    for (const auto& [name, record] : seen.ledger.tasks)
      if (record.claimed() != nullptr) by_hand.push_back(name);
    return error(ErrorCode::kInvalid,
                 "'git plan " + std::string(command) + "' needs a task outside of its worktree",
                 by_hand.empty() ? "no task of '" + seen.id + "' is worked on by hand"
                                 : "worked on by hand: " + joined(by_hand));
  }
  const std::string name = named.value_or(place.task);
  GITPLAN_TRY_ASSIGN(const Task* task, task_of(seen, name));
  GITPLAN_TRY(for_own_task_only(context, command, seen.id, name));
  const bool own = in_tree && place.task == name;
  const std::string guard = !attempt.empty() ? attempt : own ? place.attempt : "";
  GITPLAN_TRY_ASSIGN(const Attempt found, attempt_by_hand(seen, name, guard));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(std::string plan_dir, store->plan_dir(seen.id));
  auto lock = AttemptLock::take(attempt_dir(plan_dir, name, found.id));
  if (!lock && lock.error().code == ErrorCode::kBusy)
    return error(ErrorCode::kBusy,
                 "another process takes in what attempt " + found.id + " of '" + name + "' left");
  if (!lock) return std::move(lock).error();
  // As it is now that nobody else can end it.
  GITPLAN_TRY_ASSIGN(PlanView view, store->load(seen.id));
  GITPLAN_TRY_ASSIGN(Attempt now, attempt_by_hand(view, name, found.id));
  return HandEnd{std::move(view), std::move(plan_dir), *task, std::move(now),
                 std::move(lock).value()};
}

}  // namespace gitplan
