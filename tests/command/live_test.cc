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
  EXPECT_THAT(screen.until("status 0."), HasSubstr("ask: completed, 0 of 1 task done, 1 skipped"));
}

// The whole screen, from the first question to the shell's prompt.
TEST(Live, ARunWithAFailureAndAConflictIsDrivenByKeysAlone) {
  WorkRepo repo;
  const std::string twice = (repo.root() / "twice").string();
  repo.make_plan(
      "keys", "    - {name: bad, run: \"test -e '" + twice + "' && echo 1 >bad; touch '" + twice +
                  "'; test -e bad\"}\n"
                  "    - {name: left, depends_on: [bad], run: sed -i s/^7$/seven/ src/a.txt}\n"
                  "    - {name: right, depends_on: [bad], run: sed -i s/^7$/VII/ src/a.txt}\n"
                  "    - {name: top, run: cat src/a.txt bad >top,"
                  " depends_on: [left, right]}\n");
  TmuxScreen screen(repo, "git plan execute keys --jobs 1", 100, 70);
  screen.until("[Y/n]");
  screen.keys({"y", "Enter"});
  screen.until("What about 'bad'? [r,e,s,a,q,?]");
  screen.keys({"?", "Enter"});
  screen.until("q - later: leave the question open");
  screen.keys({"r", "Enter"});
  screen.until("What about 'right'?");
  while (repo.load("keys").ledger.task("left").status != TaskStatus::kCompleted) usleep(50'000);
  screen.keys({"k", "Enter"});
  screen.until("status 0.");
  EXPECT_EQ(scrubbed(screen.text()),
            R"(Run 4 tasks on 3 levels, at most 1 at once, and land on main? [Y/n] y
run <run> on <id> for main
bad: started
bad: failed after <time>: its command ended with status 1
decision <decision>: 'bad' failed: its command ended with status 1

Decision <decision>: failed, task bad
'bad' failed: its command ended with status 1
  why: Its command ended with status 1.
  impact: Blocked: 'left', 'right' and 'top'. Independent tasks go on.
What about 'bad'? [r,e,s,a,q,?] ?
r - retry: start it again
e - edit: edit the plan, then start it again
s - skip: go on without it: unblocks what depends on it
a - abort: end the plan here; everything done is kept
q - later: leave the question open
What about 'bad'? [r,e,s,a,q,?] r
decision <decision>: retry
bad: started, attempt 2
bad: finished after <time>, 1 file changed
wave 1: bad
wave 1: merged 1 task
wave 1: committed <id>
left: started
left: finished after <time>, 1 file changed
right: started
right: finished after <time>, 1 file changed
wave 2: left, right
wave 2: merged 1 task
wave 2: right left out, the changes overlap
decision <decision>: 'right' changed lines that 'left' changed too

Decision <decision>: merge conflict, task right
'right' changed lines that 'left' changed too:
src/a.txt: 'left' line 7; 'right' line 7
  why: Both changed the same lines: git cannot tell which of them is meant.
  impact: Blocked: 'top'. Independent tasks go on.
What about 'right'? [k,e,h,r,a,q,?] k
wave 2: committed <id>
decision <decision>: keep:right
wave 3: right
wave 3: auto-merged src/a.txt: lines 7 (right), left
wave 3: merged 1 task
wave 3: committed <id>
top: started
top: finished after <time>, 1 file changed
wave 4: top
wave 4: merged 1 task
wave 4: committed <id>
landed on main: <id>

keys: completed, 4 of 4 tasks done, <time>
  wave 1  <id>  bad
  wave 2  <id>  left
  wave 3  <id>  right
  wave 4  <id>  top
Landed on main as <id>.
Left for a look; 'git plan gc' removes it when it is older than plan.gcAge:
  bad, attempt <attempt>: <root>/repo.plan/1
What each task left: git plan output keys
status 0.
)");
  EXPECT_THAT(repo.git({"show", "HEAD:top"}), HasSubstr("6\nVII\n8"));
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
