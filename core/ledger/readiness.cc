#include "core/ledger/readiness.h"

#include "core/base/timestamp.h"

namespace gitplan {
namespace {

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

// What a task is by itself, before its dependencies are looked at.
TaskView own_view(const Task& task, const TaskRecord& record, const Ledger& ledger, const InBase& in_base) {
  switch (record.status) {
    case TaskStatus::kCompleted:
      if (!record.commit.empty() && in_base && !in_base(record.commit))
        return {Readiness::kElsewhere,
                {"completed in wave " + std::to_string(record.wave) + " by commit " +
                 record.commit.substr(0, 12) + ", which is not in the base of a run here"}};
      return {Readiness::kDone, {}};
    case TaskStatus::kSkipped:
      return {Readiness::kDone, {record.reason.empty() ? "skipped" : record.reason}};
    case TaskStatus::kRunning: return {Readiness::kActive, {"is running"}};
    case TaskStatus::kFinished:
      if (ledger.has_open_decision(task.name))
        return {Readiness::kBlocked, {"overlaps with other work: a decision is open"}};
      return {Readiness::kActive, {"is finished and waits for its wave"}};
    case TaskStatus::kQueued:
      return {Readiness::kQueued, {"starts again at " + to_rfc3339(record.queued_until)}};
    case TaskStatus::kFailed:
    case TaskStatus::kTimedOut:
    case TaskStatus::kCancelled: {
      std::string text = record.status == TaskStatus::kTimedOut ? "timed out"
                         : record.status == TaskStatus::kFailed ? "failed"
                                                                : "was cancelled";
      if (!record.reason.empty()) {
        text += ": " + record.reason;
      } else if (const Attempt* last = record.last(); last != nullptr && !last->error.empty()) {
        text += ": " + last->error;
      }
      return {Readiness::kStopped, {std::move(text)}};
    }
    case TaskStatus::kPending: break;
  }
  return {Readiness::kReady, {}};
}

// How one dependency holds a pending task back; true when it cannot come through by itself.
bool hold_back(TaskView& view, const Task& dependency, const TaskView& state, const TaskRecord& record) {
  switch (state.readiness) {
    case Readiness::kDone: return false;
    case Readiness::kElsewhere:
      view.reasons.push_back("needs " + quoted(dependency.name) + ", " + state.reasons.front());
      return true;
    case Readiness::kStopped:
      view.reasons.push_back("needs " + quoted(dependency.name) + ", which " +
                             (record.status == TaskStatus::kTimedOut ? "timed out"
                              : record.status == TaskStatus::kFailed ? "failed"
                                                                     : "was cancelled"));
      return true;
    case Readiness::kBlocked:
      view.reasons.push_back("needs " + quoted(dependency.name) + ", which is blocked");
      return true;
    default:
      view.reasons.push_back("waits for " + quoted(dependency.name) + " (" +
                             std::string(name(record.status)) + ")");
      return false;
  }
}

}  // namespace

std::vector<TaskView> readiness(const Plan& plan, const TaskGraph& graph, const Ledger& ledger,
                                const InBase& in_base) {
  const auto& tasks = plan.tasks();
  std::vector<TaskView> views(tasks.size());
  std::vector<const TaskRecord*> records(tasks.size());
  std::vector<int> open(tasks.size()), order;
  order.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    records[i] = &ledger.task(tasks[i].name);
    views[i] = own_view(tasks[i], *records[i], ledger, in_base);
    open[i] = static_cast<int>(graph.dependencies(static_cast<int>(i)).size());
    if (open[i] == 0) order.push_back(static_cast<int>(i));
  }
  // Dependencies before dependents; the validator has refused cycles.
  for (std::size_t next = 0; next < order.size(); ++next) {
    const int at = order[next];
    for (int dependent : graph.dependents(at))
      if (--open[dependent] == 0) order.push_back(dependent);
    if (views[at].readiness != Readiness::kReady) continue;
    bool blocked = false;
    for (int dependency : graph.dependencies(at))
      blocked |= hold_back(views[at], tasks[dependency], views[dependency], *records[dependency]);
    if (blocked) {
      views[at].readiness = Readiness::kBlocked;
    } else if (!views[at].reasons.empty()) {
      views[at].readiness = Readiness::kWaiting;
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
