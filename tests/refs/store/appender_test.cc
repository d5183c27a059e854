#include <unistd.h>

#include "refs/store/run_lock.h"
#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

class AppenderTest : public PlanFixture {
 protected:
  void SetUp() override {
    create("p");
    lock = std::make_unique<RunLock>(
        good(RunLock::take(good(store().plan_dir("p")), {"run1", "here", getpid(), 0})));
    appender = good(store().appender("p"));
    other = std::make_unique<Opened>(repo.path());
  }
  void elsewhere(const std::string& text) {
    good(other->store.change("p",
                             [&](const PlanView&) -> Result<Store::Change> { return note(text); }));
  }
  static std::vector<std::string> texts(const Result<std::vector<Event>>& events) {
    std::vector<std::string> result;
    EXPECT_TRUE(events.ok());
    if (events.ok())
      for (const Event& event : *events) {
        const auto* remark = std::get_if<Remark>(&event.body);
        result.push_back(remark == nullptr ? std::string(type_of(event.body)) : remark->text);
      }
    return result;
  }
  using Texts = std::vector<std::string>;

  std::unique_ptr<RunLock> lock;
  std::unique_ptr<Store::Appender> appender;
  std::unique_ptr<Opened> other;
};

TEST_F(AppenderTest, ReturnsItsOwnStamped) {
  EXPECT_EQ(appender->take_view().id, "p");
  const auto events = good(appender->append({Remark{"", "one"}, Remark{"", "two"}}));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].clock, 2u);
  EXPECT_EQ(events[1].clock, 3u);
  EXPECT_EQ(events[1].actor, store().actor());
  EXPECT_EQ(texts(appender->poll()), Texts{});
}

TEST_F(AppenderTest, OthersComeFirstAsTheyLie) {
  (void)good(appender->append({Remark{"", "own"}}));
  elsewhere("a");
  elsewhere("b");
  EXPECT_EQ(texts(appender->append({Remark{"", "own2"}})), (Texts{"a", "b", "own2"}));
  elsewhere("c");
  EXPECT_EQ(texts(appender->poll()), Texts{"c"});
  EXPECT_EQ(texts(appender->poll()), Texts{});
}

TEST_F(AppenderTest, AFlushHidesNothingAndRepeatsNothing) {
  (void)good(appender->append({Remark{"", "own"}}));
  elsewhere("a");
  good(store().flush("p"));
  EXPECT_EQ(texts(appender->poll()), Texts{"a"});
  EXPECT_EQ(texts(appender->poll()), Texts{});
  elsewhere("b");
  good(store().flush("p"));
  elsewhere("c");
  EXPECT_EQ(texts(appender->append({Remark{"", "own2"}})), (Texts{"b", "c", "own2"}));
  good(store().flush("p"));
  EXPECT_EQ(texts(appender->poll()), Texts{});
}

TEST_F(AppenderTest, ALateFlushOfACommandIsSeen) {
  // It looked for a run just before this one took its lock.
  lock.reset();
  elsewhere("late");
  EXPECT_EQ(texts(appender->append({Remark{"", "own"}})), (Texts{"late", "own"}));
  good(store().flush("p"));
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(AppenderTest, ManyAppendsAndFlushesFoldAsOne) {
  for (int i = 0; i < 30; ++i) {
    (void)good(appender->append({Remark{"", "own"}}, i % 2 == 0));
    if (i % 7 == 0) elsewhere("other");
    if (i % 10 == 0) good(store().flush("p", {{"waves/001/" + std::to_string(i), "x"}}, "Flush"));
  }
  good(appender->sync());
  good(store().flush("p"));
  EXPECT_EQ(good(Opened(repo.path()).store.load("p")).ledger.remarks.size(), 35u);
  EXPECT_EQ(repo.git({"log", "-1", "--skip=1", "--format=%s", "refs/plans/p"}), "Flush");
  for (const Diagnostic& fault : good(store().fsck())) ADD_FAILURE() << to_string(fault);
}

TEST_F(AppenderTest, AFailedAppendLosesNoForeignEvent) {
  elsewhere("a");
  const std::string file = wal(appender->take_view());
  std::filesystem::rename(repo.path() / file, repo.path() / (file + "x"));
  std::filesystem::create_directories(repo.path() / file);  // cannot be opened for writing
  EXPECT_FALSE(appender->append({Remark{"", "own"}}).ok());
  std::filesystem::remove(repo.path() / file);
  std::filesystem::rename(repo.path() / (file + "x"), repo.path() / file);
  EXPECT_EQ(texts(appender->append({Remark{"", "own"}})), (Texts{"a", "own"}));
  good(store().flush("p"));
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(AppenderTest, WhatOthersHaveOvertakenIsLeftOut) {
  int asked = 0;
  const auto revise = [&](const std::vector<Event>& others, std::vector<EventBody>& bodies) {
    ++asked;
    EXPECT_EQ(others.size(), 1u);
    bodies.erase(bodies.begin());
  };
  // Nobody wrote: nothing is overtaken.
  EXPECT_EQ(texts(appender->append({Remark{"", "one"}}, true, revise)), Texts{"one"});
  EXPECT_EQ(asked, 0);
  elsewhere("a");
  EXPECT_EQ(texts(appender->append({Remark{"", "two"}, Remark{"", "three"}}, true, revise)),
            (Texts{"a", "three"}));
  elsewhere("b");
  EXPECT_EQ(texts(appender->append({Remark{"", "four"}}, true, revise)), Texts{"b"});
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(texts(appender->append({Remark{"", "five"}}, true, revise)), Texts{"five"});
  EXPECT_EQ(good(store().load("p")).ledger.remarks.size(), 5u);
}

TEST_F(AppenderTest, OutputsAreRenderedForThoseThatDepend) {
  const std::string attempt = store().actor() + ".1";
  AttemptStarted started;
  started.run = "run1";
  started.task = "task1";
  started.attempt = attempt;
  RunStarted run;
  run.run = "run1";
  AttemptEnded ended;
  ended.run = "run1";
  ended.task = "task1";
  ended.attempt = attempt;
  ended.outcome = "finished";
  ended.output = true;
  (void)good(appender->append({run, started, ended}));
  good(store().flush("p", {{"outputs/task1/" + attempt + ".md", "done"}}, ""));
  EXPECT_EQ(good(store().load("p")).ledger.misfits.size(), 0u);
  EXPECT_EQ(good(store().file("p", "outputs/task1/" + attempt + ".md")), "done");
  EXPECT_EQ(good(store().file("p", "outputs/task1.md")), "done");
}

TEST(RunLockTest, OneRunAtATime) {
  TempRepo repo;
  const std::string dir = repo.path() / ".git/git-plan/plans/x";
  EXPECT_FALSE(RunLock::holder(dir).has_value());
  {
    const RunLock first = good(RunLock::take(dir, {"run1", "host", 42, 1772532000000}));
    const auto second = RunLock::take(dir, {"run2", "host", 43, 0});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::kBusy);
    EXPECT_EQ(second.error().message,
              "a run is at work on this plan: process 42 on host, since 2026-03-03T10:00:00Z");
    const auto holder = RunLock::holder(dir);
    ASSERT_TRUE(holder.has_value());
    EXPECT_EQ(holder->run, "run1");
    EXPECT_EQ(holder->pid, 42);
    EXPECT_EQ(holder->since, 1772532000000);
  }
  EXPECT_FALSE(RunLock::holder(dir).has_value());
  EXPECT_TRUE(RunLock::take(dir, {"run2", "host", 43, 0}).ok());
}

}  // namespace
}  // namespace gitplan::test
