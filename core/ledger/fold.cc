#include "core/ledger/fold.h"

#include <algorithm>
#include <utility>

#include "core/journal/event_codec.h"
#include "core/ledger/apart.h"
#include "core/ledger/resolution.h"
#include "core/ledger/task_over.h"

namespace gitplan {
namespace {

constexpr std::size_t kRewritten = 32;  // of a commit's later ids, the newest

// The event fits: every lookup below finds what it needs.
struct Apply {
  Ledger& ledger;
  const Event& event;

  void operator()(const PlanCreated& e) {
    ledger.plan = e.plan;
    ledger.title = e.title;
    ledger.from = e.from;
    ledger.created = event.time;
    if (e.definition.empty()) return;  // all that a purge leaves
    ledger.heads = {e.definition};
    ledger.definition_history = {e.definition};
    ledger.lineage = {{e.definition, {}}};
  }
  void operator()(const DefinitionChanged& e) {
    auto& heads = ledger.heads;
    heads.erase(std::remove_if(heads.begin(), heads.end(),
                               [&](const std::string& head) {
                                 return std::find(e.replaces.begin(), e.replaces.end(), head) !=
                                        e.replaces.end();
                               }),
                heads.end());
    if (std::find(heads.begin(), heads.end(), e.definition) == heads.end())
      heads.push_back(e.definition);
    if (!e.title.empty()) ledger.title = e.title;
    ledger.lineage.push_back({e.definition, e.replaces});
    if (ledger.lineage.size() > kLineage) ledger.lineage.erase(ledger.lineage.begin());
    ledger.last_definition_event = event.id;
    auto& history = ledger.definition_history;
    if (e.reason == "undo") {
      if (history.size() > 1) history.pop_back();
    } else {
      history.push_back(e.definition);
      // Undo goes back a bounded way; the chain of commits keeps the rest.
      if (history.size() > kUndoDepth) history.erase(history.begin());
    }
    // New work may have come: a finished plan is open again.
    if (ledger.state == PlanState::kCompleted) ledger.state = PlanState::kActive;
  }
  void operator()(const SnapshotTaken& e) {
    ledger.snapshot = e;
    ledger.stale_seen.clear();
  }
  // Back from the deletion, the plan is what it was before.
  void operator()(const PlanStateSet& e) {
    PlanState to = *plan_state(e.state);
    const bool back = ledger.state == PlanState::kDeleted && to == PlanState::kActive;
    if (back && ledger.before_deletion) to = *ledger.before_deletion;
    ledger.before_deletion.reset();
    if (to == PlanState::kDeleted) ledger.before_deletion = ledger.state;
    ledger.state = to;
  }
  void operator()(const PlanRenamed& e) {
    std::vector<std::string>& names = ledger.former_names;
    std::erase(names, e.plan);
    names.push_back(e.before.empty() ? ledger.plan : e.before);
    if (names.size() > kFormerNames) names.erase(names.begin());
    ledger.plan = e.plan;
  }

  void operator()(const RunStarted& e) {
    Run run;
    run.id = e.run;
    run.actor = event.actor;
    run.target = e.target;
    run.target_tip = e.target_tip;
    run.base = e.base;
    run.land = e.land;
    run.tasks = e.tasks;
    run.jobs = e.jobs;
    run.started = event.time;
    // Its own clone's: what another clone's run is about is for that one to say.
    const auto last = std::find_if(ledger.runs.rbegin(), ledger.runs.rend(),
                                   [this](const Run& one) { return one.actor == event.actor; });
    if (last != ledger.runs.rend()) {
      Run& before = *last;
      if (before.outcome.empty()) before.outcome = "lost";
      // An answer that was given after that run had stopped is for whoever lands its work.
      if (before.outcome != "completed") run.waits_not = before.waits_not;
      if (before.landed_commit.empty() && before.target == run.target) {
        run.land_choice = before.land_choice;
        run.land_answers = before.land_answers;
        run.land_no_hooks = before.land_no_hooks;
        run.land_unsigned = before.land_unsigned;
        run.land_message = before.land_message;
      }
    }
    ledger.runs.push_back(std::move(run));
    ledger.state = PlanState::kRunning;
  }
  void operator()(const RunResumed&) { ledger.state = PlanState::kRunning; }
  void operator()(const RunWaits& e) {
    find_run(e.run).waits = e.reason;
    ledger.state = e.reason.empty() ? PlanState::kRunning : PlanState::kQueued;
  }
  void operator()(const BaseTaken& e) {
    Run& run = find_run(e.run);
    run.base = e.base;
    if (e.task.empty()) return;
    if (!run.landed_tip.empty()) run.landed_tip = e.base;  // the branch stands there
    find_attempt(ledger.tasks[e.task], e.attempt).base = e.base;
  }
  void operator()(const RunEnded& e) {
    Run& run = find_run(e.run);
    run.waits.clear();
    run.outcome = e.outcome;
    run.reason = e.reason;
    run.ended = event.time;
    if (e.outcome == "completed") {
      ledger.state = PlanState::kCompleted;
      ledger.overlaps_seen.clear();
      ledger.queued_after.clear();
    }
    if (e.outcome == "partial") ledger.state = PlanState::kActive;
    if (e.outcome == "paused") ledger.state = PlanState::kPaused;
    if (e.outcome == "failed") ledger.state = PlanState::kFailed;
    if (e.outcome == "aborted") ledger.state = PlanState::kAborted;
    const bool goes_on_elsewhere = std::any_of(
        ledger.runs.begin(), ledger.runs.end(),
        [this](const Run& one) { return one.outcome.empty() && one.actor != event.actor; });
    if (goes_on_elsewhere && e.outcome != "completed") ledger.state = PlanState::kRunning;
  }
  void operator()(const ControlRequested& e) {
    if (e.run.empty()) {
      ledger.state = PlanState::kAborted;
      return;
    }
    static constexpr std::string_view kStrength[] = {"", "pause", "cancel", "abort"};
    const auto strength = [](std::string_view what) {
      return std::find(std::begin(kStrength), std::end(kStrength), what);
    };
    std::string& control = find_run(e.run).control;
    if (strength(e.what) > strength(control)) control = e.what;
  }

  void operator()(const AttemptStarted& e) {
    Attempt attempt;
    attempt.id = e.attempt;
    attempt.run = e.run;
    attempt.agent = e.agent;
    attempt.role = e.role;
    attempt.mode = e.mode;
    attempt.base = e.base;
    attempt.branch = e.branch;
    attempt.text_hash = e.text_hash;
    attempt.minutes = e.minutes;
    attempt.lease = e.lease;
    attempt.started = event.time;
    attempt.actor = event.actor;
    TaskRecord& task = ledger.tasks[e.task];
    task.attempts.push_back(std::move(attempt));
    if (is_over(task.status)) return;  // by another clone: kept, and what it comes to is seen then
    task.status = TaskStatus::kRunning;
    task.queued_until = 0;
    task.reason.clear();
  }
  void operator()(const AttemptRenewed& e) {
    find_attempt(ledger.tasks[e.task], e.attempt).lease = e.lease;
  }
  void operator()(const AttemptEnded& e) {
    TaskRecord& task = ledger.tasks[e.task];
    Attempt& attempt = find_attempt(task, e.attempt);
    attempt.outcome = e.outcome;
    attempt.failure = e.failure;
    attempt.error = e.error;
    attempt.exit_code = e.exit_code;
    attempt.commit = e.commit;
    attempt.paths = e.paths;
    attempt.remarks = e.remarks;
    attempt.output = e.output;
    attempt.findings = e.findings;
    attempt.tokens = e.tokens;
    attempt.cost_usd = e.cost_usd;
    attempt.ended = event.time;
    // An older attempt that ends late says nothing about the task any more.
    if (task.status != TaskStatus::kRunning || &attempt != &task.attempts.back()) return;
    if (e.outcome == "finished") task.status = TaskStatus::kFinished;
    if (e.outcome == "failed") task.status = TaskStatus::kFailed;
    if (e.outcome == "timed_out") task.status = TaskStatus::kTimedOut;
    if (e.outcome == "cancelled") task.status = TaskStatus::kCancelled;
    if (e.outcome == "lost") task.status = TaskStatus::kPending;
    if (e.outcome != "finished") return;
    task.merge.reset();
    task.feedback.clear();
  }
  void operator()(const TaskQueued& e) {
    TaskRecord& task = ledger.tasks[e.task];
    Attempt& attempt = find_attempt(task, e.attempt);
    attempt.outcome = "queued";
    attempt.failure = e.failure;
    attempt.error = e.error;
    attempt.ended = event.time;
    attempt.limited = e.agent_until > 0;
    if (attempt.limited) {
      Millis& limit = ledger.agent_limits[attempt.agent];
      limit = std::max(limit, e.agent_until);
    }
    if (task.status != TaskStatus::kRunning) return;
    task.status = TaskStatus::kQueued;
    task.queued_until = e.until;
    ++task.transient_failures;
  }
  void operator()(const TaskSet& e) {
    TaskRecord& task = ledger.tasks[e.task];
    task.status = e.status == "skipped" ? TaskStatus::kSkipped : TaskStatus::kPending;
    task.reason = e.reason;
    task.transient_failures = 0;
    task.queued_until = 0;
    task.merge.reset();
  }

  void operator()(const TaskApproved& e) { ledger.tasks[e.task].approved = e.text_hash; }

  void operator()(const WaveStarted& e) {
    Wave wave;
    wave.number = e.wave;
    wave.run = e.run;
    wave.base = e.base;
    wave.actor = event.actor;
    wave.tasks = e.tasks;
    ledger.waves.push_back(std::move(wave));
  }
  void operator()(const WaveMerged& e) {
    Wave& wave = find_wave(e.run, e.wave);
    wave.phase = WavePhase::kMerged;
    wave.tree = e.tree;
    wave.tasks = e.tasks;
    wave.dropped = e.dropped;
    wave.auto_merged = e.auto_merged;
  }
  void operator()(const WaveCommitted& e) {
    Wave& wave = find_wave(e.run, e.wave);
    wave.phase = WavePhase::kCommitted;
    wave.commit = e.commit;
  }
  void operator()(const WaveVerified& e) {
    Wave& wave = find_wave(e.run, e.wave);
    wave.verified = e.passed;
    wave.accepted = e.accepted;
    wave.failed_command = e.command;
    if (e.passed || e.accepted) wave.phase = WavePhase::kVerified;
  }
  void operator()(const WaveCompleted& e) {
    Wave& wave = find_wave(e.run, e.wave);
    wave.phase = WavePhase::kCompleted;
    wave.commit = e.commit;
    wave.transition = e.transition;
    wave.reason = e.reason;
    for (const auto& name : e.tasks) {
      TaskRecord& task = ledger.tasks[name];
      if (task.status == TaskStatus::kCompleted) {
        if (e.commit.empty() || task.stands_in(e.commit)) continue;
        if (!task.commit.empty()) {
          (*this)(ask_which_counts(ledger, event, name));
          continue;
        }
      }
      task.status = TaskStatus::kCompleted;
      task.wave = e.wave;
      task.commit = e.commit;
      task.merge.reset();
    }
  }
  void operator()(const WaveAbandoned& e) {
    Wave& wave = find_wave(e.run, e.wave);
    wave.phase = WavePhase::kAbandoned;
    wave.reason = e.reason;
  }
  void operator()(const WaveRewritten& e) {
    for (auto& [name, task] : ledger.tasks) {
      if (!task.stands_in(e.from) || task.stands_in(e.to)) continue;
      task.rewritten.push_back(e.to);
      if (task.rewritten.size() > kRewritten) task.rewritten.erase(task.rewritten.begin());
    }
  }

  void operator()(const LandingStarted& e) {
    Run& run = find_run(e.run);
    run.landing_branch = e.branch;
    run.landing_commit = e.commit;
  }
  void operator()(const Landed& e) {
    Run& run = find_run(e.run);
    run.landed_branch = e.branch;
    run.landed_commit = e.commit;
    run.landed_tip = run.landing_commit;
    run.landing_branch.clear();
    run.landing_commit.clear();
    run.land_choice.clear();
    run.land_answers = {};
    run.land_no_hooks = run.land_unsigned = false;
    run.land_message.clear();
  }

  void operator()(const DecisionAsked& e) {
    Decision decision;
    decision.asked = e;
    decision.asked_at = event.time;
    ledger.decisions.push_back(std::move(decision));
  }
  void operator()(const DecisionResolved& e) {
    Decision& decision = find_decision(e.decision);
    decision.option = e.option;
    decision.text = e.text;
    decision.minutes = e.minutes;
    decision.resolved_at = event.time;
    decision.resolved_by = event.actor;
    apply_resolution(ledger, Decision(decision));
  }
  void operator()(const DecisionWithdrawn& e) {
    Decision& decision = find_decision(e.decision);
    decision.option = "withdrawn";
    decision.text = e.reason;
    decision.resolved_at = event.time;
    decision.resolved_by = event.actor;
  }
  void operator()(const Remark& e) {
    ledger.remarks.push_back(e.task.empty() ? e.text : "'" + e.task + "': " + e.text);
    if (ledger.remarks.size() > kKeptRemarks) ledger.remarks.erase(ledger.remarks.begin());
  }
  void operator()(const UnknownEvent&) {}

 private:
  static constexpr std::size_t kUndoDepth = 50;
  static constexpr std::size_t kLineage = 256;
  static constexpr std::size_t kFormerNames = 20;
  static constexpr std::size_t kKeptRemarks = 200;

  Run& find_run(std::string_view id) {
    return *std::find_if(ledger.runs.begin(), ledger.runs.end(),
                         [&](const Run& run) { return run.id == id; });
  }
  Wave& find_wave(std::string_view run, int number) {
    return *std::find_if(ledger.waves.rbegin(), ledger.waves.rend(), [&](const Wave& wave) {
      return wave.number == number && wave.run == run;
    });
  }
  static Attempt& find_attempt(TaskRecord& task, std::string_view id) {
    return *std::find_if(task.attempts.begin(), task.attempts.end(),
                         [&](const Attempt& attempt) { return attempt.id == id; });
  }
  Decision& find_decision(std::string_view id) {
    return *std::find_if(ledger.decisions.begin(), ledger.decisions.end(),
                         [&](const Decision& decision) { return decision.asked.decision == id; });
  }
};

}  // namespace

void apply(Ledger& ledger, const Event& event) {
  ActorRecord& actor = ledger.actors[event.actor];
  actor.last_id = event.id;
  actor.clock = event.clock;
  ++actor.events;
  ++ledger.events;
  ledger.clock = std::max(ledger.clock, event.clock);
  // What an event does is the same whoever looks.
  const std::string self = std::exchange(ledger.self, {});
  bring_back(ledger, event);
  if (is_work(event.body)) actor.worked = event.clock;
  const PlanState before = ledger.state;
  if (std::string why = misfit(ledger, event.body); !why.empty() && !worked_apart(ledger, event)) {
    ledger.misfits.push_back({event.id, std::string(type_of(event.body)), std::move(why)});
    ledger.self = self;
    return;
  }
  std::visit(Apply{ledger, event}, event.body);
  if (ledger.state != before || ledger.state_by.empty()) ledger.state_by = event.actor;
  ledger.self = self;
  ledger.last_activity = std::max(ledger.last_activity, event.time);
}

Ledger fold(std::vector<Event> events) {
  std::stable_sort(events.begin(), events.end(), before);
  Ledger ledger;
  for (const Event& event : events) apply(ledger, event);
  return ledger;
}

}  // namespace gitplan
