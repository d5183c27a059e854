#include "core/ledger/apart.h"

#include <algorithm>

#include "core/base/sha256.h"

namespace gitplan {
namespace {

constexpr Millis kMinute = 60'000;
constexpr Millis kGrace = 10 * kMinute;  // to be collected, and for clocks that differ
constexpr Millis kForItsWave = 60 * kMinute;
constexpr int kDefaultMinutes = 30;

// The newest attempt of a task by that clone whose work is good; null: none.
const Attempt* finished_by(const TaskRecord& task, std::string_view actor) {
  const auto found = std::find_if(
      task.attempts.rbegin(), task.attempts.rend(),
      [&](const Attempt& one) { return one.actor == actor && one.outcome == "finished"; });
  return found == task.attempts.rend() ? nullptr : &*found;
}

const Wave* wave_of(const Ledger& ledger, std::string_view task, std::string_view actor) {
  const auto found = std::find_if(ledger.waves.rbegin(), ledger.waves.rend(), [&](const Wave& one) {
    return one.phase == WavePhase::kCompleted && one.actor == actor &&
           std::find(one.tasks.begin(), one.tasks.end(), task) != one.tasks.end();
  });
  return found == ledger.waves.rend() ? nullptr : &*found;
}

const Wave* wave_with(const Ledger& ledger, std::string_view commit) {
  const auto found = std::find_if(ledger.waves.begin(), ledger.waves.end(),
                                  [&](const Wave& one) { return one.commit == commit; });
  return found == ledger.waves.end() ? nullptr : &*found;
}

DecisionOption option_of(const Ledger& ledger, const std::string& task, const Wave& wave) {
  const Attempt* attempt = finished_by(ledger.task(task), wave.actor);
  return {
      "keep:" + (attempt == nullptr ? wave.run : attempt->id),
      "commit " + wave.commit.substr(0, 12) + " of wave " + std::to_string(wave.number) + " counts",
      ""};
}

struct WorkedApart {
  const Ledger& ledger;
  const Event& event;

  bool operator()(const RunStarted& e) const {
    return ledger.state_by != event.actor && ledger.run(e.run) == nullptr;
  }
  bool operator()(const AttemptStarted& e) const {
    const auto& attempts = ledger.task(e.task).attempts;
    return std::none_of(attempts.begin(), attempts.end(), [&](const Attempt& one) {
      return one.id == e.attempt || (one.actor == event.actor && one.outcome.empty());
    });
  }
  bool operator()(const WaveStarted& e) const {
    const bool half_made = std::any_of(ledger.waves.begin(), ledger.waves.end(), [&](auto& wave) {
      return wave.run == e.run && (wave.held() || wave.number == e.wave);
    });
    return !half_made && std::all_of(e.tasks.begin(), e.tasks.end(), [&](const auto& task) {
      return finished_by(ledger.task(task), event.actor) != nullptr;
    });
  }
  bool operator()(const auto&) const { return false; }
};

}  // namespace

bool is_work(const EventBody& body) {
  return std::holds_alternative<DefinitionChanged>(body) ||
         std::holds_alternative<RunStarted>(body) || std::holds_alternative<AttemptStarted>(body) ||
         std::holds_alternative<AttemptEnded>(body) || std::holds_alternative<TaskSet>(body) ||
         std::holds_alternative<TaskApproved>(body) ||
         std::holds_alternative<WaveCompleted>(body) ||
         std::holds_alternative<DecisionResolved>(body);
}

PlanStateSet deletion_of(const Ledger& ledger) {
  PlanStateSet deletion{"deleted", "", {}};
  for (const auto& [actor, record] : ledger.actors) deletion.seen[actor] = record.clock;
  return deletion;
}

void bring_back(Ledger& ledger, const Event& event) {
  const bool deleted = ledger.state == PlanState::kDeleted;
  if (!deleted && ledger.state != PlanState::kArchived) return;
  if (ledger.state_by == event.actor || !is_work(event.body)) return;
  if (!deleted && !std::holds_alternative<RunStarted>(event.body)) return;
  ledger.state = deleted ? ledger.before_deletion.value_or(PlanState::kActive) : PlanState::kActive;
  ledger.state_by = event.actor;
  ledger.before_deletion.reset();
}

bool worked_apart(const Ledger& ledger, const Event& event) {
  return !ledger.plan.empty() && std::visit(WorkedApart{ledger, event}, event.body);
}

DecisionAsked ask_which_counts(const Ledger& ledger, const Event& event, const std::string& task) {
  const auto& e = std::get<WaveCompleted>(event.body);
  DecisionAsked asked;
  const std::string digits = sha256_hex(event.id + "/" + task);
  for (std::size_t length = 5; length <= digits.size(); ++length) {
    asked.decision = "d" + digits.substr(0, length);
    if (ledger.decision(asked.decision) == nullptr) break;
  }
  asked.kind = "completed_twice";
  asked.task = task;
  asked.tasks = {task};
  asked.run = e.run;
  asked.commit = e.commit;
  const TaskRecord& record = ledger.task(task);
  asked.what = "'" + task + "' was completed twice, in two clones: by commit " +
               record.commit.substr(0, 12) + " of wave " + std::to_string(record.wave) +
               " and by commit " + e.commit.substr(0, 12) + " of wave " + std::to_string(e.wave);
  asked.why = "Both clones worked on it before they heard of each other.";
  asked.impact = "Until this is answered the first counts; both commits are kept.";
  if (const Wave* first = wave_with(ledger, record.commit))
    asked.options.push_back(option_of(ledger, task, *first));
  if (const Wave* second = ledger.wave(e.run, e.wave))
    asked.options.push_back(option_of(ledger, task, *second));
  return asked;
}

void take_attempt_of(Ledger& ledger, const std::string& task, std::string_view attempt) {
  const auto found = ledger.tasks.find(task);
  if (found == ledger.tasks.end() || found->second.status != TaskStatus::kCompleted) return;
  TaskRecord& record = found->second;
  const auto chosen = std::find_if(record.attempts.begin(), record.attempts.end(),
                                   [&](const Attempt& one) { return one.id == attempt; });
  if (chosen == record.attempts.end()) return;
  const Wave* wave = wave_of(ledger, task, chosen->actor);
  if (wave == nullptr || record.stands_in(wave->commit)) return;
  record.wave = wave->number;
  record.commit = wave->commit;
  record.rewritten.clear();
}

Millis held_until(const TaskRecord& task) {
  const Attempt* last = task.last();
  if (last == nullptr) return 0;
  if (task.status == TaskStatus::kFinished) return last->ended + kForItsWave;
  if (task.status == TaskStatus::kQueued) return task.queued_until + kForItsWave;
  if (last->by_hand()) return last->lease;
  const int minutes = last->minutes > 0 ? last->minutes : kDefaultMinutes;
  return last->started + minutes * kMinute + kGrace;
}

}  // namespace gitplan
