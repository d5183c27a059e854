// Whether a task is done: proved by what it left, not by what it says.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agent/failure.h"
#include "core/agent/report.h"
#include "core/journal/event.h"
#include "core/plan/definition.h"
#include "refs/fork/forks.h"

namespace gitplan {

struct Left {  // what is there when an attempt's process has ended
  int exit_code = 0;
  std::string stopped_by;      // wall, idle, cancel, abort, interrupt
  std::string error;           // it could not be started
  bool hung = false;           // after its end event, until it was ended
  bool lost = false;           // shim and command were killed: there is no exit status
  std::string agent, command;  // who played it
  bool end_event = false;      // without one in the report it is not done
  AgentReport report;
  Failure failure;   // what its last words say, for the case that it failed
  std::string tree;  // empty: gone
  Work work;
  std::vector<Finding> findings;
  std::vector<std::string> strayed;  // of the user's checkout that changed meanwhile
};

struct Proof {
  bool enforce_scope = false;
  // Runs one of the task's checks; empty: it succeeded, else what to say.
  std::function<std::string(const std::string& check)> run_check;
};

// All of attempt_ended but run, attempt and output. The first kind of fault decides; within
// evidence, all that is missing is named.
AttemptEnded judge(const Task& task, const Left& left, const Proof& proof);

// Whether something in the tree fits: a path, or a pattern with *, ? or [.
bool exists_in_tree(const std::string& tree, std::string_view pattern);

}  // namespace gitplan
