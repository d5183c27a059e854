// pause, cancel and abort: with a run at work, and where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// Runs until the file 'go' appears in the repository.
std::string waiting_task(const WorkRepo& repo) {
  return "    - name: slow\n      run: touch '" + repo.path().string() +
         "/../started'; while ! test -e '" + repo.path().string() +
         "/../go'; do sleep 0.1; done; echo done >slow\n"
         "    - {name: next, run: echo next >next, depends_on: [slow]}\n";
}

void until(const std::function<bool()>& condition) {
  for (int i = 0; i < 600 && !condition(); ++i) usleep(100'000);
  ASSERT_TRUE(condition());
}

class Control : public ::testing::Test {
 protected:
  Control() { repo_.make_plan("slow", waiting_task(repo_)); }
  // What `execute` says when somebody does `meanwhile` to it.
  ProcessResult executing(const std::function<void()>& meanwhile) {
    ProcessResult result;
    std::thread run([&] { result = repo_.plan({"execute", "slow"}); });
    until([&] { return std::filesystem::exists(repo_.root() / "started"); });
    meanwhile();
    run.join();
    return result;
  }
  void go() { repo_.write(repo_.root() / "go", ""); }
  WorkRepo repo_;
};

TEST_F(Control, WithoutARunThereIsNothingToStop) {
  for (const std::string word : {"pause", "cancel", "abort"})
    EXPECT_EQ(repo_.said({word, "slow"}),
              "2\nerror: no run of plan 'slow' is at work: there is nothing to " + word +
                  "\nhint: the plan is active; 'git plan status slow' shows it\n");
}

TEST_F(Control, PauseLetsRunningTasksEnd) {
  const ProcessResult result = executing([&] {
    EXPECT_EQ(repo_.said({"pause", "slow"}),
              "0\nAsked run <run> of 'slow' to pause. Nothing new starts; running tasks go on to "
              "their end.\n");
    go();
  });
  EXPECT_EQ(result.exit_status, 130) << result.out;
  EXPECT_THAT(result.out, HasSubstr("pause was asked for\n"));
  EXPECT_THAT(result.out, HasSubstr("slow: paused, "));
  EXPECT_EQ(repo_.load("slow").ledger.task("next").status, TaskStatus::kPending);
  EXPECT_EQ(repo_.plan({"execute", "slow"}).exit_status, 0);
  EXPECT_EQ(repo_.read("next"), "next\n");
}

TEST_F(Control, CancelEndsRunningTasks) {
  const ProcessResult result = executing([&] {
    EXPECT_THAT(repo_.said({"cancel", "slow"}), HasSubstr("Running tasks are cancelled"));
  });
  EXPECT_EQ(result.exit_status, 130) << result.out;
  EXPECT_THAT(scrubbed(result.out), HasSubstr("slow: cancelled after <time>"));
  EXPECT_THAT(result.out, HasSubstr("git plan execute slow --resume\n"));
}

TEST_F(Control, AbortEndsEverything) {
  const ProcessResult result = executing([&] { repo_.said({"abort", "slow"}); });
  EXPECT_EQ(result.exit_status, 130) << result.out;
  EXPECT_EQ(repo_.load("slow").ledger.state, PlanState::kAborted);
}

TEST_F(Control, ASecondRunIsToldWhoIsAtWork) {
  const ProcessResult result = executing([&] {
    EXPECT_EQ(repo_.said({"status"}).substr(0, 2), "0\n");
    const std::string second = repo_.said({"execute", "slow"});
    EXPECT_THAT(second, HasSubstr("8\nerror: run <run> is at work since <when> (process "));
    EXPECT_THAT(second, HasSubstr("hint: git plan status --watch slow\n"));
    EXPECT_THAT(repo_.said({"status", "slow"}), HasSubstr("slow: running, 0 of 2 tasks done\n"));
    go();
  });
  EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
}

TEST_F(Control, WatchingEndsWithTheRun) {
  ProcessResult watched;
  executing([&] {
    std::thread watch([&] { watched = repo_.plan({"status", "slow", "--watch"}); });
    go();
    watch.join();
  });
  EXPECT_EQ(watched.exit_status, 0);
  EXPECT_THAT(watched.out, HasSubstr("slow: completed, 2 of 2 tasks done\n"));
}

TEST_F(Control, APlanThatStoppedCanBeAborted) {
  WorkRepo repo;
  repo.make_plan("bad", "    - {name: x, run: exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "bad"}).exit_status, 4);
  EXPECT_EQ(repo.said({"abort", "bad"}), "0\nAborted plan 'bad'; what is done is kept.\n");
  EXPECT_EQ(repo.load("bad").ledger.state, PlanState::kAborted);
}

}  // namespace
}  // namespace gitplan::test
