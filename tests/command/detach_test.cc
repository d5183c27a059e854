// execute --detach: what the front says, and a run that goes on without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void until(const std::function<bool()>& condition) {
  for (int i = 0; i < 600 && !condition(); ++i) usleep(100'000);
  ASSERT_TRUE(condition());
}

class Detach : public ::testing::Test {
 protected:
  Detach() {
    repo_.make_plan("slow", "    - name: one\n      run: echo compiling; while ! test -e '" +
                                (repo_.root() / "go").string() +
                                "'; do sleep 0.1; done; echo one >one\n");
  }
  ~Detach() override {
    go();
    until([&] { return repo_.said({"status", "slow"}).find("running") == std::string::npos; });
  }
  void go() { repo_.write(repo_.root() / "go", ""); }
  void is_over(PlanState state) {
    until([&] { return repo_.load("slow").ledger.state == state; });
  }
  WorkRepo repo_;
};

TEST_F(Detach, TheFrontReturnsWhileTheRunGoesOn) {
  const ProcessResult begun = repo_.plan({"execute", "slow", "--detach"});
  EXPECT_EQ(begun.exit_status, 0) << begun.err;
  EXPECT_THAT(begun.out, HasSubstr(" of 'slow' works in the background.\n"
                                   "  git plan status slow --watch\n"
                                   "  git plan output slow --follow\n"));
  EXPECT_EQ(repo_.load("slow").ledger.state, PlanState::kRunning);
  EXPECT_EQ(repo_.plan({"execute", "slow", "--detach"}).exit_status, 8);
  EXPECT_EQ(repo_.plan({"execute", "slow"}).exit_status, 8);
  go();
  is_over(PlanState::kCompleted);
  const std::string log = begun.out.substr(begun.out.rfind("is in ") + 6);
  const std::string path = log.substr(0, log.size() - 1);
  until([&] {
    return repo_.run({"cat", path}).out.find("slow: completed, 1 of 1 task done") !=
           std::string::npos;
  });
}

TEST_F(Detach, JsonNamesRunAndLog) {
  const ProcessResult begun = repo_.plan({"execute", "slow", "--detach", "--json"});
  ASSERT_EQ(begun.exit_status, 0) << begun.err;
  const auto json = nlohmann::json::parse(begun.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["run"]["id"], repo_.load("slow").ledger.run()->id);
  EXPECT_TRUE(std::filesystem::exists(json["log"].get<std::string>()));
}

TEST_F(Detach, CancelReachesIt) {
  ASSERT_EQ(repo_.plan({"execute", "slow", "--detach"}).exit_status, 0);
  EXPECT_EQ(repo_.plan({"cancel", "slow"}).exit_status, 0);
  is_over(PlanState::kPaused);
}

TEST_F(Detach, OutputFollowsIt) {
  ASSERT_EQ(repo_.plan({"execute", "slow", "--detach"}).exit_status, 0);
  TmuxScreen screen(repo_, "git plan output slow one --follow", 80, 10);
  screen.until("compiling");
  go();
  screen.until("status 0.");
}

TEST_F(Detach, ItOutlivesItsTerminal) {
  {
    TmuxScreen screen(repo_, "git plan execute slow --detach --yes", 80, 20);
    screen.until("works in the background.");
    screen.until("status 0.");
  }
  EXPECT_EQ(repo_.load("slow").ledger.state, PlanState::kRunning);
  EXPECT_THAT(repo_.said({"status", "slow"}), HasSubstr("slow: running, 0 of 1 task done"));
  go();
  is_over(PlanState::kCompleted);
}

TEST_F(Detach, WhatKeepsItFromStartingIsTheFronts) {
  repo_.make_plan("none", "    - {name: one, description: x, agent: nobody}\n");
  const ProcessResult refused = repo_.plan({"execute", "none", "--detach"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("nobody"));
  const ProcessResult unknown = repo_.plan({"execute", "slow", "--detach", "--task", "two"});
  EXPECT_NE(unknown.exit_status, 0);
  EXPECT_THAT(unknown.err, HasSubstr("there is no task 'two' in plan 'slow'"));
  EXPECT_EQ(repo_.said({"execute", "slow", "--detach", "--dry-run"}).substr(0, 4), "129\n");
}

TEST_F(Detach, WhatOnlyTheBackgroundMeetsIsTheFrontsToo) {
  const std::filesystem::path dir =
      repo_.path() / ".git/git-plan/plans" / repo_.load("slow").identity.substr(0, 16);
  std::filesystem::create_directories(dir / "run.held");  // where its lock belongs
  const ProcessResult refused = repo_.plan({"execute", "slow", "--detach"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("run.held"));
  for (const auto& entry : std::filesystem::directory_iterator(dir))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("detached")));
}

}  // namespace
}  // namespace gitplan::test
