// Those who work by hand in the made-up world: other processes that write into the same journal.
#include <algorithm>

#include "core/engine/attempt_start.h"
#include "core/engine/hold.h"
#include "tests/core/engine/simulation.h"

namespace gitplan::simulation {

// `engine`: of the run at work, which hears of it; null: there is none.
void World::hands_at_work(Engine* engine) {
  const std::size_t before = journal_.size();
  for (const Task& task : plan_.tasks())
    if (const Attempt* claimed = ledger_.task(task.name).claimed())
      if (chance(0.3)) go_on_by_hand(task.name, *claimed);
  if (chance(settings_.hands)) take_by_hand();
  if (engine == nullptr || journal_.size() == before) return;
  for (std::size_t i = before; i < journal_.size(); ++i) engine->apply(journal_[i]);
  drive(*engine, engine->react({now_, random_(), JournalChanged{}}));
}

// The first that is ready, as `next --claim`.
void World::take_by_hand() {
  const Run* run = ledger_.run();
  if (run == nullptr || !plans_before(plan_, ledger_).empty()) return;
  const std::string base = !integration_.empty()  ? integration_
                           : run->outcome.empty() ? run->base
                                                  : target_;
  const auto views = readiness(plan_, graph_, ledger_, [&](std::string_view commit) {
    return is_ancestor(std::string(commit), base);
  });
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Task& task = plan_.tasks()[i];
    if (plan_.in_place(task)) continue;
    if (views[i].readiness != Readiness::kReady || hold_of(plan_, task, ledger_) != Hold::kNone)
      continue;
    AttemptStarted started = attempt_started(plan_, task, ledger_.task(task.name),
                                             {"", actor_, "hand", base, "refs/heads/plan/sim/"});
    started.lease = now_ + 1 + static_cast<Millis>(random_() % 4000);
    Process& process = processes_[task.name + "/" + started.attempt];
    process.by_hand = process.forked = true;
    ++taken_count_;
    append(std::move(started));
    return;
  }
}

// Done, given up, given back, or more time is asked for; mostly nothing, and the lease ends.
void World::go_on_by_hand(const std::string& task, const Attempt& attempt) {
  const std::uint64_t what = random_() % 12;
  if (what == 0) {
    append(AttemptRenewed{task, attempt.id, now_ + 1 + static_cast<Millis>(random_() % 4000)});
    return;
  }
  if (what > 4 || (what == 4 && failed_[task]++ >= 2)) return;
  Process& process = processes_[task + "/" + attempt.id];
  if (process.commit.empty()) {
    ToyCommit commit = commits_.at(attempt.base);
    commit.parents = {attempt.base};
    commit.tasks.insert(task);
    if (hot_tasks_.contains(task)) commit.hot = task;
    process.commit = new_commit(std::move(commit));
  }
  kept_.insert(process.commit);
  AttemptEnded ended;
  ended.task = task;
  ended.attempt = attempt.id;
  ended.commit = process.commit;
  ended.outcome = what == 4 ? "failed" : "finished";
  append(std::move(ended));
}

}  // namespace gitplan::simulation
