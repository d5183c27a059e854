// The executor: carries out the engine's effects with libuv, git and real processes.
//
// `execute` calls it; it returns when the run is over, waits for a decision with nothing else to
// do, or is interrupted. It prints nothing itself: an Observer is told what happens. Files of a
// run: git-plan/executor/FILES.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agent/preset.h"
#include "core/base/error.h"
#include "core/engine/engine.h"
#include "git-plan/neighbours/at_work.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"
#include "refs/store/store.h"

namespace gitplan {

struct ExecuteOptions {
  std::vector<std::string> tasks;  // the subset; empty: all
  bool resume = false;             // also start failed, cancelled and timed-out ones afresh
  std::optional<int> jobs;
  bool no_land = false;
  std::optional<Mode> mode;  // of all tasks, whatever the plan says
  bool interactive = false;
  // Whether a definition that comes while the run is at work may be taken; unset: yes.
  std::function<Result<bool>(const PlanView&)> trusted;
  std::string program_dir;  // where git-plan-attempt is looked for first
};

// What a view shows of a task at work.
struct TaskProgress {
  std::string task, attempt;
  std::string phase;  // fork, run, collect, stop
  Millis started = 0;
  std::string last_line;  // of its log, raw: pass through printable()
  std::uint64_t output_bytes = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // After an event has become durable; `ledger` already contains it.
  virtual void on_event(const Event& event, const Ledger& ledger, const Plan& plan) = 0;
  // About twice a second while something runs.
  virtual void on_progress(const std::vector<TaskProgress>& tasks, const Ledger& ledger,
                           const Plan& plan) = 0;
  // The run waits for something outside (the user's merge to end, a slot): said when it begins and
  // changes; empty: over.
  virtual void on_wait(std::string_view reason) = 0;
  // Nothing runs any more and the run's worktrees are removed: about twice a second until all are.
  virtual void on_cleaning(std::size_t done, std::size_t all, Millis since) = 0;
  virtual void on_warning(std::string_view text) = 0;
  // Nothing is wrong, but the user has to know it: where the agents' windows are.
  virtual void on_note(std::string_view text) = 0;
  // A task's command gets the terminal (true), or has given it back.
  virtual void on_terminal(bool lent) = 0;
  // A decision is to be asked on the terminal now. Only with ExecuteOptions::interactive, and one
  // at a time. What is returned asks, on another thread, because the run goes on meanwhile; it
  // returns the answer, or nothing: later. It gives up when the descriptor becomes readable: the
  // decision was answered elsewhere, or the run ends.
  using Question = std::function<std::optional<DecisionResolved>(int give_up)>;
  virtual Question on_decision(const DecisionAsked& decision) = 0;
};

struct RunResult {
  std::string run;
  std::string outcome;  // completed, paused, failed, aborted
  bool interrupted = false;
  PlanView view;  // afterwards
};

Result<RunResult> execute_plan(Repository& repository, const Settings& settings, Store& store,
                               std::string_view plan_id, const ExecuteOptions& options,
                               Observer& observer);

// A question about a branch that was gone, and was made again: the next run withdraws it.
bool branch_is_back(const Repository& repository, const DecisionAsked& asked);

// The plan with every task in that mode, where one is given.
Plan with_mode(Plan plan, std::optional<Mode> mode);

// The brief of one attempt (what the agent reads on standard input), also sized by --dry-run.
// `others`: tasks of other plans that are at work.
std::string compose_brief(
    const PlanView& view, const Task& task, std::string_view attempt,
    const std::function<std::optional<std::string>(std::string_view path)>& output_of,
    const std::vector<SoftLock>& others = {});

// Which program plays a task: `run`, plan.agent.<name>.command, or the preset of that name. An
// error (kInvalid) names the line to configure.
struct AgentCommand {
  std::string agent;               // "run", or the agent's name
  std::string command;             // for sh -c
  const Preset* preset = nullptr;  // null: a command of the user's
};
// `by`: the agent, where it is not the task's own but one of its `fallback`. `terminal`: where it
// has one, a preset starts so that a person can take part.
Result<AgentCommand> agent_command(const Task& task, const Settings& settings,
                                   std::string_view by = {}, bool terminal = false);

}  // namespace gitplan
