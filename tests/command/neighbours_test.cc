// Plans that touch the same files: what is asked before one starts beside another, what agents and
// people are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Neighbours : public ::testing::Test {
 protected:
  // 'far' is at work: its first task is done, its second runs until go() is called.
  void start_far() {
    const std::string go = (repo_.root() / "go").string();
    repo_.make_plan("far",
                    "    - {name: first, run: 'echo 1 >first.txt'}\n"
                    "    - name: draw\n      depends_on: [first]\n"
                    "      files: ['src/**']\n"
                    "      run: sed -i 's/^20$/twenty/' src/a.txt; while ! test -e '" +
                        go + "'; do sleep 0.1; done\n");
    ASSERT_EQ(repo_.plan({"execute", "far", "--detach"}).exit_status, 0);
    until([&] { return repo_.load("far").ledger.task("draw").status == TaskStatus::kRunning; });
    repo_.make_plan("near",
                    "    - {name: parse, files: [src/a.txt],"
                    " run: \"sed -i 's/^1$/one/' src/a.txt; cp $PLAN_BRIEF brief.txt\"}\n");
  }
  ~Neighbours() override {
    go();
    until([&] { return repo_.said({"status", "far"}).find("running") == std::string::npos; });
  }
  void go() { repo_.write(repo_.root() / "go", ""); }
  void far_ends() {
    go();
    until([&] { return repo_.load("far").ledger.state == PlanState::kCompleted; });
  }
  static void until(const std::function<bool()>& condition) {
    for (int i = 0; i < 600 && !condition(); ++i) usleep(100'000);
    ASSERT_TRUE(condition());
  }
  WorkRepo repo_;
};

constexpr const char* kAsked = R"(4
run <run> on <id> for main
decision <decision>: the plan 'far' is at work on the same files

near: paused, 0 of 1 task done, <time>

Decision <decision>: plan overlap
  what    the plan 'far' is at work on the same files
  why     'far': 'parse' (src/a.txt) and its task 'draw' (src/**)
  impact  Nothing of this plan starts before. Where both change the same lines, the one that lands last has to merge.
  options
    run     start now, whatever they do           git plan resolve near <decision> run
    queue   start when it is completed            git plan resolve near <decision> queue
    view    show where they meet, then ask again  git plan resolve near <decision> view
    cancel  do not start                          git plan resolve near <decision> cancel

Answer, then go on: git plan execute near
)";

TEST_F(Neighbours, WhoeverIsAtWorkOnTheSameFilesIsAskedAbout) {
  start_far();
  EXPECT_THAT(repo_.said({"execute", "near", "--dry-run"}),
              HasSubstr("  warning overlap     plans at work touch the same files: asked about "
                        "before anything starts\n"
                        "          far: 'parse' (src/a.txt) and its task 'draw' (src/**)\n"));
  EXPECT_EQ(repo_.said({"execute", "near"}), kAsked);
  EXPECT_EQ(repo_.said({"resolve", "near", "view"}),
            "0\nfar  running, 1 of 2 tasks done\n"
            "  here   'parse': src/a.txt\n  there  'draw': src/**\n");
  const auto json = nlohmann::json::parse(repo_.plan({"resolve", "near", "view", "--json"}).out);
  EXPECT_EQ(json["recorded"], false);
  EXPECT_EQ(json["meetings"][0]["theirs"]["task"], "draw");
  EXPECT_TRUE(repo_.load("near").ledger.decisions.back().open()) << "a look answers nothing";
}

TEST_F(Neighbours, RunStartsBesideIt) {
  start_far();
  ASSERT_EQ(repo_.plan({"execute", "near"}).exit_status, 4);
  EXPECT_EQ(repo_.plan({"resolve", "near", "run"}).exit_status, 0);
  const ProcessResult run = repo_.plan({"execute", "near"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning: 'parse' may change what 'draw' of the plan 'far' works "
                                 "at: src/**\n"));
  EXPECT_THAT(repo_.read("brief.txt"),
              HasSubstr("leave them alone:\n- draw of the plan 'far': src/**\n"));
  far_ends();
  EXPECT_EQ(
      repo_.load("far").ledger.task("draw").last()->remarks,
      std::vector<std::string>{"src/a.txt was changed by task 'parse' of plan 'near' meanwhile"});
  EXPECT_THAT(repo_.read("src/a.txt"), HasSubstr("twenty"));
  EXPECT_THAT(repo_.read("src/a.txt"), HasSubstr("one\n"));
}

TEST_F(Neighbours, QueueStartsWhenItIsCompleted) {
  start_far();
  ASSERT_EQ(repo_.plan({"execute", "near"}).exit_status, 4);
  EXPECT_EQ(repo_.plan({"resolve", "near", "queue"}).exit_status, 0);
  const ProcessResult claimed = repo_.plan({"next", "near", "--claim"});
  EXPECT_THAT(claimed.err, HasSubstr("plan 'near' waits for the plan 'far': it is running"));
  ASSERT_EQ(repo_.plan({"execute", "near", "--detach"}).exit_status, 0);
  until([&] { return repo_.load("near").ledger.state == PlanState::kQueued; });
  EXPECT_TRUE(repo_.load("near").ledger.task("parse").attempts.empty());
  far_ends();
  until([&] { return repo_.load("near").ledger.state == PlanState::kCompleted; });
  const Ledger ledger = repo_.load("near").ledger;
  EXPECT_GE(ledger.task("parse").last()->started,
            repo_.load("far").ledger.task("draw").last()->ended);
  EXPECT_TRUE(ledger.queued_after.empty()) << "that is over";
}

TEST_F(Neighbours, CancelStartsNothingAndTheNextRunAsksAgain) {
  start_far();
  TmuxScreen screen(repo_, "git plan execute near --yes; echo status $?.", 100, 30);
  screen.until("What now? [r,u,v,c,q,?]");
  screen.keys({"v", "Enter"});
  screen.until("there  'draw': src/**");
  screen.keys({"c", "Enter"});
  screen.until("status 130.");
  EXPECT_EQ(repo_.load("near").ledger.state, PlanState::kPaused);
  EXPECT_TRUE(repo_.load("near").ledger.task("parse").attempts.empty());
  EXPECT_EQ(repo_.plan({"execute", "near"}).exit_status, 4);
}

TEST_F(Neighbours, OneThatHasNotBegunIsOnlyToldOf) {
  repo_.make_plan("far", "    - {name: draw, files: ['src/**'], run: 'true'}\n");
  repo_.make_plan("near", "    - {name: parse, files: [src/a.txt], run: 'echo 1 >src/a.txt'}\n");
  const ProcessResult run = repo_.plan({"execute", "near"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.err, "warning: other plans touch the same files: far (active)\n");
}

}  // namespace
}  // namespace gitplan::test
