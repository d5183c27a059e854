// Clones that work apart on one plan and hear of each other in any order.
#include "core/ledger/apart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/ledger/ledger_codec.h"

namespace gitplan {
namespace {

// A clone with its journal in memory. It writes as the store does: what does not fit its own view
// is refused.
class Clone {
 public:
  explicit Clone(std::string actor) : actor_(std::move(actor)) { ledger_.self = actor_; }

  bool write(EventBody body) {
    if (!misfit(ledger_, body).empty()) return false;
    const auto known = ledger_.actors.find(actor_);
    events_.push_back(stamp(std::move(body), actor_,
                            known == ledger_.actors.end() ? "" : known->second.last_id,
                            ledger_.clock + 1, 1000 * static_cast<Millis>(ledger_.clock + 1)));
    apply(ledger_, events_.back());
    return true;
  }
  void pull(const Clone& other) {
    std::set<std::string> known;
    for (const Event& event : events_) known.insert(event.id);
    for (const Event& event : other.events_)
      if (known.insert(event.id).second) events_.push_back(event);
    ledger_ = fold(events_);
    ledger_.self = actor_;
  }

  const Ledger& ledger() const { return ledger_; }
  const std::vector<Event>& events() const { return events_; }
  const std::string& actor() const { return actor_; }

  void run(const std::string& id) {
    RunStarted started;
    started.run = actor_ + "." + id;
    started.base = "b";
    ASSERT_TRUE(write(started));
  }
  std::string open_run() const {
    const Run* run = ledger_.run();
    return run != nullptr && run->outcome.empty() ? run->id : "";
  }
  void attempt(const std::string& task, const std::string& outcome = "finished") {
    AttemptStarted started;
    started.run = open_run();
    started.task = task;
    started.attempt = actor_ + "." + std::to_string(++attempts_);
    ASSERT_TRUE(write(started));
    AttemptEnded ended;
    ended.task = task;
    ended.attempt = started.attempt;
    ended.outcome = outcome;
    ended.commit = "c";
    ASSERT_TRUE(write(ended));
  }
  void wave(const std::string& task, const std::string& commit) {
    int number = 1;
    for (const Wave& wave : ledger_.waves) number = std::max(number, wave.number + 1);
    const std::string run = open_run();
    ASSERT_TRUE(write(WaveStarted{run, number, "b", {task}}));
    ASSERT_TRUE(write(WaveMerged{run, number, "t", {task}, {}, {}}));
    ASSERT_TRUE(write(WaveCommitted{run, number, commit}));
    ASSERT_TRUE(write(WaveCompleted{run, number, commit, {task}, "clean", ""}));
  }
  void complete(const std::string& task, const std::string& commit) {
    if (open_run().empty()) run(std::to_string(++runs_));
    attempt(task);
    wave(task, commit);
  }

 private:
  std::string actor_;
  std::vector<Event> events_;
  Ledger ledger_;
  int attempts_ = 0, runs_ = 0;
};

class Apart : public testing::Test {
 protected:
  Apart() {
    a.write(PlanCreated{"p", "A plan", "d0", ""});
    b.pull(a);
  }
  void meet() {
    a.pull(b);
    b.pull(a);
    EXPECT_EQ(ledger_to_json(a.ledger()), ledger_to_json(b.ledger()));
  }
  TaskStatus status(const std::string& task) { return a.ledger().task(task).status; }

  Clone a{"aaaaaaaaaaaa"}, b{"bbbbbbbbbbbb"};
};

TEST_F(Apart, DifferentTasksOfOnePlanAreBothCompleted) {
  a.complete("one", "c1");
  b.complete("two", "c2");
  meet();
  EXPECT_EQ(TaskStatus::kCompleted, status("one"));
  EXPECT_EQ(TaskStatus::kCompleted, status("two"));
  EXPECT_EQ("c1", a.ledger().task("one").commit);
  EXPECT_EQ("c2", a.ledger().task("two").commit);
  EXPECT_EQ(a.actor(), a.ledger().run()->actor);
  EXPECT_EQ(b.actor(), b.ledger().run()->actor);
  EXPECT_EQ("", a.open_run().empty() ? "ended" : "");
  EXPECT_TRUE(a.write(RunEnded{a.open_run(), "completed", ""}));
  EXPECT_TRUE(b.write(RunEnded{b.open_run(), "completed", ""}));
  meet();
  EXPECT_EQ(PlanState::kCompleted, a.ledger().state);
  EXPECT_TRUE(a.ledger().misfits.empty());
}

TEST_F(Apart, ATaskThatBothCompletedKeepsBothAndAsksWhichCounts) {
  a.complete("one", "c1");
  b.complete("one", "c2");
  meet();
  EXPECT_EQ(TaskStatus::kCompleted, status("one"));
  EXPECT_EQ(2u, a.ledger().task("one").attempts.size());
  ASSERT_EQ(1u, a.ledger().decisions.size());
  const Decision& decision = a.ledger().decisions.front();
  EXPECT_EQ("completed_twice", decision.asked.kind);
  ASSERT_EQ(2u, decision.asked.options.size());
  EXPECT_TRUE(a.ledger().misfits.empty());
  const std::string first = a.ledger().task("one").commit;
  const std::string other = first == "c1" ? b.actor() + ".1" : a.actor() + ".1";
  EXPECT_TRUE(b.write(DecisionResolved{decision.asked.decision, "keep:" + other, "", 0}));
  meet();
  EXPECT_NE(first, a.ledger().task("one").commit);
  EXPECT_FALSE(a.ledger().decisions.front().open());
}

TEST_F(Apart, WhatChangedNothingGivesWayToWhatDid) {
  a.complete("one", "");
  b.complete("one", "c2");
  meet();
  EXPECT_EQ("c2", a.ledger().task("one").commit);
  EXPECT_TRUE(a.ledger().decisions.empty());
}

TEST_F(Apart, ADeletionLosesToWorkThatItHadNotSeen) {
  // In the order of the journal the work comes first,
  EXPECT_TRUE(b.write(DefinitionChanged{"d1", {"d0"}, "", "edit"}));
  EXPECT_TRUE(a.write(Remark{"", "later"}));
  EXPECT_TRUE(a.write(deletion_of(a.ledger())));
  meet();
  EXPECT_EQ(PlanState::kActive, a.ledger().state);
  ASSERT_EQ(1u, a.ledger().misfits.size());
  EXPECT_EQ("another clone went on with the plan", a.ledger().misfits.front().why);
  // or last.
  EXPECT_TRUE(a.write(deletion_of(a.ledger())));
  EXPECT_EQ(PlanState::kDeleted, a.ledger().state);
  EXPECT_TRUE(b.write(Remark{"", "later"}));
  EXPECT_TRUE(b.write(Remark{"", "still later"}));
  EXPECT_TRUE(b.write(DefinitionChanged{"d2", {"d1"}, "", "edit"}));
  meet();
  EXPECT_EQ(PlanState::kActive, a.ledger().state);
  EXPECT_EQ(std::vector<std::string>{"d2"}, a.ledger().heads);
}

TEST_F(Apart, ADeletionWinsOverWhatIsNoWork) {
  EXPECT_TRUE(b.write(Remark{"", "nothing"}));
  EXPECT_TRUE(b.write(SnapshotTaken{"c", {}, {}}));
  EXPECT_TRUE(a.write(deletion_of(a.ledger())));
  meet();
  EXPECT_EQ(PlanState::kDeleted, a.ledger().state);
  EXPECT_FALSE(b.write(DefinitionChanged{"d1", {"d0"}, "", "edit"}));
  EXPECT_EQ("the plan is deleted", misfit(b.ledger(), TaskSet{"one", "skipped", ""}));
}

TEST_F(Apart, BothMayDelete) {
  EXPECT_TRUE(a.write(deletion_of(a.ledger())));
  EXPECT_TRUE(b.write(deletion_of(b.ledger())));
  meet();
  EXPECT_EQ(PlanState::kDeleted, a.ledger().state);
}

TEST_F(Apart, ARunStartsOnWhatAnotherHasArchived) {
  EXPECT_TRUE(a.write(PlanStateSet{"archived", "", {}}));
  b.complete("one", "c1");
  meet();
  EXPECT_EQ(TaskStatus::kCompleted, status("one"));
  EXPECT_EQ(PlanState::kRunning, a.ledger().state);
}

TEST_F(Apart, WhatAnotherCloneHasIsLeftAloneForItsTime) {
  b.run("1");
  AttemptStarted started;
  started.run = b.open_run();
  started.task = "one";
  started.attempt = b.actor() + ".1";
  started.minutes = 5;
  EXPECT_TRUE(b.write(started));
  a.pull(b);
  const TaskRecord& task = a.ledger().task("one");
  EXPECT_TRUE(a.ledger().elsewhere(task));
  EXPECT_FALSE(b.ledger().elsewhere(b.ledger().task("one")));
  EXPECT_EQ(task.last()->started + 15 * 60'000, held_until(task));
  EXPECT_EQ(nullptr, a.ledger().run());
  EXPECT_EQ(nullptr, a.ledger().held_wave());
}

TEST_F(Apart, APlanRemembersTheNamesThatItHad) {
  EXPECT_TRUE(a.write(PlanRenamed{"p-2", "p"}));
  EXPECT_FALSE(a.write(PlanRenamed{"p-2", "p"}));
  EXPECT_EQ("p-2", a.ledger().plan);
  EXPECT_EQ(std::vector<std::string>{"p"}, a.ledger().former_names);
}

// ---- any order ----

class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    const int clones = 2 + pick(3);
    for (int i = 0; i < clones; ++i)
      clones_.emplace_back(std::string(11, 'a') + static_cast<char>('a' + i));
    clones_.front().write(PlanCreated{"p", "A plan", "d0", ""});
    for (Clone& clone : clones_) clone.pull(clones_.front());
  }

  void step() {
    Clone& clone = clones_[static_cast<std::size_t>(pick(static_cast<int>(clones_.size())))];
    const std::string task = "t" + std::to_string(pick(4));
    switch (pick(12)) {
      case 0:
        return void(
            clone.pull(clones_[static_cast<std::size_t>(pick(static_cast<int>(clones_.size())))]));
      case 1: return edit(clone);
      case 2: return remove(clone);
      case 3: return void(clone.write(PlanStateSet{"active", "undo", {}}));
      case 4: return void(clone.write(TaskSet{task, pick(2) == 0 ? "skipped" : "pending", ""}));
      case 5:
        if (!clone.open_run().empty())
          clone.write(RunEnded{clone.open_run(), pick(2) == 0 ? "paused" : "completed", ""});
        return;
      case 6: return void(clone.write(PlanStateSet{"archived", "", {}}));
      case 7: return answer(clone);
      default: return work(clone, task);
    }
  }

  void all_meet() {
    for (int round = 0; round < 2; ++round)
      for (Clone& clone : clones_)
        for (const Clone& other : clones_) clone.pull(other);
  }

  std::vector<Clone>& clones() { return clones_; }
  const std::set<std::string>& completed() const { return completed_; }
  const std::set<std::string>& commits() const { return commits_; }

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  void edit(Clone& clone) {
    const std::string text = "d" + std::to_string(++texts_);
    clone.write(DefinitionChanged{text, clone.ledger().heads, "", "edit"});
  }
  void remove(Clone& clone) { clone.write(deletion_of(clone.ledger())); }
  void answer(Clone& clone) {
    for (const Decision& decision : clone.ledger().decisions)
      if (decision.open()) {
        const auto& options = decision.asked.options;
        if (options.empty()) return;
        clone.write(DecisionResolved{
            decision.asked.decision,
            options[static_cast<std::size_t>(pick(static_cast<int>(options.size())))].key, "", 0});
        return;
      }
  }
  void work(Clone& clone, const std::string& task) {
    const Ledger& ledger = clone.ledger();
    const TaskRecord& record = ledger.task(task);
    if (ledger.state == PlanState::kDeleted || ledger.state == PlanState::kArchived ||
        record.status == TaskStatus::kCompleted || record.status == TaskStatus::kSkipped ||
        (record.status == TaskStatus::kRunning && !ledger.elsewhere(record)))
      return;
    if (clone.open_run().empty() && !misfit(ledger, RunStarted{.run = "r", .tasks = {}}).empty())
      return;
    const std::string commit = "c" + std::to_string(++waves_);
    clone.complete(task, commit);
    completed_.insert(task);
    commits_.insert(commit);
  }

  std::mt19937 random_;
  std::vector<Clone> clones_;
  std::set<std::string> completed_, commits_;
  int texts_ = 0, waves_ = 0;
};

TEST(ApartInAnyOrder, AllEndEqualAndNoWorkIsLost) {
  const int worlds = std::getenv("GITPLAN_LONG") != nullptr ? 100'000 : 10'000;
  for (int seed = 0; seed < worlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(static_cast<unsigned>(seed));
    std::set<std::string> all;
    for (int i = 0; i < 30; ++i) world.step();
    for (const Clone& clone : world.clones())
      for (const Event& event : clone.events()) all.insert(event.id);
    world.all_meet();
    const Ledger& ledger = world.clones().front().ledger();
    for (const Clone& clone : world.clones()) {
      ASSERT_EQ(ledger_to_json(ledger), ledger_to_json(clone.ledger()));
      ASSERT_EQ(all.size(), clone.events().size());
    }
    // Whatever was completed in some clone is completed, by a commit that one of them made.
    for (const std::string& task : world.completed()) {
      ASSERT_EQ(TaskStatus::kCompleted, ledger.task(task).status) << task;
      ASSERT_TRUE(world.commits().contains(ledger.task(task).commit)) << task;
    }
    ASSERT_FALSE(ledger.heads.empty());
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace gitplan
