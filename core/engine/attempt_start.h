// The event that begins an attempt, whoever works on it: the engine's, or one taken by hand
// (git-plan/hand/claim.h).
#pragma once

#include <string>

#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

struct AttemptStart {
  std::string run, actor, agent;
  std::string base;                // commit id
  std::string task_branch_prefix;  // refs/heads/plan/<id>/
  int default_minutes = 30;        // plan.taskTimeout
};

AttemptStarted attempt_started(const Plan& plan, const Task& task, const TaskRecord& record,
                               AttemptStart start);

}  // namespace gitplan
