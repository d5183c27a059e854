// What the engine wants next, derived from the ledger: the order of the functions in poll() is the
// order of concern.
#include <algorithm>

#include "core/engine/engine.h"
#include "core/engine/questions.h"
#include "core/engine/wave_subject.h"
#include "core/ledger/apart.h"
#include "core/ledger/task_over.h"

namespace gitplan {
Step Engine::poll(Millis now, std::uint64_t) {
  Step step;
  const Run* run = ledger_.run();
  if (run == nullptr) return step;
  if (!run->outcome.empty()) {
    step.ended = run->outcome;
    return step;
  }
  if (journal_dead_) {
    step.ended = "failed";
    return step;
  }
  if (classes_old_) {
    classes_ = classify(plan_, graph_, ledger_, records_, in_base_);
    classes_old_ = false;
  }
  release_leftovers(step);
  if (!step.empty()) return step;
  look_after_attempts(step, now);
  ask_before_start(step, now);
  start_tasks(step, now);
  cut_batch(step);
  drive_wave(step);
  ask(step);
  land(step, now);
  if (step.empty()) end(step, now);
  if (step.events.empty() && step.ended.empty()) wait(step, now);
  return step;
}

bool Engine::controlled() const { return !ledger_.run()->control.empty() || !fatal_.empty(); }

bool Engine::stopping() const {
  const std::string& control = ledger_.run()->control;
  return control == "cancel" || control == "abort" || !fatal_.empty();
}

bool Engine::startable(int task, Millis now) const {
  if (!selected_[task] || (in_place(task) && !tree_can_be_had())) return false;
  if (classes_[task] == Readiness::kReady || free_again(task, now)) return true;
  return classes_[task] == Readiness::kQueued && records_[task]->queued_until <= now;
}

// Whoever has it may still bring it to an end; then both are there, and a person chooses.
bool Engine::free_again(int task, Millis now) const {
  if (!ledger_.elsewhere(*records_[task]) || held_until(*records_[task]) > now) return false;
  const auto& needs = graph_.dependencies(task);
  return std::all_of(needs.begin(), needs.end(),
                     [this](int before) { return classes_[before] == Readiness::kDone; });
}

bool Engine::any_startable(Millis now) const {
  for (int task = 0; task < graph_.size(); ++task)
    if (startable(task, now) && !held_by_question(task)) return true;
  return false;
}

bool Engine::wave_blocked(const Wave& wave) const {
  return std::any_of(ledger_.decisions.rbegin(), ledger_.decisions.rend(), [&](const Decision& d) {
    return d.open() && d.asked.wave == wave.number && d.asked.run == wave.run;
  });
}

bool Engine::landing_decision_open() const {
  return std::any_of(ledger_.decisions.rbegin(), ledger_.decisions.rend(),
                     [](const Decision& d) { return d.open() && !d.asked.branch.empty(); });
}

void Engine::release(Step& step, const std::string& task) const {
  for (const auto& attempt : ledger_.task(task).attempts)
    if (own(attempt.actor)) step.effects.push_back(Release{task, attempt.id});
}

// An executor that was killed after a wave was completed had no time to clean up behind it.
void Engine::release_leftovers(Step& step) {
  if (!first_poll_) return;
  first_poll_ = false;
  for (int task = 0; task < graph_.size(); ++task)
    if (is_over(records_[task]->status)) release(step, plan_.tasks()[task].name);
}

// Every attempt that the ledger calls running has somebody at it: here, or found again after a
// crash.
void Engine::look_after_attempts(Step& step, Millis now) {
  for (int task = 0; task < graph_.size(); ++task) {
    if (records_[task]->status != TaskStatus::kRunning || ledger_.elsewhere(*records_[task]))
      continue;
    if (records_[task]->claimed() != nullptr) {
      look_after_lease(step, task, now);
      continue;
    }
    const std::string& name = plan_.tasks()[task].name;
    const Attempt& attempt = *records_[task]->last();
    const auto found = live_.find(name);
    const bool retry_slot = found != live_.end() && found->second.phase == Live::Phase::kNoSlot &&
                            (slot_retry_[name] <= now || stopping());
    const bool in_place = attempt.in_place();
    if (found == live_.end() || retry_slot) {
      const bool in_vain = in_place && !tree_can_be_had();
      if (retry_slot && (stopping() || in_vain)) {  // nothing of it exists yet
        live_.erase(found);
        AttemptEnded ended;
        ended.run = attempt.run;
        ended.task = name;
        ended.attempt = attempt.id;
        ended.outcome = stopping() ? "cancelled" : "lost";
        step.events.push_back(std::move(ended));
        continue;
      }
      Live& live = live_[name];
      live.attempt = attempt.id;
      live.phase = Live::Phase::kForking;
      step.effects.push_back(Fork{name, attempt.id, attempt.base, attempt.branch,
                                  in_place && (ledger_.held_wave() != nullptr || unlanded())});
    } else if (stopping() && found->second.phase == Live::Phase::kRunning &&
               (!found->second.stop_sent || found->second.stopped_by != ledger_.run()->control)) {
      // Sent once for cancel and once more, harder, for abort.
      found->second.stop_sent = true;
      found->second.stopped_by = ledger_.run()->control;
      step.effects.push_back(Stop{
          name, attempt.id, ledger_.run()->control.empty() ? "cancel" : ledger_.run()->control});
    }
  }
}

// Somebody works on it by hand, and nobody of the run: it is left alone until its lease is over.
void Engine::look_after_lease(Step& step, int task, Millis now) {
  const std::string& name = plan_.tasks()[task].name;
  const Attempt& attempt = *records_[task]->claimed();
  if (attempt.lease > now || lease_retry_[name] > now || stopping() || live_.contains(name)) return;
  Live& live = live_[name];
  live.attempt = attempt.id;
  live.phase = Live::Phase::kCollecting;
  live.stopped_by = "lease";
  step.effects.push_back(Collect{name, attempt.id, 0, live.stopped_by});
}

// A batch is cut when nothing in it runs or can start (next_batch()).
void Engine::cut_batch(Step& step) {
  if (!step.empty() || stopping() || ledger_.held_wave() != nullptr) return;
  WaveStarted wave;
  wave.run = options_.run;
  wave.base = base_;
  for (const int task : next_batch()) wave.tasks.push_back(plan_.tasks()[task].name);
  if (wave.tasks.empty()) return;
  for (const auto& earlier : ledger_.waves) wave.wave = std::max(wave.wave, earlier.number);
  ++wave.wave;
  step.events.push_back(std::move(wave));
}

WorkOfTasks Engine::work_of_completed() const {
  WorkOfTasks done;
  for (int task = 0; task < graph_.size(); ++task) {
    const Attempt* last = records_[task]->last();
    if (records_[task]->status == TaskStatus::kCompleted && last != nullptr && own(last->actor))
      done[plan_.tasks()[task].name] = {last->base, last->commit, last->paths, last->in_place()};
  }
  return done;
}

Commit Engine::commit_effect(const Wave& wave) const {
  Commit commit;
  commit.wave = wave.number;
  commit.base = wave.base;
  commit.tree = wave.tree;
  commit.run = wave.run;
  commit.tasks = wave.tasks;
  commit.message = wave.message;
  commit.no_hooks = wave.no_hooks;
  commit.unsigned_commit = wave.unsigned_commit;
  commit.subject =
      wave_subject(options_.subject, ledger_.plan, plan_, wave.number, wave.tasks.front());
  return commit;
}

// None of its tasks has anything to merge.
bool Engine::changes_nothing(const Wave& wave) const {
  return std::none_of(wave.tasks.begin(), wave.tasks.end(),
                      [this](const std::string& task) { return ledger_.task(task).has_work(); });
}

void Engine::drive_wave(Step& step) {
  const Wave* wave = ledger_.held_wave();
  if (wave == nullptr || stopping() || wave_blocked(*wave)) return;
  switch (wave->phase) {
    case WavePhase::kStarted: {
      if (changes_nothing(*wave)) {
        step.events.push_back(WaveMerged{wave->run, wave->number, "", wave->tasks, {}, {}});
        return;
      }
      if (!fly("integrate")) return;
      Integrate integrate{wave->number, wave->base, {}};
      for (const auto& task : wave->tasks) {
        const TaskRecord& record = ledger_.task(task);
        const Attempt* last = record.last();
        integrate.parts.push_back(
            {task, last->base, last->commit, record.merge.value_or(MergeChoice{})});
      }
      if (std::any_of(integrate.parts.begin(), integrate.parts.end(),
                      [&](const auto& part) { return part.base != wave->base; }))
        integrate.done = work_of_completed();
      step.effects.push_back(std::move(integrate));
      return;
    }
    case WavePhase::kMerged:
      if (wave->tasks.empty()) {
        step.events.push_back(WaveAbandoned{wave->run, wave->number, "everything in it overlaps"});
      } else if (wave->tree.empty()) {  // nothing changed: the wave is over by its event
        step.events.push_back(
            WaveCompleted{wave->run, wave->number, "", wave->tasks, "clean", "nothing changed"});
        for (const auto& task : wave->tasks) release(step, task);
        step.effects.push_back(Flush{});
      } else if (fly("commit")) {
        step.effects.push_back(commit_effect(*wave));
      }
      return;
    case WavePhase::kCommitted:
      if (plan_.orchestration && plan_.orchestration->verify.empty()) {
        step.events.push_back(WaveVerified{wave->run, wave->number, true, false, ""});
      } else if (fly("verify")) {
        step.effects.push_back(Verify{wave->number, wave->commit});
      }
      return;
    case WavePhase::kVerified:
      if (const Wave* before = ledger_.newest_result(); fly("advance"))
        step.effects.push_back(Advance{wave->number, wave->base, wave->commit,
                                       before == nullptr ? std::string() : before->commit});
      return;
    case WavePhase::kCompleted:
    case WavePhase::kAbandoned: return;
  }
}

void Engine::land(Step& step, Millis now) {
  if (!step.events.empty() || controlled() || ledger_.held_wave() != nullptr) return;
  if (landing_decision_open() || land_retry_ > now) return;
  if (!live_.empty() && !eager() && !only_in_place_live()) return;
  if (!landing_due(now)) return;
  const Run& run = *ledger_.run();
  if (run.landing_branch != run.target || run.landing_commit != base_) {
    step.events.push_back(LandingStarted{run.id, run.target, base_});
  } else if (fly("land")) {
    step.effects.push_back(Land{run.target, base_, run.land_answers, work_of_completed(),
                                run.land_message, run.land_no_hooks, run.land_unsigned});
  }
}

// What needs the task, directly or not, and is not over.
std::vector<std::string> Engine::blocked_by(int task) const {
  std::vector<std::string> blocked;
  if (task < 0) return blocked;
  for (int waiting : graph_.downstream(task))
    if (!is_over(records_[waiting]->status)) blocked.push_back(plan_.tasks()[waiting].name);
  return blocked;
}

DecisionAsked Engine::failure_question(int task) {
  const std::string& name = plan_.tasks()[task].name;
  DecisionAsked asked = ask_about_failure(name, *records_[task], blocked_by(task));
  asked.decision =
      decision_id(asked.kind, name + "/" + std::to_string(records_[task]->attempts.size()));
  asked.run = options_.run;
  return asked;
}

// Whatever stopped has a decision that says why; on a terminal it is asked at once.
void Engine::ask(Step& step) {
  if (!step.events.empty()) return;
  for (int task = 0; task < graph_.size(); ++task) {
    const TaskStatus status = records_[task]->status;
    if (!selected_[task]) continue;
    if (status != TaskStatus::kFailed && status != TaskStatus::kTimedOut) continue;
    const std::string& name = plan_.tasks()[task].name;
    if (ledger_.has_open_decision(name)) continue;
    // Dropped from a wave by an answer that said what becomes of it.
    const std::string& dropped = records_[task]->reason;
    if (!dropped.empty() && blocked_by(task).empty())
      step.events.push_back(TaskSet{name, "skipped", dropped});
    else
      step.events.push_back(failure_question(task));
  }
  for (int task = 0; task < graph_.size(); ++task) {
    if (!awaits_checkpoint(task) || ledger_.has_open_decision(plan_.tasks()[task].name)) continue;
    DecisionAsked asked =
        ask_about_checkpoint(plan_.tasks()[task], *records_[task], blocked_by(task));
    asked.decision = decision_id(asked.kind, asked.task + "/" + records_[task]->last()->id);
    asked.run = options_.run;
    step.events.push_back(std::move(asked));
  }
  if (!step.events.empty()) {
    step.effects.push_back(Flush{});
    return;
  }
  if (!options_.interactive || stopping()) return;
  for (const auto& decision : ledger_.decisions)
    if (decision.open() && asked_.insert(decision.asked.decision).second) {
      fly("ask " + decision.asked.decision);
      step.effects.push_back(Ask{decision.asked.decision});
    }
}

void Engine::wait(Step& step, Millis now) {
  Millis until = 0;
  const auto consider = [&](Millis time) {
    if (time > now && (until == 0 || time < until)) until = time;
  };
  if (!controlled())
    for (int task = 0; task < graph_.size(); ++task)
      if (classes_[task] == Readiness::kQueued && selected_[task])
        consider(records_[task]->queued_until);
  if (!controlled())
    for (const auto& [agent, limit] : ledger_.agent_limits) consider(limit);
  for (const auto& [task, live] : live_)
    if (live.phase == Live::Phase::kNoSlot) consider(slot_retry_[task]);
  if (!stopping())
    for (int task = 0; task < graph_.size(); ++task)
      if (const Attempt* claimed = records_[task]->claimed(); claimed && own(claimed->actor)) {
        consider(claimed->lease);
        consider(lease_retry_[plan_.tasks()[task].name]);
      }
  if (land_retry_ > now) consider(land_retry_);
  if (plan_retry_ > now) consider(plan_retry_);
  if (until == 0 || (timer_ != 0 && timer_ <= until)) return;
  timer_ = until;
  step.effects.push_back(Wait{until});
}

void Engine::end(Step& step, Millis now) {
  if (!live_.empty() || !flying_.empty()) return;
  const Run& run = *ledger_.run();
  const auto over_with = [&](std::string outcome, std::string reason) {
    step.events.push_back(RunEnded{run.id, std::move(outcome), std::move(reason)});
    step.effects.push_back(Flush{});
  };
  if (!fatal_.empty()) return over_with("failed", fatal_);
  if (stopping())
    return over_with(run.control == "abort" ? "aborted" : "paused", run.control + " was asked for");
  if (run.control == "pause") return over_with("paused", "pause was asked for");

  const bool queued = [&] {
    for (int task = 0; task < graph_.size(); ++task)
      if (selected_[task] && classes_[task] == Readiness::kQueued && !held_by_question(task) &&
          (!in_place(task) || tree_can_be_had()))
        return true;
    return false;
  }();
  if (queued || any_startable(now)) return;
  std::string by_hand;    // the first of the tasks asked for that somebody works on by hand
  std::string elsewhere;  // and that another clone has
  for (int task = 0; task < graph_.size(); ++task) {
    if (selected_[task] && ledger_.elsewhere(*records_[task])) {
      if (elsewhere.empty()) elsewhere = plan_.tasks()[task].name;
      continue;
    }
    const Attempt* claimed = selected_[task] ? records_[task]->claimed() : nullptr;
    if (claimed == nullptr) continue;
    if (claimed->lease <= now) return;  // it is being taken back
    if (by_hand.empty()) by_hand = plan_.tasks()[task].name;
  }
  const bool may_land = ledger_.held_wave() == nullptr && !landing_decision_open();
  if (may_land && landing_due(now)) return;  // it waits for its time to come

  const auto open = std::count_if(ledger_.decisions.begin(), ledger_.decisions.end(),
                                  [](const Decision& d) { return d.open(); });
  if (open > 0)
    return over_with(
        "paused", open == 1 ? "a decision is open" : std::to_string(open) + " decisions are open");

  bool all = true, wanted = true;
  std::string held_up;  // the first task that should be done and is not
  for (int task = 0; task < graph_.size(); ++task) {
    if (is_over(records_[task]->status) && classes_[task] != Readiness::kElsewhere) continue;
    all = false;
    if (!selected_[task]) continue;
    wanted = false;
    if (held_up.empty()) held_up = plan_.tasks()[task].name;
  }
  if (all) {
    // Nobody needs the trees of what was skipped any more.
    for (int task = 0; task < graph_.size(); ++task)
      if (records_[task]->status == TaskStatus::kSkipped) release(step, plan_.tasks()[task].name);
    return over_with("completed", "");
  }
  if (wanted) return over_with("partial", "");
  if (!by_hand.empty())
    return over_with("paused", "'" + by_hand + "' is worked on by hand until " +
                                   moment(ledger_.task(by_hand).claimed()->lease, now));
  if (!elsewhere.empty()) {
    const TaskRecord& record = ledger_.task(elsewhere);
    return over_with("paused", "'" + elsewhere + "' is worked on in another clone (" +
                                   record.last()->actor + ") and left alone until " +
                                   moment(held_until(record), now));
  }
  if (const TaskRecord& record = ledger_.task(held_up); record.status == TaskStatus::kCancelled)
    return over_with("paused",
                     "'" + held_up + "' was " +
                         (record.reason.starts_with("rejected") ? "rejected" : "cancelled") +
                         ": --resume starts it afresh");
  if (const int task = graph_.index_of(held_up);
      classes_[task] == Readiness::kReady && in_place(task))
    return over_with("paused", "'" + held_up +
                                   "' works in your working tree, and the plan's work is not in "
                                   "your branch: land it first");
  over_with("paused", "'" + held_up + "' cannot start: 'git plan why " + ledger_.plan + " " +
                          held_up + "' says why");
}

}  // namespace gitplan
