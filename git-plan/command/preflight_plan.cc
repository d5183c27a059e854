// What a run needs of the plan: a definition, a state to start from, tasks to start.
#include <fmt/format.h>

#include <algorithm>

#include "core/plan/plan_file.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/preflight_inspection.h"
#include "git-plan/view/words.h"

namespace gitplan {

Status Inspection::definition() {
  const std::vector<Task>& tasks = view_.plan.tasks();
  if (view_.ledger.state == PlanState::kConflicted) {
    bad("definition",
        error(ErrorCode::kConflicted,
              "two clones changed the definition and it does not merge: " + view_.conflict,
              "git plan edit " + view_.id + " shows both and takes your text"));
    return {};
  }
  if (tasks.empty()) {
    bad("definition", error(ErrorCode::kInvalid, "the plan has no tasks to execute",
                            "git plan edit " + view_.id + " adds them under 'orchestration'"));
    return {};
  }
  for (const std::string& name : options_.tasks) {
    if (Result<const Task*> found = task_of(view_, name); !found.ok()) {
      bad("definition", std::move(found).error());
      return {};
    }
  }
  levels();
  if (auto refused = keys_not_executable(view_.plan); !refused.empty()) {
    Error fault =
        error(ErrorCode::kInvalid, "the plan asks for what a run cannot do: nothing was started",
              "git plan edit " + view_.id);
    fault.diagnostics = std::move(refused);
    bad("definition", std::move(fault));
    return {};
  }
  good("definition",
       report_.count == 0
           ? std::string("no task would start")
           : fmt::format("{} on {}", counted(static_cast<std::size_t>(report_.count), "task"),
                         counted(report_.levels.size(), "level")));
  if (!view_.warnings.empty()) {
    std::vector<std::string> details;
    for (const Diagnostic& warning : view_.warnings) details.push_back(to_string(warning));
    warn("definition", counted(view_.warnings.size(), "remark") + " about the plan file",
         std::move(details));
  }
  return {};
}

bool Inspection::asked_for(const std::string& task) const {
  const std::vector<std::string>& asked = options_.tasks;
  return asked.empty() || std::find(asked.begin(), asked.end(), task) != asked.end();
}

// Those that are not over, of the ones asked for; a failed one starts with --resume only.
bool Inspection::would_run(int at) const {
  const std::string& name = view_.plan.tasks()[static_cast<std::size_t>(at)].name;
  if (!asked_for(name)) return false;
  switch (view_.ledger.task(name).status) {
    case TaskStatus::kCompleted:
    case TaskStatus::kSkipped:
    case TaskStatus::kFinished: return false;  // that one is only integrated
    case TaskStatus::kFailed:
    case TaskStatus::kCancelled:
    case TaskStatus::kTimedOut: return options_.resume;
    default: return true;
  }
}

// Those that would start, or go on: not what a decision or a task that does not run holds back.
std::vector<bool> Inspection::running(const std::vector<int>& levels) const {
  std::vector<int> order;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i] >= 0) order.push_back(static_cast<int>(i));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return levels[static_cast<std::size_t>(a)] < levels[static_cast<std::size_t>(b)];
  });
  std::vector<bool> runs(levels.size());
  for (const int at : order) {
    const auto i = static_cast<std::size_t>(at);
    const Readiness readiness = facts_.tasks[i].readiness;
    const bool pending =
        view_.ledger.task(view_.plan.tasks()[i].name).status == TaskStatus::kPending;
    runs[i] = would_run(at) && (pending || readiness != Readiness::kBlocked);
    for (const int on : facts_.graph.dependencies(at)) {
      const auto dependency = static_cast<std::size_t>(on);
      const bool finished =
          view_.ledger.task(view_.plan.tasks()[dependency].name).status == TaskStatus::kFinished;
      if (facts_.tasks[dependency].readiness != Readiness::kDone && !runs[dependency] && !finished)
        runs[i] = false;
    }
  }
  return runs;
}

void Inspection::levels() {
  const std::vector<int> levels = facts_.graph.levels();
  const std::vector<bool> runs = running(levels);
  std::vector<std::vector<int>> all;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!runs[i]) continue;
    all.resize(std::max(all.size(), static_cast<std::size_t>(levels[i]) + 1));
    all[static_cast<std::size_t>(levels[i])].push_back(static_cast<int>(i));
    ++report_.count;
  }
  // Levels whose tasks are all over do not count.
  for (auto& level : all)
    if (!level.empty()) report_.levels.push_back(std::move(level));
}

void Inspection::refuse(std::string why, std::string hint, ErrorCode code) {
  bad("state", error(code, std::move(why), std::move(hint)));
}

void Inspection::state() {
  const std::string& id = view_.id;
  if (facts_.holder) {
    const RunHolder& holder = *facts_.holder;
    refuse(fmt::format("run {} is at work since {} (process {} on {})", holder.run,
                       moment(holder.since, context_.now()), holder.pid, holder.host),
           "git plan status --watch " + id, ErrorCode::kBusy);
    return;
  }
  const std::string word = spoken(name(view_.ledger.state));
  switch (view_.ledger.state) {
    case PlanState::kActive:
    case PlanState::kPaused:
    case PlanState::kFailed:
    case PlanState::kAborted: good("state", word); return;
    case PlanState::kRunning:
    case PlanState::kQueued: good("state", "interrupted: the run goes on where it stopped"); return;
    case PlanState::kDraft: refuse("the plan is a draft", "git plan update " + id); return;
    case PlanState::kInReview:
    case PlanState::kPendingApproval:
      refuse("the plan is " + word, "git plan approve " + id, ErrorCode::kDecision);
      return;
    case PlanState::kCompleted:
      refuse("the plan is completed", "git plan create --from " + id + " starts a new one");
      return;
    case PlanState::kConflicted: return;  // the definition's check has said it
    case PlanState::kArchived:
    case PlanState::kDeleted: refuse("the plan is " + word, "git plan undo " + id); return;
  }
}

void Inspection::decisions() {
  std::vector<std::string> open;
  for (const Decision& decision : view_.ledger.decisions)
    if (decision.open() && std::ranges::count(facts_.moot, decision.asked.decision) == 0)
      open.push_back(decision.asked.decision + ": " + first_line(decision.asked.what));
  if (open.empty()) return;
  const std::size_t count = open.size();
  warn("decisions",
       counted(count, "decision") + (count == 1 ? " is" : " are") + " open: git plan resolve " +
           view_.id,
       std::move(open));
  report_.checks.back().asked = true;
}

// A run would end as soon as it has begun, and say what the one before said.
void Inspection::nothing_left() {
  if (report_.count > 0 || options_.resume || !report_.faults.empty()) return;
  const auto* run = view_.ledger.run();
  if (run == nullptr || run->outcome.empty() || view_.ledger.held_wave() != nullptr) return;
  if (report_.land == "wave" && !facts_.integration.empty()) return;  // it would land
  for (const Decision& decision : view_.ledger.decisions)
    if (decision.open()) return;
  std::vector<std::string> stopped;
  for (const Task& task : view_.plan.tasks()) {
    switch (view_.ledger.task(task.name).status) {
      case TaskStatus::kCompleted:
      case TaskStatus::kSkipped:
      case TaskStatus::kPending: break;
      case TaskStatus::kCancelled:
        if (asked_for(task.name)) stopped.push_back("'" + task.name + "'");
        break;
      default: return;  // it goes on, is integrated, or somebody is asked
    }
  }
  if (stopped.empty()) return;
  bad("tasks", error(ErrorCode::kRefused,
                     "nothing is left to start: " + joined(stopped) +
                         (stopped.size() == 1 ? " was" : " were") + " cancelled or rejected",
                     "'git plan execute " + view_.id + " --resume' starts " +
                         (stopped.size() == 1 ? "it" : "them") + " again"));
}

}  // namespace gitplan
