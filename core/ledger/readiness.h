// Which tasks can start, and why the others cannot: the one function behind the engine, `status`,
// `why`, `next` and dry run.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/task_graph.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

// completed tasks whose wave commit is not in this run's base: their work is elsewhere.
using InBase = std::function<bool(std::string_view commit)>;

enum class Readiness {
  kReady,      // may start now
  kWaiting,    // a dependency is not done yet but can still become so, or a lock is held
  kBlocked,    // a dependency failed, was cancelled or is unknown, or a decision is open
  kQueued,     // starts by itself later
  kActive,     // running, or finished and waiting for its wave
  kDone,       // completed or skipped
  kStopped,    // failed, cancelled or timed out itself
  kElsewhere,  // completed, but its commit is not in the base
};

struct TaskView {
  Readiness readiness = Readiness::kReady;
  std::vector<std::string> reasons;  // for people, each a clause: "waits for 'parser' (running)"
};

// Who holds each named lock (`locks` of a task): the running tasks.
using LockHolders = std::map<std::string_view, std::string_view>;
LockHolders lock_holders(const std::vector<Task>& tasks,
                         const std::vector<const TaskRecord*>& records);
// The first of the task's locks that is held; empty: none.
std::string_view held_lock(const Task& task, const LockHolders& holders);

// The classes alone, for whoever asks often (the engine): no text is made. `records` as in
// task_records(), which stay valid while the ledger lives and only their contents change.
std::vector<const TaskRecord*> task_records(const Plan& plan, Ledger& ledger);
std::vector<Readiness> classify(const Plan& plan, const TaskGraph& graph, const Ledger& ledger,
                                const std::vector<const TaskRecord*>& records,
                                const InBase& in_base);

// One view a task, in the order of plan.tasks(). Linear in tasks and edges.
std::vector<TaskView> readiness(const Plan& plan, const TaskGraph& graph, const Ledger& ledger,
                                const InBase& in_base);

std::string_view name(Readiness readiness);

// How far a plan is: completed and skipped tasks, of all.
struct Progress {
  int done = 0, total = 0;
};
Progress progress(const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
