// Commits of waves that were rewritten where no hook told: found again, said and recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Rewritten : public ::testing::Test {
 protected:
  // Two waves, landed on main; a third task has not begun.
  Rewritten() {
    start_ = repo_.git({"rev-parse", "HEAD"});
    repo_.make_plan("p",
                    "    - {name: one, run: 'echo 1 >one.txt'}\n"
                    "    - {name: two, depends_on: [one], run: 'echo 2 >two.txt'}\n"
                    "    - {name: three, depends_on: [two], run: 'echo 3 >three'}\n");
    EXPECT_EQ(repo_.plan({"execute", "p", "--task", "one", "--task", "two"}).exit_status, 0);
    EXPECT_EQ(repo_.git({"rev-list", "--count", start_ + "..main"}), "2");
    repo_.git({"branch", "-qD", "plan/p/integration"});  // as in another clone
  }
  std::string head() { return repo_.git({"rev-parse", "HEAD"}); }
  nlohmann::json status() {
    return nlohmann::json::parse(repo_.plan({"status", "p", "--json"}).out);
  }
  // The rest of the plan stands on what the rewritten waves did.
  void goes_on() {
    EXPECT_THAT(repo_.said({"execute", "p"}), HasSubstr("p: completed, 3 of 3 tasks done"));
    const PlanView view = repo_.load("p");
    EXPECT_FALSE(view.ledger.task("one").rewritten.empty());
    EXPECT_TRUE(status()["rewritten"].empty()) << "recorded, so it is no news";
  }

  WorkRepo repo_;
  std::string start_;
};

TEST_F(Rewritten, FoundByTheirTrailers) {
  repo_.git({"reset", "-q", "--hard", start_});
  repo_.write("other.txt", "other\n");
  repo_.commit("Somebody was faster");
  const std::string onto = head();
  repo_.git({"cherry-pick", "ORIG_HEAD~1", "ORIG_HEAD"});
  const std::string said = repo_.said({"status", "p"});
  EXPECT_THAT(said, HasSubstr("  wave 1 (<id>) is <id> now: found by its trailers\n"));
  EXPECT_THAT(said, HasSubstr("  wave 2 (<id>) is <id> now: found by its trailers\n"));
  EXPECT_THAT(said, Not(HasSubstr("elsewhere")));
  EXPECT_THAT(repo_.said({"check", "p"}),
              HasSubstr("p: wave 2 (<id>) is <id> now: found by its trailers\n"));
  const auto found = status()["rewritten"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["to"], repo_.git({"rev-parse", "HEAD~1"}));
  EXPECT_EQ(found[1]["to"], head());
  EXPECT_EQ(found[1]["by"], "trailer");
  goes_on();
}

TEST_F(Rewritten, FoundByTheirPatchWhereTheTrailersAreGone) {
  repo_.git({"reset", "-q", "--hard", start_});
  for (const char* commit : {"ORIG_HEAD~1", "ORIG_HEAD"}) {
    repo_.git({"cherry-pick", "--no-commit", commit});
    repo_.commit("Plain words");
  }
  const auto found = status()["rewritten"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["to"], repo_.git({"rev-parse", "HEAD~1"}));
  EXPECT_EQ(found[0]["by"], "patch");
  goes_on();
}

TEST_F(Rewritten, FoundInOneCommitWhereTheyWereSquashed) {
  repo_.git({"reset", "-q", "--soft", start_});
  repo_.commit("Everything (#12)");
  const auto found = status()["rewritten"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["to"], head());
  EXPECT_EQ(found[1]["to"], head());
  goes_on();
}

TEST_F(Rewritten, WhatWasTakenOutIsNotFound) {
  repo_.git({"reset", "-q", "--hard", start_});
  repo_.write("one.txt", "another\n");
  repo_.commit("Not the same");
  EXPECT_TRUE(status()["rewritten"].empty());
  EXPECT_THAT(repo_.said({"status", "p"}), HasSubstr("elsewhere"));
}

// The user rewrites the branch where the plan lands while a task is at work, with all hooks on.
TEST(RewrittenTarget, ARebaseDuringARunHarmsNothing) {
  const WorkRepo repo;
  repo.write("mine.txt", "1\n");
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "Mine"});
  repo.make_plan("p",
                 "    - {name: one, run: 'echo 1 >one.txt'}\n"
                 "    - {name: two, depends_on: [one], run: 'until test -e " +
                     (repo.root() / "go").string() + "; do sleep 0.1; done; echo 2 >two.txt'}\n");
  ASSERT_EQ(repo.plan({"hooks", "install"}).exit_status, 0);
  ASSERT_EQ(repo.plan({"execute", "p", "--detach"}).exit_status, 0);
  const auto until = [&](const auto& condition) {
    for (int i = 0; i < 600 && !condition(); ++i) usleep(100'000);
    return condition();
  };
  ASSERT_TRUE(until([&] { return repo.load("p").ledger.task("two").last() != nullptr; }));
  repo.write("more.txt", "2\n");
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "More"});
  repo.git({"reset", "-q", "--soft", "HEAD~2"});
  repo.git({"commit", "-qm", "Mine and more: what the run started from is gone"});
  repo.git({"rebase", "-q", "--force-rebase", "HEAD~1"});
  const std::string mine = repo.git({"rev-parse", "HEAD"});
  repo.write(repo.root() / "go", "");
  ASSERT_TRUE(until([&] { return repo.load("p").ledger.run()->ended != 0; }));
  EXPECT_EQ(repo.load("p").ledger.state, PlanState::kCompleted);
  EXPECT_EQ(repo.git({"merge-base", "--is-ancestor", mine, "main"}), "") << "theirs is all there";
  EXPECT_EQ(repo.git({"show", "main:one.txt"}), "1");
  EXPECT_EQ(repo.git({"show", "main:two.txt"}), "2");
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
}

}  // namespace
}  // namespace gitplan::test
