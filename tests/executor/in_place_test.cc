// Tasks in the user's own working tree: inline, clean and optimistic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>

#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InPlace : public RunTest {
 protected:
  std::string outcome() {
    const auto result = execute();
    return result ? result->outcome : result.error().message;
  }
  void answer(const std::string& option, const Words& more = {}) {
    Words words{"resolve", id_, only_open().asked.decision, option};
    words.insert(words.end(), more.begin(), more.end());
    const auto said = repo_.plan(words);
    ASSERT_EQ(said.exit_status, 0) << said.err;
  }
  std::string status() { return repo_.git({"status", "--porcelain"}); }
  std::string committed(const std::string& path) { return repo_.git({"show", "HEAD:" + path}); }
  std::string file(const std::string& name) const { return (repo_.root() / name).string(); }
};

TEST_F(InPlace, EachTaskIsAWaveOfItsOwnThatLandsAtOnce) {
  make_plan(
      "- {name: one, mode: inline, run: 'echo 1 > one.txt; test ! -e two.txt'}\n"
      "- {name: two, mode: clean, run: 'git log -1 --format=%s; echo 2 > two.txt; git show "
      "HEAD:one.txt'}\n"
      "- {name: three, run: 'cat one.txt two.txt; echo 3 > three.txt', depends_on: [one]}\n");
  EXPECT_EQ(outcome(), "completed") << only_open().asked.what;
  EXPECT_EQ(status(), "");
  EXPECT_EQ(committed("one.txt"), "1");
  EXPECT_EQ(committed("two.txt"), "2");
  EXPECT_EQ(committed("three.txt"), "3");
  EXPECT_EQ(repo_.git({"rev-list", "--count", "--first-parent", "HEAD"}), "4");
  EXPECT_THAT(repo_.git({"log", "-1", "--format=%B", "HEAD~2"}),
              ::testing::AllOf(HasSubstr("Wave: 001"), HasSubstr("Task: one")));
  EXPECT_FALSE(repo_.exists(".git-plan"));
  std::vector<std::string> order;
  for (const std::string& event : listener_.events)
    if (event.starts_with("attempt_started") || event == "landed") order.push_back(event);
  EXPECT_THAT(order, ElementsAre("attempt_started one", "landed", "attempt_started two", "landed",
                                 "attempt_started three", "landed"));
  const PlanView now = view();
  EXPECT_TRUE(now.ledger.task("one").last()->in_place());
  EXPECT_FALSE(now.ledger.task("three").last()->in_place());
  expect_clean();
}

TEST_F(InPlace, WhatForksHaveDoneLandsBeforeATaskStartsInTheTree) {
  make_plan(
      "- {name: fork, run: 'echo 1 > fork.txt'}\n"
      "- {name: here, mode: inline, depends_on: [fork], run: 'cp fork.txt here.txt'}\n"
      "- {name: after, depends_on: [here], run: 'cat here.txt > after.txt'}\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("here.txt"), "1");
  EXPECT_EQ(committed("after.txt"), "1");
  EXPECT_EQ(status(), "");
  expect_clean();
}

TEST_F(InPlace, WhatTheUserHadNotCommittedStaysAsItIs) {
  repo_.write("mine.txt", "a\nb\n");
  repo_.write("staged.txt", "old\n");
  repo_.commit("Mine");
  repo_.write("mine.txt", "a\nmine\n");
  repo_.write("staged.txt", "staged\n");
  repo_.git({"add", "staged.txt"});
  repo_.write("untracked.txt", "new\n");
  make_plan("- {name: one, mode: inline, run: 'echo 1 > one.txt'}\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(status(), " M mine.txt\nM  staged.txt\n?? untracked.txt");
  EXPECT_EQ(repo_.read("mine.txt"), "a\nmine\n");
  EXPECT_EQ(repo_.git({"diff", "--name-only", "HEAD~1", "HEAD"}), "one.txt");
}

// Both in one file: what is the user's and what is the task's is for the user to say.
class DirtyPath : public InPlace {
 protected:
  void run_into_it() {
    repo_.write("both.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
    repo_.commit("Both");
    repo_.write("both.txt", "mine\n2\n3\n4\n5\n6\n7\n8\n");
    make_plan(
        "- {name: one, mode: inline, run: 'sed -i s/8/task/ both.txt; echo 1 > one.txt'}\n"
        "- {name: next, depends_on: [one], run: 'cp one.txt next.txt'}\n");
    EXPECT_EQ(outcome(), "paused");
    const DecisionAsked asked = only_open().asked;
    EXPECT_EQ(asked.kind, "dirty_path");
    EXPECT_EQ(asked.what,
              "'one' has finished in your working tree, and changed files that had changes of "
              "yours before: 'both.txt'");
    EXPECT_EQ(asked.impact,
              "Nothing of it is committed before. Blocked: 'next'. Independent tasks go on.");
    EXPECT_EQ(repo_.git({"log", "-1", "--format=%s"}), "Both");
  }
};

TEST_F(DirtyPath, MineLeavesTheFileOutOfTheCommit) {
  run_into_it();
  answer("mine");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("one.txt"), "1");
  EXPECT_EQ(committed("both.txt"), "1\n2\n3\n4\n5\n6\n7\n8");
  EXPECT_EQ(repo_.read("both.txt"), "mine\n2\n3\n4\n5\n6\n7\ntask\n");
  EXPECT_EQ(status(), " M both.txt");
}

TEST_F(DirtyPath, KeepTakesItWithTheUsersChange) {
  run_into_it();
  answer("keep:one");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("both.txt"), "mine\n2\n3\n4\n5\n6\n7\ntask");
  EXPECT_EQ(status(), "");
}

TEST_F(DirtyPath, HandTakesTheTasksLinesAlone) {
  run_into_it();
  answer("hand");
  answer("hand", {"--done"});
  EXPECT_EQ(outcome(), "paused");  // the user's line is still in the file that would land
  EXPECT_EQ(only_open().asked.kind, "fork_user_conflict");
  EXPECT_EQ(repo_.read("both.txt"), "mine\n2\n3\n4\n5\n6\n7\ntask\n");
  answer("mine");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("both.txt"), "1\n2\n3\n4\n5\n6\n7\ntask");
  EXPECT_EQ(repo_.read("both.txt"), "mine\n2\n3\n4\n5\n6\n7\ntask\n");
}

TEST_F(DirtyPath, WhatWasThereBeforeCanBeFound) {
  run_into_it();
  const std::string kept = repo_.git({"for-each-ref", "--format=%(refname)", "refs/plan-keep"});
  ASSERT_NE(kept, "");
  EXPECT_THAT(repo_.git({"log", "--format=%s", kept}), HasSubstr("Your working tree before 'one'"));
}

// A file is rewritten by what the hook made of it, since it still is what the task left.
TEST_F(InPlace, AHookThatFormatsReachesTheFile) {
  repo_.write(".git/hooks/pre-commit", "#!/bin/sh\nsed -i s/x/y/ one.txt && git add one.txt\n");
  std::filesystem::permissions(repo_.path() / ".git/hooks/pre-commit", std::filesystem::perms::all);
  make_plan("- {name: one, mode: inline, run: 'echo x > one.txt'}\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("one.txt"), "y");
  EXPECT_EQ(repo_.read("one.txt"), "y\n");
  EXPECT_EQ(status(), "");
}

TEST_F(InPlace, AFailedTaskLeavesItsFilesAndTheNextAttemptOwnsThem) {
  make_plan("- {name: one, mode: inline, run: 'echo 1 > one.txt; test -e " + file("good") + "'}\n");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.kind, "failed");
  EXPECT_EQ(status(), "?? one.txt");
  EXPECT_THAT(view().ledger.task("one").last()->remarks,
              Contains("what it changed is still in your working tree"));
  std::filesystem::create_directory(file("good"));
  answer("retry");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("one.txt"), "1");
  EXPECT_EQ(status(), "");
  expect_clean();
}

TEST_F(InPlace, CommitsOfTheUserMeanwhileStay) {
  make_plan(
      "- {name: one, mode: inline, run: 'echo 1 > one.txt; echo u > user.txt; git add user.txt; "
      "git commit -q -m User user.txt'}\n"
      "- {name: two, mode: inline, run: 'echo 2 > two.txt'}\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("one.txt") + committed("two.txt") + committed("user.txt"), "12u");
  EXPECT_EQ(status(), "");
}

TEST_F(InPlace, ATreeThatLeftItsBranchProvesNothing) {
  make_plan("- {name: one, mode: inline, run: 'echo 1 > one.txt; git switch -q -c other'}\n");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_THAT(only_open().asked.what,
              HasSubstr("your working tree left 'main' while it ran: what it changed cannot be "
                        "told from what the move did"));
  EXPECT_EQ(repo_.read("one.txt"), "1\n");
}

TEST_F(InPlace, OptimisticTasksRunTogetherWhereTheirScopesDoNotMeet) {
  const std::string both = "; touch " + file("$PLAN_TASK") + "; for i in $(seq 600); do [ -e " +
                           file("a") + " ] && [ -e " + file("b") +
                           " ] && exit 0; sleep 0.1; done; exit 1";
  make_plan("- {name: a, files: [src/a], run: 'mkdir -p src; echo 1 > src/a" + both + "'}\n" +
                "- {name: b, files: [src/b], run: 'mkdir -p src; echo 2 > src/b" + both + "'}\n" +
                "- {name: c, files: [src], depends_on: [a, b], run: 'cat src/a src/b > src/c'}\n",
            "isolation: optimistic");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("src/c"), "1\n2");
  EXPECT_EQ(status(), "");
  const PlanView now = view();
  EXPECT_NE(now.ledger.task("a").wave, now.ledger.task("b").wave);
  expect_clean();
}

// Also where nothing runs for a moment between two of them.
TEST_F(InPlace, WhatChangesNothingIsOneWave) {
  make_plan(
      "- {name: a, files: [a], run: 'true'}\n- {name: b, files: [b], run: 'true'}\n"
      "- {name: c, files: [c], run: 'true'}\n- {name: d, files: [d], run: 'echo 4 > d'}\n",
      "isolation: optimistic");
  ExecuteOptions one_by_one;
  one_by_one.jobs = 1;
  EXPECT_EQ(execute(one_by_one)->outcome, "completed");
  const PlanView now = view();
  for (const char* task : {"a", "b", "c"})
    EXPECT_EQ(now.ledger.task(task).wave, now.ledger.task("a").wave);
  EXPECT_EQ(now.ledger.waves.size(), 2U);
  EXPECT_EQ(committed("d"), "4");
  EXPECT_EQ(repo_.git({"rev-list", "--count", "--first-parent", "HEAD"}), "2");
  expect_clean();
}

TEST_F(InPlace, AChangeOutsideOfEveryScopeIsADecision) {
  make_plan("- {name: a, files: [src], run: 'mkdir src; echo 1 > src/a; echo 2 > b'}\n",
            "isolation: optimistic");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.kind, "dirty_path");
  EXPECT_THAT(only_open().asked.what,
              HasSubstr("files outside of every scope changed meanwhile: 'b'"));
  answer("keep:a");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(committed("b"), "2");
}

TEST_F(InPlace, ItIsRefusedWhereNothingCouldLand) {
  make_plan("- {name: one, mode: inline, run: 'echo 1 > one.txt'}\n");
  repo_.git({"-c", "plan.allowHeadlessApproval=true", "plan", "trust", id_});
  const auto no_land = repo_.plan({"execute", id_, "--no-land"});
  EXPECT_EQ(no_land.exit_status, 2);
  EXPECT_THAT(no_land.err, HasSubstr("task 'one' works in your working tree, so what it does lands "
                                     "at once, and --no-land says that nothing lands"));
  repo_.git({"checkout", "-q", "--detach"});
  const auto detached = repo_.plan({"execute", id_});
  EXPECT_EQ(detached.exit_status, 2);
  EXPECT_THAT(detached.err, HasSubstr("HEAD is detached, so that nothing could land"));
  EXPECT_TRUE(view().ledger.runs.empty());
  repo_.git({"checkout", "-q", "main"});
  const auto forked = repo_.plan({"execute", id_, "--no-land", "--mode", "forked"});
  EXPECT_EQ(forked.exit_status, 0) << forked.err;
}

// Killed at work: the command lives on, and the next executor takes what it leaves.
TEST_F(InPlace, AKilledExecutorLosesNothing) {
  make_plan("- {name: one, mode: inline, run: 'echo 1 > one.txt; touch " + file("at-work") +
            "; while [ ! -e " + file("go") + " ]; do sleep 0.1; done; echo 2 > two.txt'}\n");
  const pid_t child = execute_in_child();
  until([&] { return std::filesystem::exists(file("at-work")); });
  ::kill(-child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  std::filesystem::create_directory(file("go"));
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(view().ledger.task("one").attempts.size(), 1u);
  EXPECT_EQ(committed("one.txt") + committed("two.txt"), "12");
  EXPECT_EQ(status(), "");
  expect_clean();
}

}  // namespace
}  // namespace gitplan::test
