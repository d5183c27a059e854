#include "core/ledger/ledger.h"

#include <algorithm>
#include <array>

namespace gitplan {
namespace {

// On disk and on the screen, in the order of the enums.
constexpr std::array<std::string_view, 13> kPlanStates{
    "draft",     "in_review", "pending_approval", "active",     "queued",   "running", "paused",
    "completed", "failed",    "aborted",          "conflicted", "archived", "deleted"};
constexpr std::array<std::string_view, 9> kTaskStatuses{"pending",   "queued",    "running",
                                                        "finished",  "completed", "failed",
                                                        "cancelled", "timed_out", "skipped"};
constexpr std::array<std::string_view, 6> kWavePhases{"started",  "merged",    "committed",
                                                      "verified", "completed", "abandoned"};

static_assert(kPlanStates.size() == static_cast<std::size_t>(PlanState::kDeleted) + 1);
static_assert(kTaskStatuses.size() == static_cast<std::size_t>(TaskStatus::kSkipped) + 1);
static_assert(kWavePhases.size() == static_cast<std::size_t>(WavePhase::kAbandoned) + 1);

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name(PlanState state) { return kPlanStates[static_cast<std::size_t>(state)]; }
std::string_view name(TaskStatus status) { return kTaskStatuses[static_cast<std::size_t>(status)]; }
std::string_view name(WavePhase phase) { return kWavePhases[static_cast<std::size_t>(phase)]; }

std::optional<PlanState> plan_state(std::string_view name) {
  return find_name<PlanState>(kPlanStates, name);
}
std::optional<TaskStatus> task_status(std::string_view name) {
  return find_name<TaskStatus>(kTaskStatuses, name);
}
std::optional<WavePhase> wave_phase(std::string_view name) {
  return find_name<WavePhase>(kWavePhases, name);
}

bool TaskRecord::stands_in(std::string_view id) const {
  return !commit.empty() &&
         (commit == id || std::find(rewritten.begin(), rewritten.end(), id) != rewritten.end());
}

const TaskRecord& Ledger::task(std::string_view name) const {
  static const TaskRecord kUntouched;
  const auto found = tasks.find(name);
  return found == tasks.end() ? kUntouched : found->second;
}

const Wave* Ledger::wave(int number) const {
  const auto found = std::find_if(waves.rbegin(), waves.rend(),
                                  [&](const Wave& wave) { return wave.number == number; });
  return found == waves.rend() ? nullptr : &*found;
}

const Wave* Ledger::wave(std::string_view run, int number) const {
  const auto found = std::find_if(waves.rbegin(), waves.rend(), [&](const Wave& wave) {
    return wave.number == number && wave.run == run;
  });
  return found == waves.rend() ? nullptr : &*found;
}

bool Ledger::left_unlanded() const {
  const Run* last = run();
  return last != nullptr && last->land_choice == "leave" && last->outcome != "completed";
}

const Run* Ledger::run() const {
  const auto own = [this](const Run& run) { return self.empty() || run.actor == self; };
  const auto found = std::find_if(runs.rbegin(), runs.rend(), own);
  return found == runs.rend() ? nullptr : &*found;
}

const Run* Ledger::run(std::string_view id) const {
  const auto found =
      std::find_if(runs.rbegin(), runs.rend(), [&](const Run& run) { return run.id == id; });
  return found == runs.rend() ? nullptr : &*found;
}

bool Ledger::elsewhere(const TaskRecord& task) const {
  if (self.empty() || task.last() == nullptr || task.last()->actor == self) return false;
  return task.status == TaskStatus::kRunning || task.status == TaskStatus::kQueued ||
         task.status == TaskStatus::kFinished;
}

const Wave* Ledger::held_wave() const {
  const auto found = std::find_if(waves.rbegin(), waves.rend(), [this](const Wave& wave) {
    return wave.held() && (self.empty() || wave.actor == self);
  });
  return found == waves.rend() ? nullptr : &*found;
}

const Wave* Ledger::newest_result() const {
  const auto found = std::find_if(waves.rbegin(), waves.rend(), [this](const Wave& wave) {
    return wave.phase == WavePhase::kCompleted && !wave.commit.empty() &&
           (self.empty() || wave.actor == self);
  });
  return found == waves.rend() ? nullptr : &*found;
}

bool Ledger::started_in(std::string_view id) const {
  const Run* asked = run(id);
  const auto of_run = [id](const auto& one) { return one.run == id; };
  const auto half_made = [asked](const Wave& wave) {
    return wave.held() && (asked == nullptr || wave.actor == asked->actor);
  };
  return std::any_of(waves.begin(), waves.end(), half_made) ||
         std::any_of(waves.begin(), waves.end(), of_run) ||
         std::any_of(tasks.begin(), tasks.end(), [&](const auto& task) {
           const auto& attempts = task.second.attempts;
           return std::any_of(attempts.begin(), attempts.end(), of_run);
         });
}

const Decision* Ledger::decision(std::string_view id) const {
  const auto found = std::find_if(decisions.rbegin(), decisions.rend(),
                                  [&](const Decision& each) { return each.asked.decision == id; });
  return found == decisions.rend() ? nullptr : &*found;
}

double Ledger::spent(std::string_view name) const {
  double sum = 0;
  for (const Attempt& attempt : task(name).attempts) sum += attempt.cost_usd;
  return sum;
}

double Ledger::spent() const {
  double sum = 0;
  for (const auto& [name, record] : tasks)
    for (const Attempt& attempt : record.attempts) sum += attempt.cost_usd;
  return sum;
}

bool Ledger::has_open_decision(std::string_view task) const {
  return std::any_of(decisions.begin(), decisions.end(), [&](const Decision& decision) {
    return decision.open() && decision.asked.task == task;
  });
}

}  // namespace gitplan
