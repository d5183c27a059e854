#include "git-plan/hand/claim.h"

#include "core/engine/attempt_start.h"
#include "core/engine/hold.h"
#include "core/engine/other_plan.h"
#include "core/ledger/apart.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/preflight.h"
#include "git-plan/hand/make_ready.h"
#include "git-plan/hand/take_in.h"
#include "git-plan/view/words.h"
#include "refs/fork/named_locks.h"
#include "refs/store/lock_wait.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{60};  // for others who take the same expired one in
constexpr Millis kMinute = 60000;

std::string quoted(const std::string& name) { return "'" + name + "'"; }

// The one place that says which tasks can be worked on by hand: those with a tree of their own.
std::optional<Error> hold_of_mode(const PlanView& view, const Task& task) {
  if (!view.plan.in_place(task)) return std::nullopt;
  const std::string why = view.plan.optimistic(task)
                              ? "its isolation is optimistic"
                              : "its mode is " + std::string(name(view.plan.mode_of(task)));
  return error(ErrorCode::kRefused,
               quoted(task.name) + " cannot be taken by hand: " + why +
                   ", and only forked tasks have a tree of their own",
               "git plan execute " + view.id + " --task " + task.name);
}

std::optional<Error> hold_of_person(const PlanView& view, const Task& task) {
  const std::string budget =
      "raise 'budget_usd' (git plan edit " + view.id + "), or let 'git plan execute' ask";
  switch (hold_of(view.plan, task, view.ledger)) {
    case Hold::kNone: return std::nullopt;
    case Hold::kApproval:
      return error(ErrorCode::kDecision, quoted(task.name) + " waits for approval",
                   "git plan approve " + view.id + " " + task.name);
    case Hold::kBudget:
      return error(ErrorCode::kDecision, quoted(task.name) + " has spent its budget", budget);
    case Hold::kPlanBudget:
      return error(ErrorCode::kDecision, quoted(task.name) + " waits: the plan's budget is spent",
                   budget);
  }
  return std::nullopt;
}

std::optional<Error> hold_on_task(const PlanView& view, const Task& task, const TaskView& ready,
                                  bool free, Millis now) {
  const bool asked = view.ledger.has_open_decision(task.name);
  const TaskRecord& record = view.ledger.task(task.name);
  if (view.ledger.elsewhere(record)) {
    if (held_until(record) > now)
      return error(ErrorCode::kFailed,
                   quoted(task.name) + " cannot be taken: it " + joined(ready.reasons, "; "),
                   "'git plan pull' brings what became of it");
  } else if (const Attempt* claimed = view.ledger.task(task.name).claimed()) {
    if (claimed->lease > now)
      return error(ErrorCode::kFailed, quoted(task.name) + " is claimed by attempt " + claimed->id +
                                           " since " + moment(claimed->started, now) +
                                           ", lease until " + moment(claimed->lease, now));
  } else if (!free) {
    const bool stopped = ready.readiness == Readiness::kStopped && !asked;
    return error(asked ? ErrorCode::kDecision : ErrorCode::kFailed,
                 quoted(task.name) + " cannot be taken: " +
                     (ready.reasons.empty() ? "it is " + std::string(name(ready.readiness))
                                            : joined(ready.reasons, "; ")),
                 asked     ? "git plan resolve " + view.id
                 : stopped ? "git plan next " + view.id + " --claim --task " + task.name +
                                 " starts it afresh"
                           : "'git plan why " + view.id + " " + task.name + "' says more");
  }
  if (auto held = hold_of_mode(view, task)) return held;
  return hold_of_person(view, task);
}

std::optional<Error> hold_of_other_plan(Store& store, const PlanView& view) {
  for (const WaitsFor& waits : plans_before(view.plan, view.ledger)) {
    OtherPlan other{OtherPlan::State::kGone, "there is no such plan here"};
    if (const auto id = store.resolve(waits.plan))
      if (const auto loaded = store.load(*id)) other = look_at(waits, loaded->plan, loaded->ledger);
    if (other.state == OtherPlan::State::kDone) continue;
    const bool pending = other.state == OtherPlan::State::kPending;
    return error(pending ? ErrorCode::kRefused : ErrorCode::kDecision,
                 "plan '" + view.id + "' waits for the plan '" + waits.plan + "': " + other.why,
                 pending ? "git plan status " + waits.plan
                         : "'git plan execute " + view.id + "' asks what shall be done");
  }
  return std::nullopt;
}

// As `execute --resume` does it: nobody has to answer what becomes of it.
bool may_start_afresh(const PlanView& view, const Task& task) {
  switch (view.ledger.task(task.name).status) {
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut:
    case TaskStatus::kCancelled:
      return !view.ledger.has_open_decision(task.name) && !hold_of_mode(view, task) &&
             !hold_of_person(view, task);
    default: return false;
  }
}

// Of all that was to be had.
Error nothing_ready(const PlanView& view, const std::vector<std::optional<Error>>& holds) {
  ErrorCode code = ErrorCode::kFailed;
  std::vector<std::string> why;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const TaskStatus status = view.ledger.task(view.plan.tasks()[i].name).status;
    if (status == TaskStatus::kCompleted || status == TaskStatus::kSkipped || !holds[i]) continue;
    why.push_back(holds[i]->message);
    if (holds[i]->code == ErrorCode::kDecision) code = ErrorCode::kDecision;
  }
  if (why.empty()) return failed("all tasks of plan '" + view.id + "' are done");
  return error(code, "no task of plan '" + view.id + "' can be taken now: " + joined(why, "; "),
               "git plan next " + view.id);
}

// Where a run that is not over stands; else where the next one would start.
std::string base_of(const PlanView& view, const PlanFacts& facts) {
  const Run* run = view.ledger.run();
  const bool open = run != nullptr && run->outcome.empty();
  return facts.integration.empty() && open ? run->base : facts.base;
}

// The position of the task that is meant, or the first; nothing: none can be taken.
Result<std::size_t> choose(const PlanView& view, const std::optional<std::string>& wanted,
                           const std::vector<std::optional<Error>>& holds) {
  for (std::size_t i = 0; i < holds.size(); ++i) {
    if (wanted && view.plan.tasks()[i].name != *wanted) continue;
    if (!holds[i] || (wanted && may_start_afresh(view, view.plan.tasks()[i]))) return i;
    if (wanted) return *holds[i];
  }
  return nothing_ready(view, holds);
}

Result<std::optional<NamedLocks>> try_locks(Context& context, const Task& task) {
  if (task.locks.empty()) return std::optional<NamedLocks>();
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  std::string held;
  GITPLAN_TRY_ASSIGN(auto locks, NamedLocks::take(repository->local_dir(), task.locks, held));
  if (!locks)
    return failed(quoted(task.name) + " needs the lock '" + held +
                  "', which a task of another plan of this clone holds");
  return locks;
}

}  // namespace

Result<std::optional<Error>> hold_on_plan(Context& context, const PlanView& view,
                                          const PlanFacts& facts) {
  GITPLAN_TRY_ASSIGN(Preflight report, preflight(context, view, facts, {}, std::nullopt));
  // Who works by hand needs no agent, and no run that begins: one at work is no hindrance, and what
  // was cancelled starts afresh.
  std::vector<Error> faults;
  std::size_t at = 0;
  for (const Preflight::Check& check : report.checks) {
    if (check.state != Preflight::State::kFault) continue;
    Error& fault = report.faults[at++];
    if (check.name != "agents" && check.name != "tasks" && fault.code != ErrorCode::kBusy)
      faults.push_back(std::move(fault));
  }
  report.faults = std::move(faults);
  if (const Error* fault = report.fault()) return std::optional<Error>(*fault);
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  return hold_of_other_plan(*store, view);
}

std::vector<std::optional<Error>> holds_on_tasks(const PlanView& view, const PlanFacts& facts,
                                                 Millis now) {
  std::vector<std::optional<Error>> holds;
  const std::vector<Task>& tasks = view.plan.tasks();
  for (std::size_t i = 0; i < tasks.size(); ++i)
    holds.push_back(hold_on_task(view, tasks[i], facts.tasks[i], facts.free[i], now));
  return holds;
}

Result<Claim> claim_task(Context& context, const std::string& plan,
                         const std::optional<std::string>& wanted) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const int minutes, settings->integer("plan.lease"));
  GITPLAN_TRY_ASSIGN(const int default_minutes, settings->integer("plan.taskTimeout"));
  for (LockWait patience(kPatience); true;) {
    GITPLAN_TRY_ASSIGN(PlanView view, context.plan(plan));
    if (wanted) GITPLAN_TRY(task_of(view, *wanted));
    GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
    GITPLAN_TRY_ASSIGN(const std::optional<Error> held, hold_on_plan(context, view, facts));
    if (held) return *held;
    GITPLAN_TRY_ASSIGN(const std::size_t chosen,
                       choose(view, wanted, holds_on_tasks(view, facts, context.now())));
    const Task& candidate = view.plan.tasks()[chosen];
    const TaskRecord& before = view.ledger.task(candidate.name);
    if (const Attempt* expired = before.claimed(); expired && !view.ledger.elsewhere(before)) {
      GITPLAN_TRY_ASSIGN(const bool over, take_back_expired(context, view, candidate, *expired));
      if (!over && !patience.wait())
        return error(ErrorCode::kBusy, "another process takes in what the last attempt of " +
                                           quoted(candidate.name) + " left");
      continue;
    }
    GITPLAN_TRY_ASSIGN(const auto locks, try_locks(context, candidate));
    AttemptStarted started;
    const auto decide = [&](const PlanView& locked) -> Result<Store::Change> {
      Store::Change change;
      PlanView now = locked;
      // What was looked at is what is taken: another text, or another task, is looked at anew.
      if (now.ledger.heads != view.ledger.heads || now.ledger.state != view.ledger.state)
        return change;
      GITPLAN_TRY_ASSIGN(const PlanFacts latest, plan_facts(context, now));
      const auto holds = holds_on_tasks(now, latest, context.now());
      const TaskRecord& record = now.ledger.task(candidate.name);
      const bool afresh = wanted && may_start_afresh(now, candidate);
      const bool claimed = record.claimed() != nullptr && !now.ledger.elsewhere(record);
      if ((holds[chosen] && !afresh) || claimed) return change;
      if (afresh)
        change.bodies.push_back(TaskSet{candidate.name, "pending", "started afresh by hand"});
      started = attempt_started(now.plan, candidate, record,
                                {"", store->actor(), "hand", base_of(now, latest),
                                 "refs/heads/plan/" + now.id + "/", default_minutes});
      started.lease = context.now() + minutes * kMinute;
      change.bodies.push_back(started);
      return change;
    };
    GITPLAN_TRY_ASSIGN(PlanView taken, store->change(view.id, decide));
    if (!started.attempt.empty()) return make_ready(context, std::move(taken), started);
  }
}

}  // namespace gitplan
