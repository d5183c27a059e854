// How the made-up world carries out effects. Each looks first whether it was done before a crash.
#include <algorithm>

#include "tests/core/engine/simulation.h"

namespace gitplan::simulation {
namespace {

std::string key(const std::string& task, const std::string& attempt) {
  return task + "/" + attempt;
}

}  // namespace

void World::carry_out(const Effect& e) {
  std::visit([&](const auto& body) { effect(body); }, e);
}

void World::effect(const Wait& e) { answer(std::max<Millis>(0, e.until - now_), TimerFired{}); }

void World::effect(const Watch& e) {
  using enum OtherPlan::State;
  if (e.plan.plan.empty()) {
    OtherPlan over{kDone, ""};
    over.base = integration_.empty() ? target_ : integration_;
    return answer(2, std::move(over));
  }
  const int looks = looked_at_other_[e.plan.plan]++;
  if (looks == 4 && ledger_.waves.empty()) {
    ToyCommit commit = commits_.at(target_);
    commit.parents = {target_};
    by_other_ = target_ = new_commit(std::move(commit));
  }
  answer(2, OtherPlan{looks == 2  ? kFailed
                      : looks < 4 ? kPending
                                  : kDone,
                      "it is at work", e.plan.plan});
}

void World::fork_in_place(const Fork& e) {
  Process& process = processes_[key(e.task, e.attempt)];
  if (process.forked) return answer(1, ForkReady{e.task, e.attempt, process.base});
  const bool current = integration_.empty() || is_ancestor(integration_, target_);
  if (e.only_if_begun || !current || chance(0.05)) return answer(1, SlotRefused{e.task, e.attempt});
  if (chance(settings_.failures / 4) && failed_[e.task]++ < 2)
    return answer(5, ForkFailed{e.task, e.attempt, "fork", "your branch was rebased"});
  process.forked = true;
  process.base = target_;
  answer(5, ForkReady{e.task, e.attempt, process.base});
}

// No run forks, starts or stops what somebody works on by hand.
void World::left_alone(const std::string& task, const std::string& attempt) {
  const Attempt* claimed = ledger_.task(task).claimed();
  if (claimed != nullptr && claimed->id == attempt)
    fail("the run meddles with what is worked on by hand: " + task);
}

void World::effect(const Fork& e) {
  left_alone(e.task, e.attempt);
  if (e.branch.empty()) return fork_in_place(e);
  Process& process = processes_[key(e.task, e.attempt)];
  if (process.forked) return answer(1, ForkReady{e.task, e.attempt});
  int taken = 0;
  for (const auto& [name, other] : processes_)
    taken += other.started && !other.by_hand && !other.exited && other.ends > now_;
  if (taken >= settings_.slots || chance(0.05)) return answer(1, SlotRefused{e.task, e.attempt});
  if (chance(settings_.failures / 4) && failed_[e.task]++ < 2)
    return answer(5, ForkFailed{e.task, e.attempt, "fork", "no space left on device"});
  process.forked = true;
  answer(5, ForkReady{e.task, e.attempt});
}

void World::effect(const Start& e) {
  left_alone(e.task, e.attempt);
  Process& process = processes_[key(e.task, e.attempt)];
  if (!process.forked) return fail("started without a tree: " + e.task);
  if (process.failure == "lost")
    return answer(1, ProcessEnded{e.task, e.attempt, 137, "", "its process was lost"});
  if (!process.started) {
    process.started = true;
    process.ends = now_ + 1 + static_cast<Millis>(random_() % 5000);
    if (chance(settings_.failures) && failed_[e.task]++ < 2)
      process.exit_code = 3;
    else if (chance(settings_.transients) && passed_by_[e.task]++ < 1)
      process.exit_code = 75;
    else if (chance(settings_.limits) && limited_[e.task]++ < 4)
      process.exit_code = 76;
    else if (chance(settings_.timeouts) && timed_out_[e.task]++ < 1)
      process.stopped_by = "wall";
  }
  if (process.exited || process.ends <= now_) {
    process.exited = true;
    return answer(1, ProcessEnded{e.task, e.attempt, process.exit_code, process.stopped_by, ""});
  }
  answer(process.ends - now_,
         ProcessEnded{e.task, e.attempt, process.exit_code, process.stopped_by, ""});
}

void World::effect(const Stop& e) {
  left_alone(e.task, e.attempt);
  Process& process = processes_[key(e.task, e.attempt)];
  const bool over = process.exited || (process.started && process.ends <= now_);
  if (!over) {
    process.stopped_by = e.why;
    process.exit_code = 143;
    process.ends = now_;
  }
  process.started = process.exited = true;
  answer(1, ProcessEnded{e.task, e.attempt, process.exit_code, process.stopped_by, ""});
}

void World::effect(const Collect& e) {
  Process& process = processes_[key(e.task, e.attempt)];
  const Attempt* attempt = ledger_.task(e.task).last();
  process.exited = true;
  AttemptEnded ended;
  ended.task = e.task;
  ended.attempt = e.attempt;
  ended.exit_code = e.exit_code;
  const bool by_hand = attempt->by_hand();
  if (by_hand && chance(0.2)) return answer(2, Collected{ended});  // somebody takes it in just now
  if (process.failure == "lost" && !by_hand) {
    ended.outcome = "lost";
    return answer(2, Collected{ended});
  }
  if (process.commit.empty()) {
    ToyCommit commit = commits_.at(attempt->base);
    commit.parents = {attempt->base};
    commit.tasks.insert(e.task);
    if (hot_tasks_.contains(e.task)) commit.hot = e.task;
    process.commit = new_commit(std::move(commit));
  }
  kept_.insert(process.commit);
  ended.commit = process.commit;
  if (by_hand) {
    ended.outcome = "lost";
    return answer(2, Collected{ended});
  }
  ended.outcome = e.exit_code == 0 ? "finished" : "failed";
  Millis until = 0;
  if (e.exit_code == 76) {
    ended.failure = "rate_limit";
    until = now_ + 60000;
  } else if (e.exit_code == 75)
    ended.failure = "network";
  else if (e.exit_code != 0)
    ended.failure = "task";
  Collected collected{ended, until};
  if (attempt->in_place() && ended.outcome == "finished" && chance(settings_.refusals)) {
    ToyCommit all = commits_.at(process.commit);
    collected.with_mixed = new_commit(std::move(all));
    collected.mixed = {{"a", "dirty", {{"user", {}}, {e.task, {}}}}};
  }
  answer(2, std::move(collected));
}

void World::effect(const Integrate& e) {
  Merged merged;
  merged.wave = e.wave;
  ToyCommit tree = commits_.at(e.base);
  const std::string hot_before = tree.hot;
  for (const auto& part : e.parts) {
    const ToyCommit& mine =
        commits_.at(part.choice.commit.empty() ? part.commit : part.choice.commit);
    const std::string hot_at_base = commits_.at(part.base).hot;
    const bool changed = mine.hot != hot_at_base;
    const bool theirs_changed = tree.hot != hot_at_base;
    if (changed && theirs_changed && tree.hot != mine.hot && part.choice.keep.empty() &&
        part.choice.commit.empty()) {
      Conflict conflict{"hot.txt", "content", {{part.task, {{1, 1}}}, {tree.hot, {{1, 1}}}}};
      merged.overlaps.push_back({part.task, {conflict}});
      continue;
    }
    tree.tasks.insert(part.task);
    if (changed &&
        (!theirs_changed || part.choice.keep == part.task || !part.choice.commit.empty()))
      tree.hot = mine.hot;
    merged.tasks.push_back(part.task);
  }
  if (!merged.tasks.empty()) {
    for (const auto& task : tree.tasks) merged.tree += task + ",";
    merged.tree += "/" + tree.hot;
  }
  answer(3, merged);
}

void World::effect(const Commit& e) {
  const std::string wave = e.run + "/" + std::to_string(e.wave) + "/" + e.base + "/" + e.tree;
  if (const auto done = wave_commits_.find(wave); done != wave_commits_.end())
    return answer(1, Committed{e.wave, done->second});
  if (!e.no_hooks && chance(settings_.refusals) && refused_.insert("commit" + e.run).second)
    return answer(3, CommitRefused{e.wave, "hook", "no"});
  ToyCommit commit = commits_.at(e.base);
  commit.parents = {e.base};
  for (const auto& task : e.tasks)
    if (!commit.tasks.insert(task).second) fail(task + " is integrated twice");
  commit.hot = e.tree.substr(e.tree.rfind('/') + 1);
  commit.wave_key = wave;
  const std::string id = new_commit(std::move(commit));
  wave_commits_[wave] = id;
  answer(3, Committed{e.wave, id});
}

void World::effect(const Verify& e) {
  const bool passed = !(chance(settings_.refusals) && refused_.insert("verify" + e.commit).second);
  answer(10, Verified{e.wave, passed, passed ? "" : "make check", ""});
}

void World::effect(const Advance& e) {
  const std::string at = integration_.empty() ? e.from : integration_;
  if (at != e.to && at != e.from && at != e.last) return answer(1, AdvanceRefused{e.wave, at});
  integration_ = e.to;
  answer(1, Advanced{e.wave});
}

void World::effect(const Land& e) {
  if (is_ancestor(e.commit, target_)) return answer(1, LandDone{e.branch, target_});
  if (chance(settings_.refusals))
    return answer(1, LandWaits{e.branch, "you are in the middle of a rebase"});
  const bool undecided = e.answers.committed.empty();
  if (undecided && chance(settings_.refusals) && refused_.insert("land").second)
    return answer(1, LandConflict{e.branch, false, {{"a", "content", {{"user", {}}, {"t0", {}}}}}});
  if (is_ancestor(target_, e.commit)) {
    target_ = e.commit;
  } else {
    ToyCommit merge = commits_.at(e.commit);
    merge.parents = {target_, e.commit};
    target_ = new_commit(std::move(merge));
  }
  answer(4, LandDone{e.branch, target_});
}

void World::effect(const Release& e) {
  const std::string id = key(e.task, e.attempt);
  const auto found = processes_.find(id);
  if (found != processes_.end() && !found->second.commit.empty() &&
      !kept_.contains(found->second.commit))
    fail("released before it was kept: " + id);
  released_.insert(id);
}

}  // namespace gitplan::simulation
