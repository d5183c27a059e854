#include "core/engine/begin.h"

#include <algorithm>

namespace gitplan {
namespace {

bool wanted(const RunRequest& request, std::string_view task) {
  return request.tasks.empty() ||
         std::find(request.tasks.begin(), request.tasks.end(), task) != request.tasks.end();
}

bool stopped(TaskStatus status) {
  return status == TaskStatus::kFailed || status == TaskStatus::kCancelled ||
         status == TaskStatus::kTimedOut;
}

void start_afresh(const Plan& plan, const Ledger& ledger, const RunRequest& request,
                  std::vector<EventBody>& events) {
  for (const auto& task : plan.tasks()) {
    if (!wanted(request, task.name) || !stopped(ledger.task(task.name).status)) continue;
    for (const auto& decision : ledger.decisions) {
      const bool about_its_end =
          decision.asked.kind == "failed" || decision.asked.kind == "timed_out";
      if (decision.open() && about_its_end && decision.asked.task == task.name)
        events.push_back(DecisionWithdrawn{decision.asked.decision, "the task is started afresh"});
    }
    events.push_back(TaskSet{task.name, "pending", "started afresh by --resume"});
  }
}

}  // namespace

std::string target_of_next_run(const Ledger& ledger, const std::string& head) {
  const Run* last = ledger.run();
  const bool to_land = last != nullptr && ledger.newest_result() != nullptr &&
                       last->landed_commit.empty() && !last->target.empty();
  return to_land ? last->target : head;
}

Beginning begin_run(const Plan& plan, const Ledger& ledger, const RunRequest& request) {
  Beginning beginning;
  if (request.resume) start_afresh(plan, ledger, request, beginning.events);

  const Run* last = ledger.run();
  const bool executor_died = last != nullptr && last->outcome.empty();
  if (executor_died && last->control.empty() && last->tasks == request.tasks) {
    beginning.run = last->id;
    beginning.events.push_back(RunResumed{last->id});
    return beginning;
  }
  if (executor_died)
    beginning.events.push_back(RunEnded{last->id, last->control == "abort" ? "aborted" : "paused",
                                        "its executor was killed"});

  RunStarted started;
  started.run = request.run;
  started.target_tip = request.target_tip;
  // A wave that is half made stands where it stands, also when the target has moved since.
  const Wave* held = ledger.held_wave();
  started.base = held != nullptr ? held->base : request.base;
  started.land = request.land;
  started.tasks = request.tasks;
  started.jobs = request.jobs;
  started.target = target_of_next_run(ledger, request.target);
  if (ledger.left_unlanded()) started.land = "never";
  beginning.run = request.run;
  beginning.events.push_back(std::move(started));
  return beginning;
}

}  // namespace gitplan
