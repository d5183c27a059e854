// Everything that must hold before a run starts, looked at in one go and reported together.
//
// `execute` makes it; --dry-run prints it and stops there. It writes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git-plan/command/context.h"
#include "git-plan/executor/executor.h"
#include "git-plan/view/plan_facts.h"

namespace gitplan {

struct Preflight {
  enum class State { kGood, kWarning, kFault };
  struct Check {
    std::string name;  // "definition", "trust", "state", ...
    State state = State::kGood;
    std::string text;
    std::vector<std::string> details;  // a line each
    bool asked = false;                // of a warning: it is, or becomes, a decision that is shown
  };
  std::vector<Check> checks;  // in the order of the report
  std::vector<Error> faults;  // one a failed check; the exit status is the first's that applies
  // The tasks that would run, by level, as the graph foretells; positions in plan.tasks().
  std::vector<std::vector<int>> levels;
  std::vector<std::string> agents;  // who plays each task, position by position; "" where unknown
  std::vector<std::vector<std::string>> scopes;  // what each may touch, position by position
  int jobs = 1;
  std::string land;    // end, wave, never
  std::string target;  // refs/heads/…; empty: detached
  int count = 0;       // tasks that would run

  // The fault whose exit status applies first.
  const Error* fault() const;
};

Result<Preflight> preflight(Context& context, const PlanView& view, const PlanFacts& facts,
                            const ExecuteOptions& options, std::optional<Mode> mode);

// The checks that are not good, or all of them; then, in full, the levels and where they land.
std::string preflight_text(const Output& out, const PlanView& view, const Preflight& report,
                           std::optional<Mode> mode, bool full);
std::string preflight_json(const PlanView& view, const Preflight& report, std::optional<Mode> mode);

// "Run 6 tasks on 3 levels, at most 3 at once, and land on main?"
std::string start_question(const Preflight& report);

// The bytes of the brief that the task's next attempt would be given.
std::size_t brief_size(const PlanView& view, const Task& task);

}  // namespace gitplan
