// plan.adaptiveExecution: which agents have a window when execute is called inside tmux.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// Each task writes where it is played: session, window, and whether that one is in front.
class AdaptiveTest : public ::testing::Test {
 protected:
  AdaptiveTest() {
    repo_.git({"config", "plan.agent", "worker"});
    repo_.git({"config", "plan.agent.worker.command",
               "if test -t 0; then tmux display-message -p -t \"$TMUX_PANE\" "
               "'#{session_name} #{window_name} #{window_active}'; else echo no window; fi "
               ">\"$PLAN_TASK\""});
  }
  void execute(const std::string& tasks, const std::string& command, const std::string& more = "") {
    repo_.make_plan("team", tasks, more);
    const TmuxScreen screen(repo_, command, 100, 20);
    EXPECT_THAT(screen.until("status 0."), HasSubstr("team: completed, 2 of 2 tasks done"));
  }
  std::string where(const std::string& task) const { return repo_.git({"show", "HEAD:" + task}); }

  WorkRepo repo_;
  const std::string two_ = "    - name: one\n    - name: two\n";
};

TEST_F(AdaptiveTest, AgentsSideBySideHaveOneBehindTheUsersOwn) {
  execute(two_, "git plan execute team --yes");
  EXPECT_EQ(where("one"), "0 one 0");
  EXPECT_EQ(where("two"), "0 two 0");
}

TEST_F(AdaptiveTest, OneAfterTheOtherHaveNone) {
  execute("    - name: one\n    - {name: two, depends_on: [one]}\n", "git plan execute team --yes");
  EXPECT_EQ(where("one"), "no window");
  EXPECT_EQ(where("two"), "no window");
}

TEST_F(AdaptiveTest, AnAgentBesideACommandHasNone) {
  execute("    - name: one\n    - {name: two, run: echo x >two}\n", "git plan execute team --yes");
  EXPECT_EQ(where("one"), "no window");
}

TEST_F(AdaptiveTest, OneAtATimeHaveNone) {
  execute(two_, "git plan execute team --yes --jobs 1");
  EXPECT_EQ(where("one"), "no window");
}

TEST_F(AdaptiveTest, WithoutATerminalTheyHaveNoneWhateverThePlanSays) {
  execute(two_, "git plan execute team --yes | cat", "  team: true\n");
  EXPECT_EQ(where("one"), "no window");
}

TEST_F(AdaptiveTest, SwitchedOffThePlanSays) {
  repo_.git({"config", "plan.adaptiveExecution", "false"});
  execute(two_, "git plan execute team --yes");
  EXPECT_EQ(where("one"), "no window");
}

TEST_F(AdaptiveTest, SwitchedOffATeamHasThemAlsoWithoutATerminal) {
  repo_.git({"config", "plan.adaptiveExecution", "false"});
  execute(two_, "git plan execute team --yes | cat", "  team: true\n");
  EXPECT_EQ(where("two"), "0 two 0");
}

}  // namespace
}  // namespace gitplan::test
