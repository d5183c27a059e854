// The engine's answers to the world: one function for each kind of input. What to do next is in
// poll.cc.
#include "core/engine/engine.h"

#include <algorithm>

#include "core/base/sha256.h"
#include "core/engine/backoff.h"
#include "core/engine/questions.h"

namespace gitplan {
namespace {

bool transient(std::string_view failure) {
  return failure == "rate_limit" || failure == "quota" || failure == "overload" ||
         failure == "network";
}

}  // namespace

Engine::Engine(EngineOptions options, Plan plan, Ledger ledger, InBase in_base)
    : options_(std::move(options)),
      plan_(std::move(plan)),
      graph_(plan_.tasks()),
      ledger_(std::move(ledger)),
      in_base_(std::move(in_base)) {
  index_plan();
}

void Engine::set_plan(Plan plan) {
  plan_ = std::move(plan);
  graph_ = TaskGraph(plan_.tasks());
  index_plan();
}

void Engine::index_plan() {
  records_ = task_records(plan_, ledger_);
  classes_old_ = true;
  selected_.assign(plan_.tasks().size(), true);
  const Run* run = ledger_.run();
  if (run == nullptr) return;
  if (!run->tasks.empty()) {
    selected_.assign(plan_.tasks().size(), false);
    for (const auto& name : run->tasks)
      if (const int task = graph_.index_of(name); task >= 0) selected_[task] = true;
  }
  base_ = run->base;
  for (const auto& wave : ledger_.waves)
    if (own(wave.actor) && wave.phase == WavePhase::kCompleted && !wave.commit.empty() &&
        wave.base == base_)
      base_ = wave.commit;
}

void Engine::apply(const Event& event) {
  gitplan::apply(ledger_, event);
  classes_old_ = true;
  if (std::holds_alternative<RunStarted>(event.body)) index_plan();
  if (const auto* taken = std::get_if<BaseTaken>(&event.body)) base_ = taken->base;
  if (const auto* wave = std::get_if<WaveCompleted>(&event.body); wave && !wave->commit.empty()) {
    const Wave* done = ledger_.wave(wave->run, wave->wave);
    if (done != nullptr && own(done->actor) && done->base == base_) base_ = wave->commit;
  }
}

void Engine::set_ledger(Ledger ledger) {
  ledger_ = std::move(ledger);
  index_plan();
}

bool Engine::own(std::string_view actor) const {
  return ledger_.self.empty() || actor == ledger_.self;
}

bool Engine::between_batches() const {
  return live_.empty() && flying_.empty() && ledger_.held_wave() == nullptr;
}

bool Engine::fly(const std::string& effect) { return flying_.insert(effect).second; }

Step Engine::react(const Input& input) {
  random_ = input.random;
  return std::visit([&](const auto& body) { return on(body, input.now); }, input.body);
}

// Transient: the task starts again by itself, by the same agent after a while, or by another one.
std::optional<TaskQueued> Engine::queue_again(const Collected& failed, Millis now) const {
  const AttemptEnded& ended = failed.ended;
  const int task = graph_.index_of(ended.task);
  if (ended.outcome != "failed" || !transient(ended.failure) || stopping() || task < 0)
    return std::nullopt;
  TaskQueued queued{options_.run, ended.task, ended.attempt, ended.failure, ended.error};
  if (failed.until > now) queued.agent_until = failed.until;
  const std::string& agent = records_[task]->last()->agent;
  const int left = tries_left(task, agent) - (queued.agent_until > 0 ? 0 : 1);
  bool another = false, somebody = left > 0;
  for (const std::string& other : agents_of(plan_.tasks()[task])) {
    if (other == agent || tries_left(task, other) <= 0) continue;
    somebody = true;
    another = another || !limited(other, now);
  }
  if (!somebody) return std::nullopt;
  const bool changes = another && (left <= 0 || queued.agent_until > 0);
  const Retry& retry = plan_.orchestration->retry;
  const int failures = std::max(1, retry.max_attempts - left);
  queued.until =
      changes ? now
              : std::max(queued.agent_until,
                         now + backoff_delay(retry.backoff, options_.backoff, failures, random_));
  return queued;
}

// ---- attempts ----

Step Engine::on(const ForkReady& input, Millis) {
  const auto found = live_.find(input.task);
  if (found == live_.end() || found->second.attempt != input.attempt) return {};
  Live& live = found->second;
  live.phase = Live::Phase::kRunning;
  Step step;
  if (!input.base.empty() && ledger_.task(input.task).last()->base != input.base)
    step.events.push_back(BaseTaken{options_.run, input.task, input.attempt, input.base});
  if (stopping()) {
    live.stop_sent = true;
    step.effects.push_back(Stop{input.task, input.attempt, ledger_.run()->control});
  } else {
    step.effects.push_back(
        Start{input.task, input.attempt, ledger_.task(input.task).last()->minutes});
  }
  return step;
}

Step Engine::on(const ForkFailed& input, Millis) {
  live_.erase(input.task);
  Step step;
  AttemptEnded ended;
  ended.run = options_.run;
  ended.task = input.task;
  ended.attempt = input.attempt;
  ended.outcome = stopping() ? "cancelled" : "failed";
  ended.failure = input.failure;
  ended.error = input.error;
  step.events.push_back(std::move(ended));
  return step;
}

Step Engine::on(const SlotRefused& input, Millis now) {
  if (const auto found = live_.find(input.task); found != live_.end()) {
    found->second.phase = Live::Phase::kNoSlot;
    slot_retry_[input.task] = now + options_.slot_poll;
  }
  return {};
}

Step Engine::on(const ProcessEnded& input, Millis) {
  const auto found = live_.find(input.task);
  if (found == live_.end() || found->second.attempt != input.attempt) return {};
  Live& live = found->second;
  if (live.phase != Live::Phase::kRunning) return {};  // Start and Stop may both say it
  live.phase = Live::Phase::kCollecting;
  live.exit_code = input.exit_code;
  live.stopped_by = input.stopped_by;
  Step step;
  step.effects.push_back(Collect{input.task, input.attempt, input.exit_code, input.stopped_by});
  return step;
}

Step Engine::on(const Collected& input, Millis now) {
  const auto found = live_.find(input.ended.task);
  if (found == live_.end() || found->second.attempt != input.ended.attempt) return {};
  const std::string stopped_by = found->second.stopped_by;
  live_.erase(found);
  if (stopped_by == "lease") return lease_over(input, now);

  AttemptEnded ended = input.ended;
  ended.run = options_.run;
  if (stopped_by == "cancel" || stopped_by == "abort") {
    ended.outcome = "cancelled";
  } else if (stopped_by == "wall" || stopped_by == "idle") {
    ended.outcome = "timed_out";
    ended.failure = stopped_by == "idle" ? "idle" : "";
  }
  const bool finished = ended.outcome == "finished";
  Step step;
  if (auto queued = queue_again({ended, input.until}, now))
    step.events.push_back(*std::move(queued));
  else
    step.events.push_back(std::move(ended));
  if (finished && !input.mixed.empty()) {
    step.events.push_back(mixed_question(input));
    step.effects.push_back(Flush{});
  }
  return step;
}

// Whoever worked on it may have been heard of meanwhile: then the lease counts, or the end.
Step Engine::lease_over(const Collected& input, Millis now) {
  const Attempt* claimed = ledger_.task(input.ended.task).claimed();
  if (claimed == nullptr || claimed->id != input.ended.attempt || claimed->lease > now) return {};
  if (input.ended.outcome.empty()) {
    lease_retry_[input.ended.task] = now + options_.slot_poll;
    return {};
  }
  AttemptEnded ended = input.ended;
  ended.run = claimed->run;
  ended.error = "its lease ended" + (ended.outcome == "failed" ? ", and " + ended.error : "");
  ended.outcome = "lost";
  ended.failure.clear();
  Step step;
  step.events.push_back(std::move(ended));
  return step;
}

// ---- waves ----

Step Engine::on(const Merged& input, Millis) {
  landed("integrate");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  Step step;
  if (!input.error.empty()) {
    fatal_ = "wave " + std::to_string(input.wave) + " could not be integrated: " + input.error;
    step.events.push_back(WaveAbandoned{wave->run, wave->number, input.error});
    return step;
  }
  WaveMerged merged;
  merged.run = wave->run;
  merged.wave = wave->number;
  merged.tree = input.tree;
  merged.tasks = input.tasks;
  merged.auto_merged = input.auto_merged;
  for (const auto& overlap : input.overlaps) {
    merged.dropped.push_back(overlap.task);
    std::vector<std::string> blocked;
    if (const int task = graph_.index_of(overlap.task); task >= 0)
      for (int waiting : graph_.downstream(task)) blocked.push_back(plan_.tasks()[waiting].name);
    // A party that dropped out as well is not completed by this wave and can still be done again.
    std::vector<std::string> rerunnable;
    for (const auto& other : input.overlaps)
      if (other.task != overlap.task) rerunnable.push_back(other.task);
    DecisionAsked asked = ask_about_overlap(overlap, rerunnable, blocked);
    asked.decision = decision_id(asked.kind, overlap.task + "/" + std::to_string(input.wave));
    asked.run = wave->run;
    step.events.push_back(std::move(asked));
  }
  step.events.insert(step.events.begin(), std::move(merged));
  return step;
}

Step Engine::on(const Committed& input, Millis) {
  landed("commit");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  Step step;
  step.events.push_back(WaveCommitted{wave->run, wave->number, input.commit});
  return step;
}

Step Engine::on(const CommitRefused& input, Millis) {
  landed("commit");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  Step step;
  DecisionAsked asked = ask_about_commit(*wave, input);
  asked.decision = decision_id(asked.kind, std::to_string(input.wave));
  asked.run = wave->run;
  step.events.push_back(std::move(asked));
  return step;
}

Step Engine::on(const Verified& input, Millis) {
  landed("verify");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  if (input.stopped) return {};
  Step step;
  step.events.push_back(WaveVerified{wave->run, wave->number, input.passed, false, input.command});
  if (!input.passed) {
    std::vector<std::vector<std::string>> blocked;
    for (const auto& task : wave->tasks) blocked.push_back(blocked_by(graph_.index_of(task)));
    DecisionAsked asked = ask_about_verify(*wave, input, blocked);
    asked.decision = decision_id(asked.kind, std::to_string(input.wave));
    asked.run = wave->run;
    step.events.push_back(std::move(asked));
  }
  return step;
}

Step Engine::on(const Advanced& input, Millis) {
  landed("advance");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  Step step;
  step.events.push_back(
      WaveCompleted{wave->run, wave->number, wave->commit, wave->tasks, "clean", ""});
  for (const auto& task : wave->tasks) release(step, task);
  step.effects.push_back(Flush{});
  return step;
}

Step Engine::on(const AdvanceRefused& input, Millis) {
  landed("advance");
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || wave->number != input.wave) return {};
  Step step;
  DecisionAsked asked = ask_about_integration_branch(ledger_.plan, *wave, input);
  asked.decision = decision_id(asked.kind, std::to_string(input.wave));
  asked.run = wave->run;
  step.events.push_back(std::move(asked));
  return step;
}

// ---- landing ----

Step Engine::on(const LandDone& input, Millis) {
  landed("land");
  Step step;
  step.events.push_back(Landed{options_.run, input.branch, input.commit});
  step.effects.push_back(Flush{});
  return step;
}

Step Engine::on(const LandWaits&, Millis now) {
  landed("land");
  land_retry_ = now + options_.land_poll;
  return {};
}

Step Engine::on(const LandConflict& input, Millis now) {
  landed("land");
  // Edits may go away; commits that clash stay, and are asked about again.
  if (ledger_.run()->land_choice == "wait" && input.dirty) {
    land_retry_ = now + options_.land_poll;
    return {};
  }
  Step step;
  DecisionAsked asked = ask_about_landing(input);
  asked.decision = decision_id(asked.kind, input.branch);
  asked.run = options_.run;
  step.events.push_back(std::move(asked));
  return step;
}

Step Engine::on(const LandRefused& input, Millis) {
  landed("land");
  Step step;
  DecisionAsked asked =
      input.by.empty() ? ask_about_branch(input) : ask_about_landing_commit(input);
  asked.decision = decision_id(asked.kind, input.branch);
  asked.run = options_.run;
  step.events.push_back(std::move(asked));
  return step;
}

// ---- the rest of the world ----

Step Engine::on(const AskDone& input, Millis) {
  landed("ask " + input.decision);
  return {};
}

Step Engine::on(const JournalChanged&, Millis) { return {}; }

Step Engine::on(const JournalFailed& input, Millis) {
  fatal_ = input.error;
  journal_dead_ = true;
  return {};
}

Step Engine::on(const TimerFired&, Millis) {
  timer_ = 0;
  return {};
}

Step Engine::on(const InterruptPressed& input, Millis) {
  Step step;
  const Run* run = ledger_.run();
  if (run != nullptr && run->outcome.empty())
    step.events.push_back(ControlRequested{run->id, input.times > 1 ? "abort" : "cancel"});
  return step;
}

// Short enough to type, and never one that the plan has seen.
std::string Engine::decision_id(std::string_view kind, std::string_view about) {
  const std::string seed = options_.actor + "/" + options_.run + "/" + std::string(kind) + "/" +
                           std::string(about) + "/" + std::to_string(ledger_.decisions.size());
  for (int salt = 0;; ++salt) {
    std::string id = "d" + sha256_hex(seed + "/" + std::to_string(salt)).substr(0, 5);
    if (ledger_.decision(id) == nullptr && issued_.insert(id).second) return id;
  }
}

}  // namespace gitplan
