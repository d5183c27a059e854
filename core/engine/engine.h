// The engine: a pure state machine that drives a plan from its first task to the landed result.
//
// It knows no git, clock or process. The executor (git-plan/executor) and the simulation
// (tests/core/engine) drive it the same way:
//
//     step = engine.react(input)          // consequences of one answer
//     loop: append step.events to the journal; engine.apply() each stamped event, also those of
//     other
//           processes; carry out step.effects; stop if step.ended says so; step = engine.poll(now);
//           until the step is empty
//
// Effects are derived from the ledger and from what is in flight in this process: nothing that must
// survive a crash lives in the engine alone. A new engine on the same journal asks for the same
// effects.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/effect.h"
#include "core/engine/input.h"
#include "core/engine/other_plan.h"
#include "core/engine/stale_reference.h"
#include "core/graph/task_graph.h"
#include "core/ledger/fold.h"
#include "core/ledger/readiness.h"
#include "core/plan/definition.h"

namespace gitplan {

// What configuration and command line say; the plan says the rest.
struct EngineOptions {
  std::string actor;
  std::string run;                 // the id of this run
  int jobs = 3;                    // tasks at once, already the smallest of all limits
  int default_minutes = 30;        // plan.taskTimeout
  std::string task_branch_prefix;  // refs/heads/plan/<id>/
  std::function<std::string(const Task&)> agent_of;  // who plays a task; unset: its `agent`
  std::vector<PlanOverlap> overlaps;  // of plans that were at work when the run began
  std::vector<StaleReference> stale;  // as the run began
  std::string subject;                // plan.subject; empty: the first task's description
  bool interactive = false;           // decisions are asked at once, on the terminal
  Millis land_poll = 1000;            // how often a landing that must wait is tried again
  Millis slot_poll = 200;
  Millis plan_poll = 1000;  // how often the plan of waits_for is looked at
  Millis backoff = 10000;   // before the first retry of a transient failure
};

struct Step {
  std::vector<EventBody> events;
  std::vector<Effect> effects;  // to be carried out after the events are durable
  std::string ended;            // how the run ended (run_ended has been applied); empty: it goes on
  bool empty() const { return events.empty() && effects.empty() && ended.empty(); }
};

class Engine {
 public:
  Engine(EngineOptions options, Plan plan, Ledger ledger, InBase in_base);

  Step react(const Input& input);
  Step poll(Millis now, std::uint64_t random);

  void apply(const Event& event);
  // A newer definition, taken between batches.
  void set_plan(Plan plan);
  // All that is known now, with what came from other clones in the meantime; between batches.
  void set_ledger(Ledger ledger);
  // True where these may be called: nothing runs and no wave is being made.
  bool between_batches() const;

  const Ledger& ledger() const { return ledger_; }
  const Plan& plan() const { return plan_; }
  // Where new attempts and the next wave start: the newest wave of this run, or its base.
  const std::string& base() const { return base_; }

 private:
  // Of an attempt that this process looks after. Not in the journal: another executor finds it out
  // again.
  struct Live {
    // One that is worked on by hand is here only while it is collected after its lease.
    enum class Phase { kForking, kNoSlot, kRunning, kCollecting };
    std::string attempt;
    Phase phase = Phase::kForking;
    int exit_code = 0;
    std::string stopped_by;
    bool stop_sent = false;
  };

  Step on(const ForkReady& input, Millis now);
  Step on(const ForkFailed& input, Millis now);
  Step on(const SlotRefused& input, Millis now);
  Step on(const ProcessEnded& input, Millis now);
  Step on(const Collected& input, Millis now);
  Step lease_over(const Collected& input, Millis now);
  Step on(const Merged& input, Millis now);
  Step on(const Committed& input, Millis now);
  Step on(const CommitRefused& input, Millis now);
  Step on(const Verified& input, Millis now);
  Step on(const Advanced& input, Millis now);
  Step on(const AdvanceRefused& input, Millis now);
  Step on(const LandDone& input, Millis now);
  Step on(const LandWaits& input, Millis now);
  Step on(const LandConflict& input, Millis now);
  Step on(const LandRefused& input, Millis now);
  Step on(const OtherPlan& input, Millis now);
  Step on(const AskDone& input, Millis now);
  Step on(const JournalChanged& input, Millis now);
  Step on(const JournalFailed& input, Millis now);
  Step on(const TimerFired& input, Millis now);
  Step on(const InterruptPressed& input, Millis now);

  // poll() in parts, each for one concern (core/engine/poll.cc, starting.cc).
  void release_leftovers(Step& step);
  void look_after_attempts(Step& step, Millis now);
  void look_after_lease(Step& step, int task, Millis now);
  void start_tasks(Step& step, Millis now);
  AttemptStarted start_of(int task, std::string agent) const;
  bool asks_about_overlap(Step& step, Millis now);
  bool asks_about_stale_references(Step& step, Millis now);
  bool waits_for_other_plan(Step& step, Millis now);
  void ask_before_start(Step& step, Millis now);
  // `about`: what tells it apart from others of its kind.
  void put_question(Step& step, DecisionAsked asked, std::string_view about);
  void cut_batch(Step& step);
  void drive_wave(Step& step);
  void land(Step& step, Millis now);
  void ask(Step& step);
  void wait(Step& step, Millis now);
  void end(Step& step, Millis now);

  void index_plan();
  bool eager() const;
  std::optional<TaskQueued> queue_again(const Collected& failed, Millis now) const;
  // Who plays it now: its own agent, or one of `fallback` where that has had its tries or is
  // limited. Nobody: all are limited until later.
  std::optional<std::string> agent_for(int task, Millis now) const;
  std::vector<std::string> agents_of(const Task& task) const;  // its own, then `fallback`
  int tries_left(int task, std::string_view agent) const;
  bool limited(std::string_view agent, Millis now) const;
  bool asked_about(std::string_view kind) const;  // an open decision of that kind about no task
  bool own(std::string_view actor) const;         // this clone's
  bool free_again(int task, Millis now) const;    // another clone had it, for too long
  bool held_by_question(int task) const;          // a question about more than this task is open
  bool awaits_checkpoint(int task) const;         // finished, and a person has not let it pass yet
  bool controlled() const;                        // pause, cancel or abort was asked for
  bool stopping() const;                          // cancel or abort
  bool startable(int task, Millis now) const;
  bool any_startable(Millis now) const;
  bool wave_blocked(const Wave& wave) const;  // a decision about it is open
  bool landing_decision_open() const;
  // Of tasks in the user's working tree (in_place.cc).
  bool in_place(int task) const;
  bool only_in_place_live() const;
  bool unlanded() const;
  bool tree_can_be_had() const;
  bool may_join(int task, const std::vector<const Task*>& others) const;
  static bool must_land_alone(const TaskRecord& record);
  std::vector<int> next_batch() const;
  bool tree_is_ahead() const;
  bool lands_at_once(Millis now) const;
  bool landing_due(Millis now) const;
  DecisionAsked mixed_question(const Collected& input);
  bool fly(const std::string& effect);  // true: it was not in flight yet
  void landed(std::string_view effect) { flying_.erase(std::string(effect)); }
  void release(Step& step, const std::string& task) const;
  WorkOfTasks work_of_completed() const;
  bool changes_nothing(const Wave& wave) const;
  Commit commit_effect(const Wave& wave) const;
  std::string decision_id(std::string_view kind, std::string_view about);
  std::vector<std::string> blocked_by(int task) const;
  DecisionAsked failure_question(int task);

  EngineOptions options_;
  Plan plan_;
  TaskGraph graph_;
  Ledger ledger_;
  InBase in_base_;

  std::vector<const TaskRecord*> records_;  // into ledger_, by index in plan_.tasks()
  std::vector<bool> selected_;
  std::vector<Readiness> classes_;
  bool classes_old_ = true;
  std::string base_;

  std::map<std::string, Live, std::less<>> live_;  // by task
  std::set<std::string> flying_;  // wave and landing effects whose answer is awaited
  std::set<std::string> issued_;  // ids of decisions made here
  std::set<std::string> asked_;   // decisions shown on the terminal
  std::map<std::string, Millis, std::less<>>
      slot_retry_;  // by task: when a refused slot is tried again
  std::map<std::string, Millis, std::less<>>
      lease_retry_;  // by task: when an attempt whose lease is over is looked at again
  Millis land_retry_ = 0;
  Millis plan_retry_ = 0;
  std::set<std::string> plans_done_;  // of those that it waits for
  bool stale_asked_ = false;
  bool base_is_old_ = false;  // other plans were looked at, and may have moved the target
  std::uint64_t random_ = 0;  // of the input at hand
  Millis timer_ = 0;          // the earliest wake-up that is under way; 0: none
  std::string fatal_;         // git or the journal failed: wind up
  bool journal_dead_ = false;
  bool first_poll_ = true;
};

}  // namespace gitplan
