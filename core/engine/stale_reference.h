// A reference of the plan that went stale before the run: its file was deleted or is elsewhere.
//
// Found by whoever starts a run (git-plan/executor/execute.cc); the engine asks about those of
// tasks that are to start, once a process, until a person lets them start or the plan is noted
// anew.
#pragma once

#include <string>

namespace gitplan {

struct StaleReference {
  std::string task, path;
  std::string what;      // a clause: "was renamed to src/b.c by 1a2b3c4d5e6f"
  bool fixable = false;  // its new place is certain
};

}  // namespace gitplan
