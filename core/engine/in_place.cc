// Tasks in the user's own working tree: when they start, and why what they did lands at once.
//
// The tree shows the tip of the user's branch. So what the plan has integrated is in that branch
// before a task starts there, and what the task did before another one starts. An inline or clean
// task has the tree for itself; optimistic ones are there together where their scopes do not meet.
#include <algorithm>

#include "core/engine/engine.h"
#include "core/engine/hold.h"
#include "core/engine/questions.h"

namespace gitplan {

bool Engine::in_place(int task) const { return plan_.in_place(plan_.tasks()[task]); }

// All that is live works in the working tree, and has begun: it cannot change the run's base any
// more.
bool Engine::only_in_place_live() const {
  return std::all_of(live_.begin(), live_.end(), [this](const auto& live) {
    const Attempt* last = ledger_.task(live.first).last();
    return last != nullptr && last->in_place() && live.second.phase != Live::Phase::kForking;
  });
}

// The plan's work is not in the branch that the user has.
bool Engine::unlanded() const {
  const Run& run = *ledger_.run();
  return ledger_.newest_result() != nullptr &&
         (run.landed_commit.empty() || run.landed_tip != base_);
}

// Whether a task can start in the working tree sooner or later, without an answer of a person.
bool Engine::tree_can_be_had() const {
  const Run& run = *ledger_.run();
  if (run.target.empty() || run.land == "never") return false;
  if (const Wave* held = ledger_.held_wave(); held != nullptr && wave_blocked(*held)) return false;
  return !unlanded() || !landing_decision_open();
}

// Whether a task may work beside those that do already.
bool Engine::may_join(int task, const std::vector<const Task*>& others) const {
  return std::all_of(others.begin(), others.end(), [&](const Task* other) {
    return may_work_together(plan_, plan_.tasks()[task], *other);
  });
}

// A wave of its own is what a task changed in the working tree.
bool Engine::must_land_alone(const TaskRecord& record) {
  return record.last()->in_place() && record.has_work();
}

// The tasks of the next wave. One that must land alone comes first; the others are cut when nothing
// runs any more, in an eager plan at once.
std::vector<int> Engine::next_batch() const {
  std::vector<int> batch;
  const bool forks_may_go = live_.empty() || eager();
  const bool in_place_may_go = only_in_place_live();
  for (int task = 0; task < graph_.size(); ++task) {
    if (records_[task]->status != TaskStatus::kFinished || classes_[task] != Readiness::kActive ||
        ledger_.elsewhere(*records_[task]) || awaits_checkpoint(task))
      continue;
    const bool alone = must_land_alone(*records_[task]);
    if (!(alone ? in_place_may_go : forks_may_go)) continue;
    if (alone) return {task};
    batch.push_back(task);
  }
  return batch;
}

// The newest wave was made in the working tree, whose branch does not have it yet.
bool Engine::tree_is_ahead() const {
  const auto newest = std::find_if(ledger_.waves.rbegin(), ledger_.waves.rend(),
                                   [this](const Wave& wave) { return wave.commit == base_; });
  if (newest == ledger_.waves.rend() || newest->phase != WavePhase::kCompleted) return false;
  return unlanded() &&
         std::any_of(newest->tasks.begin(), newest->tasks.end(), [this](const std::string& task) {
           const TaskRecord& record = ledger_.task(task);
           return record.last() != nullptr && must_land_alone(record);
         });
}

// What a task did in the working tree lands before anything else happens, and so does what waits
// on the integration branch when it is such a task's turn.
bool Engine::lands_at_once(Millis now) const {
  if (tree_is_ahead()) return true;
  // One that was to begin, and then a wave came that the tree does not show: of an eager plan, by
  // what was done by hand.
  const bool waits = std::any_of(live_.begin(), live_.end(), [this](const auto& live) {
    const Attempt* last = ledger_.task(live.first).last();
    return last != nullptr && last->in_place() && live.second.phase == Live::Phase::kNoSlot;
  });
  if (waits) return true;
  if (!live_.empty() || !next_batch().empty()) return false;
  bool turn = false;
  for (int task = 0; task < graph_.size(); ++task) {
    if (!startable(task, now) || held_by_question(task)) continue;
    if (!in_place(task)) return false;
    turn = true;
  }
  return turn;
}

bool Engine::landing_due(Millis now) const {
  const Run& run = *ledger_.run();
  if (run.target.empty() || run.land == "never" || !unlanded()) return false;
  if (run.land == "wave" || lands_at_once(now)) return true;
  for (int task = 0; task < graph_.size(); ++task) {
    const TaskStatus status = records_[task]->status;
    if (selected_[task] && status != TaskStatus::kCompleted && status != TaskStatus::kSkipped)
      return false;
  }
  return true;
}

DecisionAsked Engine::mixed_question(const Collected& input) {
  std::vector<std::string> blocked = blocked_by(graph_.index_of(input.ended.task));
  DecisionAsked asked = ask_about_mixed(input, blocked);
  asked.decision = decision_id(asked.kind, input.ended.task + "/" + input.ended.attempt);
  asked.run = options_.run;
  return asked;
}

}  // namespace gitplan
