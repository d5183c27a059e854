// Taking in what was made by hand: the end of an attempt with a lease.
//
// `done` proves it as a run would, `fail` and whoever takes an expired one only keep the work. The
// attempt's lock is held meanwhile (AttemptLock), so that one of them records the end.
#pragma once

#include <functional>
#include <string>

#include "git-plan/command/context.h"
#include "git-plan/executor/environment.h"
#include "git-plan/executor/executor.h"
#include "git-plan/executor/shell_run.h"
#include "refs/fork/forks.h"

namespace gitplan {

ForkSpec fork_of(const PlanView& view, const std::string& plan_dir, const std::string& task,
                 const Attempt& attempt);
TaskPlace place_of(const PlanView& view, const Task& task, const std::string& attempt,
                   const std::string& tree);

// Runs it on another thread, with a repository of its own; Ctrl+C ends the plan's commands, and the
// answer is kInterrupted.
Status with_shell(Context& context, const std::function<Status(Repository&, ShellRuns&)>& job);

// The attempt that somebody works on by hand. `attempt`: which one is meant, empty: whichever it
// is. kRefused where it is not the task's running one, with what happened to it.
Result<Attempt> attempt_by_hand(const PlanView& view, const std::string& task,
                                const std::string& attempt);

// What it left, committed and kept alive. `prove`: by evidence, checks, `expects`, findings; else
// the outcome is the caller's. Not recorded yet.
Result<AttemptEnded> take_in(Context& context, const PlanView& view, const Task& task,
                             const Attempt& attempt, bool prove);

// Refused where the attempt is over already.
Result<PlanView> record_end(Context& context, const std::string& plan, AttemptEnded ended);

// Of an attempt that was given back: its tree goes where nothing in it was touched, else it stays
// for a look, off the branch.
Status leave_tree(Context& context, const PlanView& view, const Task& task, const Attempt& attempt);

// The lease is over: its work is kept and the attempt is lost. False: another process is at it.
Result<bool> take_back_expired(Context& context, const PlanView& view, const Task& task,
                               const Attempt& attempt);

}  // namespace gitplan
