// What the views show of one plan, gathered once: who can start and why not, the run, the branches.
//
// `status`, `why`, the pre-flight report and the end of `execute` make one from a PlanView.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/task_graph.h"
#include "core/ledger/readiness.h"
#include "git-plan/command/context.h"
#include "refs/store/run_lock.h"
#include "refs/wave/find_rewritten.h"

namespace gitplan {

struct PlanFacts {
  TaskGraph graph;
  std::vector<TaskView> tasks;  // in the order of plan.tasks(), as people are told
  // By task: ready but for a person's word or the working tree, so it can be taken by hand.
  std::vector<bool> free;
  Progress progress;
  std::optional<RunHolder> holder;  // of the run that is at work now
  std::string target;               // of the last run, else HEAD; refs/heads/…; empty: detached
  std::string next_target;          // where a run that starts now would land
  std::string integration;          // refs/heads/plan/<id>/integration; empty: there is none
  std::string base;                 // commit that `tasks` is about: what a run would start from,
                                    // or the result of a plan that is completed; empty: unborn
  std::string waiting;              // what the run at work waits for outside; empty: nothing
  std::string dir;                  // local files of the plan
  std::vector<std::string> moot;    // open decisions that the next run withdraws
  std::vector<RewrittenWave> rewritten;  // found again; the view has them in its ledger
  bool stale = false;                    // untouched for longer than its ttl
};

// The view is read again where its run has ended in the meantime.
Result<PlanFacts> plan_facts(Context& context, PlanView& view);

// Untouched for longer than the plan's ttl (plan.ttlDays where it names none, 0: never), and not
// over.
Result<bool> is_stale(Context& context, PlanState state, Millis last_activity, int ttl_days);

// Answers whether a wave's commit is in `base`. Waves stand on each other, so one question to git
// answers for all waves below.
InBase in_base_of(const Repository& repository, const Ledger& ledger, std::string base);

}  // namespace gitplan
