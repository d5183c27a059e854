// The effect Collect: what an attempt left is looked at on a worker thread, and its event made.
#include <algorithm>
#include <utility>

#include "git-plan/executor/collect.h"
#include "git-plan/executor/execution.h"

namespace gitplan {
namespace {

constexpr int kLostOnes = 2;  // how often a lost process is replaced before that is a failure
constexpr Millis kMinute = 60000;

int lost_attempts(const TaskRecord& record, std::string_view run) {
  return static_cast<int>(std::count_if(
      record.attempts.begin(), record.attempts.end(),
      [&](const Attempt& attempt) { return attempt.run == run && attempt.outcome == "lost"; }));
}

}  // namespace

// Worked on by hand, and its time is over: its work is kept, and nothing is asked of it.
void Execution::collect_given_up(const Collect& effect) {
  look_after(effect.task, effect.attempt, "collect");
  CollectJob job;
  const Task* found = engine_->plan().find(effect.task);
  job.task = found != nullptr ? *found : Task{};
  job.task.name = effect.task;
  job.fork = fork_spec(effect.task, effect.attempt);
  loop_.work([this, job = std::move(job)]() -> Loop::Action {
    Collected collected;
    auto repository = repositories_.take();
    if (!repository) {
      collected.ended = judge_without_work(job, repository.error());
    } else if (auto lock = AttemptLock::take(job.fork.attempt_dir); !lock) {
      collected.ended.task = job.task.name;  // `done` or `fail` takes it in just now
      collected.ended.attempt = job.fork.attempt;
    } else {
      Forks forks(**repository, settings_, setup_.actor);
      collected = collect_unproved(job, **repository, forks, shell_);
    }
    return [this, collected = std::move(collected)] {
      input(collected);
      live_.erase(collected.ended.task);
    };
  });
}

void Execution::carry_out(const Collect& effect) {
  if (effect.stopped_by == "lease") return collect_given_up(effect);
  Live* live = this->live(effect.task, effect.attempt);
  if (live == nullptr) return;
  live->phase = "collect";
  const Task* found = engine_->plan().find(effect.task);
  CollectJob job;
  job.task = found != nullptr ? *found : Task{};
  job.task.name = effect.task;
  job.fork = fork_spec(effect.task, effect.attempt);
  job.actor = setup_.actor;
  job.left.hung = effect.stopped_by == "end";
  job.left.exit_code = job.left.hung ? 0 : effect.exit_code;
  if (!job.left.hung) job.left.stopped_by = effect.stopped_by;
  job.left.error = live->lost ? "" : live->error;
  job.left.lost = live->lost;
  if (auto agent = agent_command(job.task, settings_, live->agent)) {
    job.left.agent = agent->agent;
    job.left.command = agent->command;
    if (!files_of(effect.task, effect.attempt).on_terminal()) job.preset = agent->preset;
  }
  job.before = std::move(live->before);
  job.enforce_scope = setup_.enforce_scope;
  const std::string tree = files_of(effect.task, effect.attempt).tree();
  job.in_place = job.fork.branch.empty();
  if (job.in_place) {
    job.scope = scope_in_place(effect.task, effect.attempt);
    job.memo = &tree_memo_;
  }
  job.environment = task_environment(place_of(job.task, *live, tree));
  job.check_deadline = minutes_of(effect.task, effect.attempt) * kMinute;
  const bool too_often =
      lost_attempts(engine_->ledger().task(effect.task), setup_.run) >= kLostOnes;

  loop_.work([this, job = std::move(job), too_often]() -> Loop::Action {
    Collected collected;
    auto repository = repositories_.take();
    if (repository) {
      Forks forks(**repository, settings_, setup_.actor);
      collected = collect(job, **repository, forks, shell_);
    } else {
      collected.ended = judge_without_work(job, repository.error());
    }
    AttemptEnded& ended = collected.ended;
    if (ended.outcome == "lost" && too_often) {
      ended.outcome = "failed";
      ended.failure = "task";
      ended.error = "its process was lost " + std::to_string(kLostOnes + 1) + " times";
    }
    const bool over =
        ended.outcome == "finished" && !job.in_place && job.task.checkpoint == Checkpoint::kNone;
    return [this, collected = std::move(collected), over, fork = job.fork]() mutable {
      if (over) finished_.push_back(fork);
      note_changed_meanwhile(collected.ended);
      input(collected);
      live_.erase(collected.ended.task);
    };
  });
}

}  // namespace gitplan
