#include "core/ledger/readiness.h"

#include <algorithm>

#include "core/base/timestamp.h"
#include "core/ledger/apart.h"

namespace gitplan {
namespace {

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

// What a task is by itself, before its dependencies are looked at.
Readiness own_class(const Task& task, const TaskRecord& record, const Ledger& ledger,
                    const InBase& in_base) {
  // Only these can be asked about before they start.
  const bool may_be_asked = task.approval_gate || task.budget_usd.has_value();
  const bool asked = may_be_asked && ledger.has_open_decision(task.name);
  if (ledger.elsewhere(record)) return Readiness::kActive;
  switch (record.status) {
    case TaskStatus::kCompleted:
      return record.commit.empty() || !in_base || in_base(record.commit) ||
                     std::any_of(record.rewritten.begin(), record.rewritten.end(), in_base)
                 ? Readiness::kDone
                 : Readiness::kElsewhere;
    case TaskStatus::kSkipped: return Readiness::kDone;
    case TaskStatus::kRunning: return Readiness::kActive;
    case TaskStatus::kFinished:
      return ledger.has_open_decision(task.name) ? Readiness::kBlocked : Readiness::kActive;
    case TaskStatus::kQueued: return asked ? Readiness::kBlocked : Readiness::kQueued;
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut:
    case TaskStatus::kCancelled: return Readiness::kStopped;
    case TaskStatus::kPending: break;
  }
  return asked ? Readiness::kBlocked : Readiness::kReady;
}

std::string stopped_how(TaskStatus status) {
  if (status == TaskStatus::kTimedOut) return "timed out";
  return status == TaskStatus::kFailed ? "failed" : "was cancelled";
}

std::string where_completed(const TaskRecord& record) {
  return "completed in wave " + std::to_string(record.wave) + " by commit " +
         record.commit.substr(0, 12) + ", which is not in the base of a run here";
}

std::string where_held(const TaskRecord& record) {
  const std::string clone = " in another clone (" + record.last()->actor + ")";
  if (record.status == TaskStatus::kFinished)
    return "is finished" + clone + " and waits for its wave";
  const Millis until = held_until(record);
  return (record.status == TaskStatus::kQueued ? "starts again" : "is worked on") + clone +
         " since " + time_of(record.last()->started) + ", and left alone until " +
         moment(until, record.last()->started);
}

// The reasons of a task's own status; a pending one has none.
std::vector<std::string> own_reasons(const Task& task, const TaskRecord& record,
                                     const Ledger& ledger, Readiness readiness) {
  if (ledger.elsewhere(record)) return {where_held(record)};
  switch (record.status) {
    case TaskStatus::kCompleted:
      if (readiness == Readiness::kElsewhere) return {where_completed(record)};
      return {};
    case TaskStatus::kSkipped: return {record.reason.empty() ? "skipped" : record.reason};
    case TaskStatus::kRunning:
      if (const Attempt* last = record.last(); last != nullptr && last->by_hand())
        return {"is worked on by hand since " + time_of(last->started) + ", lease until " +
                moment(last->lease, last->started)};
      return {"is running"};
    case TaskStatus::kFinished:
      if (readiness != Readiness::kBlocked) return {"is finished and waits for its wave"};
      if (task.checkpoint != Checkpoint::kNone && record.last() != nullptr &&
          record.checked != record.last()->id)
        return {"is finished and waits for a person's approval: a decision is open"};
      if (record.last() != nullptr && record.last()->in_place())
        return {"is finished, beside changes of yours in the same files: a decision is open"};
      return {"overlaps with other work: a decision is open"};
    case TaskStatus::kQueued: return {"starts again at " + to_rfc3339(record.queued_until)};
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut:
    case TaskStatus::kCancelled: {
      std::string text = stopped_how(record.status);
      const Attempt* last = record.last();
      if (!record.reason.empty()) {
        text += ": " + record.reason;
      } else if (last != nullptr && !last->error.empty()) {
        text += ": " + last->error;
      }
      return {std::move(text)};
    }
    case TaskStatus::kPending: break;
  }
  return {};
}

// How one dependency holds a pending task back; empty: it does not.
std::string held_back_by(const Task& dependency, const TaskRecord& record, Readiness readiness) {
  switch (readiness) {
    case Readiness::kDone: return {};
    case Readiness::kElsewhere:
      return "needs " + quoted(dependency.name) + ", " + where_completed(record);
    case Readiness::kStopped:
      return "needs " + quoted(dependency.name) + ", which " + stopped_how(record.status);
    case Readiness::kBlocked: return "needs " + quoted(dependency.name) + ", which is blocked";
    default:
      return "waits for " + quoted(dependency.name) + " (" + std::string(name(record.status)) + ")";
  }
}

}  // namespace

LockHolders lock_holders(const std::vector<Task>& tasks,
                         const std::vector<const TaskRecord*>& records) {
  LockHolders holders;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (records[i]->status == TaskStatus::kRunning)
      for (const std::string& lock : tasks[i].locks) holders.emplace(lock, tasks[i].name);
  return holders;
}

std::string_view held_lock(const Task& task, const LockHolders& holders) {
  for (const std::string& lock : task.locks)
    if (holders.contains(lock)) return lock;
  return {};
}

std::vector<const TaskRecord*> task_records(const Plan& plan, Ledger& ledger) {
  std::vector<const TaskRecord*> records;
  records.reserve(plan.tasks().size());
  for (const auto& task : plan.tasks()) records.push_back(&ledger.tasks[task.name]);
  return records;
}

std::vector<Readiness> classify(const Plan& plan, const TaskGraph& graph, const Ledger& ledger,
                                const std::vector<const TaskRecord*>& records,
                                const InBase& in_base) {
  const auto& tasks = plan.tasks();
  std::vector<Readiness> classes(tasks.size());
  std::vector<int> open(tasks.size()), order;
  order.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    classes[i] = own_class(tasks[i], *records[i], ledger, in_base);
    open[i] = static_cast<int>(graph.dependencies(static_cast<int>(i)).size());
    if (open[i] == 0) order.push_back(static_cast<int>(i));
  }
  // A lock is free again when whoever holds it has ended.
  const LockHolders holders = lock_holders(tasks, records);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (classes[i] == Readiness::kReady && !held_lock(tasks[i], holders).empty())
      classes[i] = Readiness::kWaiting;
  // Dependencies before dependents; the validator has refused cycles.
  for (std::size_t next = 0; next < order.size(); ++next) {
    const int at = order[next];
    for (int dependent : graph.dependents(at))
      if (--open[dependent] == 0) order.push_back(dependent);
    if (classes[at] != Readiness::kReady && classes[at] != Readiness::kWaiting) continue;
    for (int dependency : graph.dependencies(at)) {
      const Readiness held = classes[dependency];
      if (held == Readiness::kDone) continue;
      const bool for_good = held == Readiness::kElsewhere || held == Readiness::kStopped ||
                            held == Readiness::kBlocked;
      if (for_good) {
        classes[at] = Readiness::kBlocked;
      } else if (classes[at] == Readiness::kReady) {
        classes[at] = Readiness::kWaiting;
      }
    }
  }
  return classes;
}

std::vector<TaskView> readiness(const Plan& plan, const TaskGraph& graph, const Ledger& ledger,
                                const InBase& in_base) {
  const auto& tasks = plan.tasks();
  std::vector<const TaskRecord*> records;
  records.reserve(tasks.size());
  for (const auto& task : tasks) records.push_back(&ledger.task(task.name));
  const std::vector<Readiness> classes = classify(plan, graph, ledger, records, in_base);
  std::vector<TaskView> views(tasks.size());
  const LockHolders holders = lock_holders(tasks, records);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    views[i] = {classes[i], own_reasons(tasks[i], *records[i], ledger, classes[i])};
    if (records[i]->status != TaskStatus::kPending) continue;
    if (const auto lock = held_lock(tasks[i], holders); !lock.empty())
      views[i].reasons.push_back("waits for the lock " + quoted(lock) + ", which " +
                                 quoted(holders.find(lock)->second) + " holds");
    if (classes[i] == Readiness::kBlocked && ledger.has_open_decision(tasks[i].name))
      views[i].reasons.push_back("waits for a person: a decision is open");
    for (int dependency : graph.dependencies(static_cast<int>(i))) {
      std::string why = held_back_by(tasks[dependency], *records[dependency], classes[dependency]);
      if (!why.empty()) views[i].reasons.push_back(std::move(why));
    }
  }
  return views;
}

std::string_view name(Readiness readiness) {
  switch (readiness) {
    case Readiness::kReady: return "ready";
    case Readiness::kWaiting: return "waiting";
    case Readiness::kBlocked: return "blocked";
    case Readiness::kQueued: return "queued";
    case Readiness::kActive: return "active";
    case Readiness::kDone: return "done";
    case Readiness::kStopped: return "stopped";
    case Readiness::kElsewhere: return "elsewhere";
  }
  return "ready";
}

Progress progress(const Plan& plan, const Ledger& ledger) {
  Progress result;
  for (const auto& task : plan.tasks()) {
    const TaskStatus status = ledger.task(task.name).status;
    ++result.total;
    if (status == TaskStatus::kCompleted || status == TaskStatus::kSkipped) ++result.done;
  }
  return result;
}

}  // namespace gitplan
