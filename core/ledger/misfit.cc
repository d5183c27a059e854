// The transition table: which event fits which ledger (fold.h).
#include <algorithm>
#include <array>

#include "core/ledger/apart.h"
#include "core/ledger/fold.h"
#include "core/ledger/resolution.h"

namespace gitplan {
namespace {

using S = PlanState;

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

const Attempt* find_attempt(const TaskRecord& task, std::string_view id) {
  for (const auto& attempt : task.attempts)
    if (attempt.id == id) return &attempt;
  return nullptr;
}

struct Check {
  const Ledger& ledger;

  std::string operator()(const PlanCreated&) const {
    return ledger.plan.empty() ? "" : "the plan was created before";
  }
  std::string operator()(const DefinitionChanged& e) const {
    if (e.definition.empty()) return "it names no definition";
    if (e.replaces.empty()) return "it replaces no definition";
    return "";
  }
  std::string operator()(const SnapshotTaken&) const { return ""; }
  std::string operator()(const PlanStateSet& e) const {
    const auto to = plan_state(e.state);
    static constexpr std::array kByPerson{S::kDraft,  S::kInReview, S::kPendingApproval,
                                          S::kActive, S::kArchived, S::kDeleted};
    if (!to || std::find(kByPerson.begin(), kByPerson.end(), *to) == kByPerson.end())
      return "no one can set the state " + quoted(e.state);
    if (*to == ledger.state) return "the plan is " + e.state + " already";
    if (ledger.state == S::kRunning || ledger.state == S::kQueued)
      return "the plan is " + std::string(name(ledger.state));
    if (*to == S::kDeleted && !e.seen.empty())
      for (const auto& [actor, record] : ledger.actors) {
        const auto seen = e.seen.find(actor);
        if (record.worked > (seen == e.seen.end() ? 0 : seen->second))
          return "another clone went on with the plan";
      }
    const bool put_away = ledger.state == S::kDeleted || ledger.state == S::kArchived;
    if (put_away && *to != S::kActive && *to != S::kDeleted)
      return "the plan is " + std::string(name(ledger.state));
    return "";
  }

  std::string operator()(const PlanRenamed& e) const {
    return e.plan.empty() || e.plan == ledger.plan ? "the plan is called that already" : "";
  }

  std::string operator()(const RunStarted& e) const {
    if (ledger.run(e.run) != nullptr) return "run " + e.run + " was started before";
    switch (ledger.state) {
      case S::kActive:
      case S::kPaused:
      case S::kFailed:
      case S::kAborted:
      case S::kRunning:  // its executor died: the caller holds the run's lock
      case S::kQueued: return "";
      default: return "the plan is " + std::string(name(ledger.state));
    }
  }
  std::string operator()(const RunResumed& e) const { return open_run(e.run); }
  std::string operator()(const RunWaits& e) const { return open_run(e.run); }
  std::string operator()(const BaseTaken& e) const {
    if (std::string why = open_run(e.run); !why.empty()) return why;
    if (!e.task.empty()) return running(e.task, e.attempt);
    return ledger.started_in(e.run) ? "run " + e.run + " has begun on another base" : "";
  }
  std::string operator()(const RunEnded& e) const { return open_run(e.run); }
  std::string operator()(const ControlRequested& e) const {
    if (e.what != "pause" && e.what != "cancel" && e.what != "abort")
      return "no control is called " + quoted(e.what);
    if (!e.run.empty()) return open_run(e.run);
    if (e.what != "abort") return "no run is at work";
    if (ledger.state == S::kPaused || ledger.state == S::kFailed) return "";
    return "the plan is " + std::string(name(ledger.state));
  }

  std::string operator()(const AttemptStarted& e) const {
    const TaskRecord& task = ledger.task(e.task);
    if (find_attempt(task, e.attempt) != nullptr)
      return "attempt " + e.attempt + " was started before";
    if (task.status == TaskStatus::kCompleted || task.status == TaskStatus::kSkipped)
      return quoted(e.task) + " is " + std::string(name(task.status));
    // In another run, or by hand beside a run: two clones that did not know of each other; the
    // later one has it.
    if (task.status == TaskStatus::kRunning && task.last()->run == e.run && !ledger.elsewhere(task))
      return quoted(e.task) + (e.lease > 0 ? " is worked on by hand" : " is running");
    return "";
  }
  std::string operator()(const AttemptRenewed& e) const {
    if (std::string why = running(e.task, e.attempt); !why.empty()) return why;
    if (!find_attempt(ledger.task(e.task), e.attempt)->by_hand())
      return "attempt " + e.attempt + " is not worked on by hand";
    return e.lease > 0 ? "" : "it names no time";
  }
  std::string operator()(const AttemptEnded& e) const { return running(e.task, e.attempt); }
  std::string operator()(const TaskQueued& e) const { return running(e.task, e.attempt); }
  std::string operator()(const TaskSet& e) const {
    if (e.status != "pending" && e.status != "skipped")
      return "no task is set to " + quoted(e.status);
    const TaskStatus now = ledger.task(e.task).status;
    if (name(now) == e.status || now == TaskStatus::kCompleted || now == TaskStatus::kRunning)
      return quoted(e.task) + " is " + std::string(name(now));
    return "";
  }

  std::string operator()(const TaskApproved& e) const {
    return e.text_hash.empty() ? "it names no text of " + quoted(e.task) : "";
  }

  std::string operator()(const WaveStarted& e) const {
    if (ledger.wave(e.run, e.wave) != nullptr)
      return "wave " + number(e.wave) + " was started before";
    for (const Wave& wave : ledger.waves)
      if (wave.held() && wave.run == e.run) return "wave " + number(wave.number) + " is not over";
    for (const auto& task : e.tasks)
      if (ledger.task(task).status != TaskStatus::kFinished)
        return quoted(task) + " is not finished";
    return "";
  }
  std::string operator()(const WaveMerged& e) const {
    return phase(e.run, e.wave, {WavePhase::kStarted});
  }
  std::string operator()(const WaveCommitted& e) const {
    return phase(e.run, e.wave, {WavePhase::kMerged});
  }
  std::string operator()(const WaveVerified& e) const {
    return phase(e.run, e.wave, {WavePhase::kCommitted});
  }
  std::string operator()(const WaveCompleted& e) const {
    return phase(e.run, e.wave, {WavePhase::kMerged, WavePhase::kCommitted, WavePhase::kVerified});
  }
  std::string operator()(const WaveAbandoned& e) const {
    return phase(
        e.run, e.wave,
        {WavePhase::kStarted, WavePhase::kMerged, WavePhase::kCommitted, WavePhase::kVerified});
  }
  std::string operator()(const WaveRewritten& e) const {
    for (const auto& [name, task] : ledger.tasks)
      if (task.stands_in(e.from)) return "";
    return "no completed task stands in commit " + e.from;
  }

  std::string operator()(const LandingStarted& e) const { return open_run(e.run); }
  std::string operator()(const Landed& e) const { return open_run(e.run); }

  std::string operator()(const DecisionAsked& e) const {
    return ledger.decision(e.decision) == nullptr ? ""
                                                  : "decision " + e.decision + " was asked before";
  }
  std::string operator()(const DecisionResolved& e) const {
    if (auto why = open_decision(e.decision); !why.empty()) return why;
    const Decision& decision = *ledger.decision(e.decision);
    for (const auto& option : decision.asked.options) {
      const bool same = option.key == e.option ||
                        (option.key == "onto:<branch>" && split_option(e.option).verb == "onto");
      if (!same) continue;
      return option.disabled.empty() ? ""
                                     : quoted(e.option) + " cannot be chosen: " + option.disabled;
    }
    return "decision " + e.decision + " has no option " + quoted(e.option);
  }
  std::string operator()(const DecisionWithdrawn& e) const { return open_decision(e.decision); }
  std::string operator()(const Remark&) const { return ""; }
  std::string operator()(const UnknownEvent& e) const {
    return "this version does not know the type " + quoted(e.type);
  }

 private:
  static std::string number(int wave) { return std::to_string(wave); }

  std::string open_run(std::string_view id) const {
    const Run* run = ledger.run(id);
    if (run == nullptr) return "there is no run " + std::string(id);
    if (!run->outcome.empty()) return "run " + std::string(id) + " is over";
    return "";
  }
  std::string running(std::string_view task, std::string_view id) const {
    const Attempt* attempt = find_attempt(ledger.task(task), id);
    if (attempt == nullptr) return quoted(task) + " has no attempt " + std::string(id);
    if (!attempt->outcome.empty()) return "attempt " + std::string(id) + " is over";
    return "";
  }
  std::string phase(std::string_view run, int wave,
                    std::initializer_list<WavePhase> allowed) const {
    const Wave* found = ledger.wave(run, wave);
    if (found == nullptr) return "there is no wave " + number(wave);
    if (std::find(allowed.begin(), allowed.end(), found->phase) != allowed.end()) return "";
    return "wave " + number(wave) + " is " + std::string(name(found->phase));
  }
  std::string open_decision(std::string_view id) const {
    const Decision* decision = ledger.decision(id);
    if (decision == nullptr) return "there is no decision " + std::string(id);
    if (!decision->open()) return "decision " + std::string(id) + " is resolved";
    return "";
  }
};

}  // namespace

std::string misfit(const Ledger& ledger, const EventBody& body) {
  if (ledger.plan.empty() && !std::holds_alternative<PlanCreated>(body))
    return "there is no plan yet";
  if (ledger.state == S::kDeleted && is_work(body)) return "the plan is deleted";
  return std::visit(Check{ledger}, body);
}

}  // namespace gitplan
