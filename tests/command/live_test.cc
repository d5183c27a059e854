// What a terminal shows: live lines that leave nothing behind, questions, Ctrl+C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string held_task(const WorkRepo& repo, const std::string& name) {
  return "    - name: " + name + "\n      run: echo 'compiling " + name + "'; while ! test -e '" +
         (repo.root() / "go").string() + "'; do sleep 0.1; done; echo " + name + " >" + name + "\n";
}

TEST(Live, LinesAreDrawnInPlaceAndGoAway) {
  WorkRepo repo;
  repo.make_plan("live", held_task(repo, "one") + held_task(repo, "two"));
  TmuxScreen screen(repo, "git plan execute live", 70, 20);
  EXPECT_THAT(screen.until("[Y/n]"),
              HasSubstr("Run 2 tasks on 1 level, at most 3 at once, and land on main? [Y/n]"));
  screen.keys({"Enter"});
  screen.until("compiling one");  // either may be the first
  screen.until("compiling two");
  const std::string running = screen.until("0/2 tasks, 2 running");
  EXPECT_THAT(running, HasSubstr("compiling one"));
  screen.resize(40, 12);
  screen.until("0/2 tasks, 2 running");
  repo.write(repo.root() / "go", "");
  const std::string end = screen.until("status 0.");
  EXPECT_THAT(end, HasSubstr("live: completed, 2 of 2 tasks done"));
  EXPECT_THAT(end, Not(HasSubstr("2 running")));
  EXPECT_THAT(end, Not(HasSubstr("compiling")));
}

TEST(Live, CtrlCPausesAndLeavesTheTerminalWhole) {
  WorkRepo repo;
  repo.make_plan("live", held_task(repo, "one"));
  TmuxScreen screen(repo, "git plan execute live --yes", 80, 20);
  screen.until("0/1 tasks, 1 running");
  screen.keys({"C-c"});
  const std::string end = screen.until("status 130.");
  EXPECT_THAT(end, HasSubstr("live: paused, 0 of 1 task done"));
  EXPECT_THAT(end, Not(HasSubstr("1 running")));
  EXPECT_EQ(repo.load("live").ledger.state, PlanState::kPaused);
}

TEST(Live, CtrlCTwiceAborts) {
  WorkRepo repo;
  // It does not go by itself, so that there is time for a second press.
  repo.make_plan("live",
                 "    - {name: deaf, run: \"trap '' TERM; sleep 1000 & wait; sleep 1000\"}\n");
  TmuxScreen screen(repo, "git plan execute live --yes", 80, 20);
  screen.until("0/1 tasks, 1 running");
  screen.keys({"C-c"});
  screen.until("cancel was asked for");
  usleep(600'000);
  screen.keys({"C-c"});
  screen.until("abort was asked for");
  EXPECT_THAT(screen.until("status 130."), HasSubstr("live: aborted, 0 of 1 task done"));
  EXPECT_EQ(repo.load("live").ledger.state, PlanState::kAborted);
}

// A git that takes its time to remove a worktree; the rest is git's own.
std::string path_with_slow_removal(const WorkRepo& repo) {
  const std::string real = repo.run({"sh", "-c", "command -v git"}).out;
  repo.write(repo.root() / "slow/git",
             "#!/bin/sh\ncase \"$*\" in *'worktree remove'*) sleep 3 ;; esac\nexec " +
                 real.substr(0, real.find('\n')) + " \"$@\"\n");
  repo.run({"chmod", "+x", repo.root() / "slow/git"});
  return (repo.root() / "slow").string() + ":" + std::getenv("PATH");
}

TEST(Live, WhatIsCleanedAtTheEndIsSaid) {
  WorkRepo repo;
  repo.make_plan("live", "    - {name: one, run: echo x >one}\n");
  TmuxScreen screen(repo, "PATH='" + path_with_slow_removal(repo) + "' git-plan execute live --yes",
                    80, 20);
  screen.until("removing worktrees: 0 of ");
  const std::string end = screen.until("status 0.");
  EXPECT_THAT(end, HasSubstr("live: completed, 1 of 1 task done"));
  EXPECT_THAT(end, Not(HasSubstr("removing worktrees")));
}

TEST(Live, APipeIsToldOnceWhyNothingComes) {
  WorkRepo repo;
  repo.make_plan("live", "    - {name: one, run: echo x >one}\n");
  const std::string said = repo.run({"git-plan", "execute", "live", "--yes"},
                                    {.env = {{"PATH", path_with_slow_removal(repo)}}})
                               .out;
  EXPECT_THAT(said,
              ::testing::ContainsRegex("\nlanded on main: [0-9a-f]+\nremoving [12] worktrees?\n\n"
                                       "live: completed"));
}

TEST(Live, ADecisionIsAskedAndAnswered) {
  WorkRepo repo;
  repo.make_plan("ask", R"(    - name: bad
      run: echo 'no such thing'; exit 3
)");
  TmuxScreen screen(repo, "git plan execute ask --yes", 100, 40);
  const std::string asked = screen.until("What about 'bad'?");
  EXPECT_THAT(asked, HasSubstr("| no such thing"));
  EXPECT_THAT(asked, HasSubstr("'bad' failed: its command ended with status 3"));
  screen.keys({"s", "Enter"});
  EXPECT_THAT(screen.until("status 0."), HasSubstr("ask: completed, 1 of 1 task done"));
}

TEST(Live, WhatNeedsATreeIsDoneElsewhereAndTheRunGoesOn) {
  WorkRepo repo;
  repo.make_plan("ask", "    - {name: bad, run: exit 3}\n" + held_task(repo, "one"));
  TmuxScreen screen(repo, "git plan execute ask --yes", 100, 40);
  screen.until("What about 'bad'?");
  repo.write(repo.root() / "go", "");
  while (repo.load("ask").ledger.task("one").status != TaskStatus::kCompleted) usleep(50'000);
  EXPECT_THAT(screen.text(), Not(HasSubstr("one: finished"))) << "not in the middle of a question";
  screen.keys({"e", "Enter"});
  screen.until("Do it in another terminal, or when this run has ended: git plan resolve ask");
  EXPECT_THAT(screen.until("status 4."), HasSubstr("one: finished"));
}

TEST(Live, CtrlCEndsAQuestion) {
  WorkRepo repo;
  repo.make_plan("ask", "    - {name: bad, run: exit 3}\n");
  TmuxScreen screen(repo, "git plan execute ask --yes", 100, 40);
  screen.until("What about 'bad'?");
  screen.keys({"C-c"});
  EXPECT_THAT(screen.until("status 130."), HasSubstr("It stays open: git plan resolve ask"));
  EXPECT_EQ(repo.load("ask").ledger.state, PlanState::kPaused);
}

TEST(Live, WatchFollowsARunOfAnotherProcess) {
  WorkRepo repo;
  repo.make_plan("live", held_task(repo, "one"));
  TmuxScreen screen(repo,
                    "git plan execute live --yes >log 2>&1 & sleep 0.5; "
                    "while ! test -e ../seen; do git plan status live --watch; sleep 0.1; done",
                    80, 20);
  screen.until("compiling one");
  screen.until("0/1 tasks, 1 running");
  repo.write(repo.root() / "seen", "");
  repo.write(repo.root() / "go", "");
  EXPECT_THAT(screen.until("status 0."), HasSubstr("live: completed, 1 of 1 task done"));
}

}  // namespace
}  // namespace gitplan::test
