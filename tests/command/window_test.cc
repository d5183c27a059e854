// plan.adaptiveExecution: which agents have a window when execute is called inside tmux.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// Each task writes where it is played: session, window, and whether that one is in front.
class AdaptiveTest : public ::testing::Test {
 protected:
  AdaptiveTest() {
    // A stand-in: with a terminal it is talked to, without one it ends with its last word.
    script("claude",
           "if test -t 0; then tmux display-message -p -t \"$TMUX_PANE\" "
           "'#{session_name} #{window_name} #{window_active}'; else echo no window; fi "
           ">\"$PLAN_TASK\"\n"
           "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
           "\"result\":\"done\"}'\n");
    repo_.git({"config", "plan.agent", "claude"});
  }
  void script(const std::string& name, const std::string& text) const {
    const auto path = repo_.root() / "bin" / name;
    repo_.write(path, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  void execute(const std::string& tasks, const std::string& command, const std::string& more = "") {
    repo_.make_plan("team", tasks, more);
    const TmuxScreen screen(
        repo_, "PATH='" + (repo_.root() / "bin").string() + "':$PATH " + command, 100, 20);
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

// It may read its brief on standard input.
TEST_F(AdaptiveTest, OneWithACommandOfItsOwnHasNone) {
  repo_.git({"config", "plan.agent.claude.command", "cat >/dev/null; claude"});
  execute(two_, "git plan execute team --yes");
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
