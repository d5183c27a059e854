// Agents in windows of a tmux server of the test's own.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class WindowTest : public RunTest {
 protected:
  WindowTest() {
    std::filesystem::create_directories(repo_.root() / "tmux");
    setenv("TMUX_TMPDIR", (repo_.root() / "tmux").c_str(), 1);
    unsetenv("TMUX");
    repo_.git({"config", "plan.adaptiveExecution", "false"});
    repo_.git({"config", "plan.agent.scripted.command",
               "test -t 1 && echo on a terminal; python3 " GITPLAN_SOURCE_DIR
               "/tests/agents/scripted_agent.py <\"$PLAN_BRIEF\""});
  }
  ~WindowTest() override {
    tmux("kill-server");
    unsetenv("TMUX_TMPDIR");
  }
  std::string tmux(const std::string& words) const {
    return repo_
        .run({"sh", "-c", "tmux " + words + " 2>&1"},
             {.env = {{"TMUX_TMPDIR", (repo_.root() / "tmux").string()}}})
        .out;
  }
  std::string go() const { return (repo_.root() / "go").string(); }
  void two_that_wait() {
    make_plan(task("one", {}, {"@say working", "@wait-for " + go(), "@write one.txt 1"}) +
                  task("two", {}, {"@wait-for " + go(), "@write two.txt 2"}) +
                  "- {name: shell, run: test ! -t 1 && echo 3 >three.txt}\n",
              "team: true\n");
  }
  std::string log_of(const std::string& task) {
    std::ifstream file(attempt_dir_of(task) + "/log");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool both_open() const {
    const std::string windows = tmux("list-windows -a -F '#{window_name}'");
    return windows == "one\ntwo\n" || windows == "two\none\n";
  }
};

TEST_F(WindowTest, EachAgentHasOneAndNothingIsLeft) {
  two_that_wait();
  const pid_t run = execute_in_child();
  until([&] { return both_open(); });
  EXPECT_THAT(tmux("list-sessions"), HasSubstr("git-plan-plan-under-test:"));
  until([&] { return log_of("one").find("working") != std::string::npos; });
  std::ofstream(go()) << "";
  int status = 0;
  waitpid(run, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(repo_.git({"show", "HEAD:one.txt"}), "1");
  EXPECT_EQ(repo_.git({"show", "HEAD:three.txt"}), "3");
  EXPECT_THAT(log_of("one"), HasSubstr("on a terminal"));
  EXPECT_THAT(log_of("one"), HasSubstr("\"success\""));
  until([&] { return tmux("list-sessions").find("git-plan") == std::string::npos; });
  expect_clean();
}

TEST_F(WindowTest, OneOfAKilledExecutorGoesOnAndIsAdopted) {
  two_that_wait();
  const pid_t run = execute_in_child();
  until([&] { return both_open(); });
  until([&] { return log_of("one").find("working") != std::string::npos; });
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  std::ofstream(go()) << "";
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(result->view.ledger.task("one").attempts.size(), 1u);
}

TEST_F(WindowTest, WithoutAServerTheyWorkAsEver) {
  std::ofstream(go()) << "";
  two_that_wait();
  setenv("TMUX", (repo_.root() / "nowhere,1,0").c_str(), 1);  // of a server that is gone
  const auto result = execute();
  unsetenv("TMUX");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  ASSERT_EQ(listener_.warnings.size(), 1u);
  EXPECT_THAT(listener_.warnings[0], HasSubstr("no window can be opened for '"));
  EXPECT_THAT(listener_.warnings[0], HasSubstr("; agents work without one"));
  EXPECT_THAT(log_of("one"), Not(HasSubstr("on a terminal")));
}

}  // namespace
}  // namespace gitplan::test
