// Many writers on one plan, as real processes, beside git itself.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "refs/store/left_lock.h"
#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

class Contention : public PlanFixture {
 protected:
  // Runs `work` in a child; its standard error goes to a file.
  template <typename Work>
  void start(Work work) {
    const std::string log = repo.root() / ("stderr-" + std::to_string(children_.size()));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(fd, STDERR_FILENO);
      int status = 0;
      try {
        work();
      } catch (const std::exception& fault) {
        dprintf(STDERR_FILENO, "%s\n", fault.what());
        status = 1;
      }
      _exit(status);
    }
    children_.emplace_back(child, log);
  }

  // All have ended well and said nothing.
  void join() {
    for (const auto& [child, log] : children_) {
      int status = 0;
      waitpid(child, &status, 0);
      std::ifstream file(log);
      const std::string text{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
      EXPECT_EQ(status, 0) << text;
      EXPECT_EQ(text, "");
    }
    children_.clear();
  }

  // The git command again and again beside `work`.
  template <typename Work>
  void beside(const std::string& command, Work work) {
    const pid_t packer = fork();
    ASSERT_GE(packer, 0);
    if (packer == 0) {
      const std::string script =
          "until test -e stop; do git -C repo " + command + " 2>>packing || exit 1; done";
      if (chdir(repo.root().c_str()) == 0) execlp("sh", "sh", "-c", script.c_str(), nullptr);
      _exit(127);
    }
    work();
    repo.write("../stop", "");
    int status = 0;
    waitpid(packer, &status, 0);
    EXPECT_EQ(status, 0) << repo.read("../packing");
  }

  void eight_writers_beside(const std::string& command, int each) {
    constexpr int kWriters = 8;
    create("p");
    opened.reset();
    beside(command, [&] {
      for (int w = 0; w < kWriters; ++w)
        start([&, w] {
          for (int i = 0; i < each; ++i) {
            Opened mine(repo.path());  // what a new command sees
            good(mine.store.change("p", [&](const PlanView&) -> Result<Store::Change> {
              return note(std::to_string(w) + "." + std::to_string(i));
            }));
          }
        });
      join();
    });
    reopen();
    const auto expected = static_cast<std::size_t>(kWriters * each) + 1;
    EXPECT_EQ(good(store().journal("p")).size(), expected);
    EXPECT_EQ(good(store().load("p")).ledger.events, expected);
    EXPECT_TRUE(good(store().load("p")).ledger.misfits.empty());
    EXPECT_EQ(repo.git({"rev-list", "--count", "refs/plans/p"}), std::to_string(expected));
    EXPECT_EQ(repo.git({"fsck", "--strict", "--connectivity-only"}), "");
    for (const Diagnostic& fault : good(store().fsck())) ADD_FAILURE() << to_string(fault);
  }

 private:
  std::vector<std::pair<pid_t, std::string>> children_;
};

TEST_F(Contention, EightWritersOnOnePlanBesidePackRefs) {
  eight_writers_beside("pack-refs --all", std::getenv("GITPLAN_LONG") != nullptr ? 150 : 25);
}

TEST_F(Contention, EightWritersOnOnePlanBesideGc) {
  eight_writers_beside("gc --quiet", std::getenv("GITPLAN_LONG") != nullptr ? 150 : 15);
}

// The objects that an open store has seen loose are in a pack at its next change.
TEST_F(Contention, WhatIsPackedBetweenTwoChangesIsFound) {
  create("p", plan_text("Packed", 20));
  for (int i = 0; i < 3; ++i) {
    repo.git({"repack", "-adq"});
    repo.git({"prune-packed"});
    good(store().change(
        "p", [](const PlanView&) -> Result<Store::Change> { return note("once more"); }));
  }
  reopen();
  EXPECT_EQ(good(store().load("p")).ledger.remarks.size(), 3u);
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(Contention, EightWritersOnEightPlansBesidePackRefs) {
  constexpr int kWriters = 8, kEach = 10;
  for (int w = 0; w < kWriters; ++w) create("p" + std::to_string(w));
  opened.reset();
  beside("pack-refs --all", [&] {
    for (int w = 0; w < kWriters; ++w)
      start([&, w] {
        Opened mine(repo.path());
        for (int i = 0; i < kEach; ++i)
          good(mine.store.change(
              "p" + std::to_string(w),
              [](const PlanView&) -> Result<Store::Change> { return note("x"); }));
      });
    join();
  });
  reopen();
  for (int w = 0; w < kWriters; ++w)
    EXPECT_EQ(good(store().load("p" + std::to_string(w))).ledger.remarks.size(),
              static_cast<std::size_t>(kEach));
}

TEST_F(Contention, ListingBesideWritersAndPackRefsMissesNoPlan) {  // libgit2 pull request 2898
  constexpr int kPlans = 6;
  for (int i = 0; i < kPlans; ++i) create("p" + std::to_string(i));
  opened.reset();
  beside("pack-refs --all", [&] {
    start([&] {
      Opened mine(repo.path());
      for (int i = 0; i < 20; ++i)
        good(mine.store.change("p" + std::to_string(i % kPlans),
                               [](const PlanView&) -> Result<Store::Change> { return note("x"); }));
    });
    Opened reader(repo.path());
    for (int i = 0; i < 200; ++i) {
      const auto plans = good(reader.store.list());
      ASSERT_EQ(plans.size(), static_cast<std::size_t>(kPlans));
      for (const Summary& plan : plans) ASSERT_EQ(plan.fault, "");
    }
    join();
  });
}

TEST_F(Contention, AWriterThatIsKilledHoldsNobodyUp) {
  const PlanView created = create("p");
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      Opened mine(repo.path());
      for (;;)
        (void)mine.store.change("p",
                                [](const PlanView&) -> Result<Store::Change> { return note("x"); });
    }
    usleep(30000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    reopen();
    (void)say("p", "after");
  }
  EXPECT_TRUE(good(store().fsck()).empty());
  EXPECT_FALSE(repo.exists(wal(created)));
}

TEST_F(Contention, ALockThatAKilledProcessLeftIsRemoved) {
  create("p");
  for (const std::string lock : {".git/refs/plans/p.lock", ".git/refs/plans/q.lock"}) {
    repo.write(lock, "");
    repo.run({"touch", "-d", "2 hours ago", lock});
  }
  EXPECT_EQ(say("p", "y").ledger.remarks, std::vector<std::string>{"y"});
  create("q");
  EXPECT_FALSE(repo.exists(".git/refs/plans/p.lock"));
  EXPECT_FALSE(repo.exists(".git/refs/plans/q.lock"));
}

TEST_F(Contention, ALockOfGitsOwnIsLeftAlone) {
  create("p");
  repo.git({"pack-refs", "--all"});
  const std::string lock = ".git/packed-refs.lock";
  repo.write(lock, "");
  repo.run({"touch", "-d", "2 hours ago", lock});
  const auto removed = store().change("p", [](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {PlanStateSet{"deleted", ""}};
    return change;
  });
  EXPECT_TRUE(removed.ok()) << "a change moves a loose ref, which needs no lock of packed refs";
  EXPECT_TRUE(repo.exists(lock));
}

TEST_F(Contention, ALockThatSomebodyHoldsIsNamed) {
  create("p");
  const std::string lock = ".git/refs/plans/p.lock";
  repo.write(lock, "");
  repo.run({"touch", "-d", "2 hours ago", lock});
  std::ofstream holder(repo.path() / lock, std::ios::app);
  const auto result =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kBusy);
  EXPECT_EQ(result.error().message,
            "cannot move refs/plans/p: " + (repo.path() / lock).string() + " is held");
}

class LeftLock : public PlanFixture {
 protected:
  LeftLock() {
    repo.write("lock", "");
    age("3 seconds ago");
  }
  void age(const std::string& when) { repo.run({"touch", "-d", when, "lock"}); }
  bool removed() { return remove_left_lock(repo.path() / "lock"); }
};

TEST_F(LeftLock, NothingButWhatNobodyHolds) {
  age("now");
  EXPECT_FALSE(removed()) << "it may be a moment old";
  age("3 seconds ago");
  {
    std::ofstream holder(repo.path() / "lock", std::ios::app);
    age("2 hours ago");
    EXPECT_FALSE(removed()) << "somebody has it open";
  }
  EXPECT_TRUE(removed());
  EXPECT_FALSE(repo.exists("lock"));
  EXPECT_FALSE(removed()) << "it is not there";
}

TEST_F(LeftLock, AGitAtWorkMayHaveClosedIt) {
  repo.write("a.txt", "a\n");
  repo.git({"add", "."});
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (chdir(repo.path().c_str()) == 0)
      execlp("git", "git", "-c", "core.editor=touch ready; sleep 60 #", "commit", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 1000 && !repo.exists("ready"); ++i) usleep(10000);
  EXPECT_FALSE(removed());
  age("1 minute ago");
  EXPECT_TRUE(removed()) << "no git holds a ref for a minute";
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace gitplan::test
