// Takes what an attempt left: commits it, keeps it alive, and has it judged. Runs on a worker
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/agent/preset.h"
#include "core/engine/input.h"
#include "core/plan/definition.h"
#include "git-plan/executor/evidence.h"
#include "git-plan/executor/shell_run.h"
#include "git-plan/executor/user_tree.h"
#include "refs/fork/forks.h"
#include "refs/wave/in_place.h"

namespace gitplan {

struct CollectJob {
  Task task;
  ForkSpec fork;
  std::string actor;
  Left left;                           // what is known of the process; the rest is found here
  const Preset* preset = nullptr;      // of its agent
  std::optional<TreeSnapshot> before;  // of the user's checkout
  bool in_place = false;               // in the user's working tree
  InPlaceScope scope;
  TreeMemo* memo = nullptr;  // there where in_place is
  bool enforce_scope = false;
  std::vector<std::string> environment;  // for the checks
  Millis check_deadline = 0;
};

// What collect() answers: a Collected of the engine.
Collected collect(const CollectJob& job, Repository& repository, Forks& forks, ShellRuns& shell);

// The same of an attempt that was given up: nothing is proved, and the outcome is lost.
Collected collect_unproved(CollectJob job, Repository& repository, Forks& forks, ShellRuns& shell);

// Where git itself fails: nothing could be taken, and that is the fault.
AttemptEnded judge_without_work(const CollectJob& job, const Error& why);

}  // namespace gitplan
