// The engine: a pure state machine that drives a plan from its first task to the landed result.
//
// It knows no git, clock or process. The executor (git-plan/executor) and the simulation
// (tests/core/engine) drive it the same way:
//
//     step = engine.react(input)          // consequences of one answer
//     loop: append step.events to the journal; engine.apply() each stamped event, also those of other
//           processes; carry out step.effects; if (step.ended) stop; step = engine.poll(now);
//           until the step is empty
//
// Effects are derived from the ledger and from what is in flight in this process: nothing that must
// survive a crash lives in the engine alone. A new engine on the same journal asks for the same effects.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/effect.h"
#include "core/engine/input.h"
#include "core/graph/task_graph.h"
#include "core/ledger/fold.h"
#include "core/ledger/readiness.h"
#include "core/plan/definition.h"

namespace gitplan {

// What configuration and command line say; the plan says the rest.
struct EngineOptions {
  std::string actor;
  std::string run;           // the id of this run
  int jobs = 3;              // tasks at once, already the smallest of all limits
  int default_minutes = 30;  // plan.taskTimeout
  std::string integration_branch;  // refs/heads/plan/<id>/integration
  std::string task_branch_prefix;  // refs/heads/plan/<id>/
  std::string subject;       // plan.subject; empty: the first task's description
  bool interactive = false;  // decisions are asked at once, on the terminal
  Millis land_poll = 1000;   // how often a landing that must wait is tried again
  Millis slot_poll = 200;
};

struct Step {
  std::vector<EventBody> events;
  std::vector<Effect> effects;  // to be carried out after the events are durable
  // Set once the run is over (run_ended is among the events, or was applied).
  std::optional<std::string> ended;  // completed, paused, failed, aborted
  bool empty() const { return events.empty() && effects.empty() && !ended; }
};

class Engine {
 public:
  Engine(EngineOptions options, Plan plan, Ledger ledger, InBase in_base);

  Step react(const Input& input);
  Step poll(Millis now, std::uint64_t random);

  void apply(const Event& event);
  // A newer definition, taken between batches.
  void set_plan(Plan plan);

  const Ledger& ledger() const { return ledger_; }
  const Plan& plan() const { return plan_; }
  int in_flight() const;  // effects whose answer is awaited, timers aside

 private:
  EngineOptions options_;
  Plan plan_;
  TaskGraph graph_;
  Ledger ledger_;
  InBase in_base_;
};

}  // namespace gitplan
