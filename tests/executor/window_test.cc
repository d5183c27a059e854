// Agents in windows of a tmux server of the test's own.
#include "git-plan/executor/window.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>

#include "git-plan/executor/attempt_files.h"
#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class WindowTest : public RunTest {
 protected:
  WindowTest() {
    std::filesystem::create_directories(repo_.root() / "tmux");
    setenv("TMUX_TMPDIR", (repo_.root() / "tmux").c_str(), 1);
    repo_.git({"config", "plan.adaptiveExecution", "false"});
    repo_.git({"config", "plan.agent.scripted.command",
               "test -t 0 && test -t 1 && echo on a terminal; exec python3 " GITPLAN_SOURCE_DIR
               "/tests/agents/scripted_agent.py <\"$PLAN_BRIEF\""});
  }
  ~WindowTest() override {
    tmux("kill-server");
    unsetenv("TMUX_TMPDIR");
    unsetenv("TMUX");
  }

  std::string tmux(const std::string& words) const {
    return repo_.run({"sh", "-c", "tmux " + words}).out;
  }
  std::string windows() const {
    return tmux("list-windows -a -F '#{session_name} #{window_name}' 2>/dev/null | sort");
  }
  std::string go() const { return (repo_.root() / "go").string(); }
  void let_go() const { std::ofstream(go()) << ""; }

  void two_that_wait(const std::string& more = {}) {
    make_plan(task("one", {}, {"@say working", "@wait-for " + go(), "@write one.txt 1"}) +
                  task("two", {}, {"@say working", "@wait-for " + go(), "@write two.txt 2"}) + more,
              "team: true\n");
  }
  std::string log_of(const std::string& task) {
    std::ifstream file(attempt_dir_of(task) + "/log");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Both agents have begun, each in its window.
  void both_at_work() {
    const std::string session = "git-plan-plan-under-test";
    until([&] { return windows() == session + " one\n" + session + " two\n"; });
    for (const std::string task : {"one", "two"})
      until([&] { return log_of(task).find("\"working\"") != std::string::npos; });
  }
  // Something done to the window of one of two cancels that task, and the other goes on.
  void only_that_one_ends(const std::string& task, const std::string& deed) {
    two_that_wait();
    const pid_t run = execute_in_child();
    both_at_work();
    tmux(deed + (" -t git-plan-plan-under-test:" + task) + (deed == "send-keys" ? " C-c" : ""));
    until([&] { return view().ledger.task(task).status == TaskStatus::kCancelled; });
    let_go();
    finish(run);
  }
  int finish(pid_t run) const {
    int status = -1;
    until([&] { return waitpid(run, &status, WNOHANG) == run; });
    return status;
  }
  void until_no_window_is_left() const {
    until([&] { return windows().empty(); });
  }
};

TEST_F(WindowTest, EachAgentHasOneAndNothingIsLeft) {
  two_that_wait("- {name: shell, run: test ! -t 1 && echo 3 >three.txt}\n");
  const pid_t run = execute_in_child();
  both_at_work();
  let_go();
  EXPECT_EQ(finish(run), 0);
  EXPECT_EQ(repo_.git({"show", "HEAD:one.txt"}), "1");
  EXPECT_EQ(repo_.git({"show", "HEAD:three.txt"}), "3");
  EXPECT_THAT(log_of("one"), HasSubstr("on a terminal"));
  EXPECT_THAT(log_of("one"), HasSubstr("\"success\"")) << "its last words too";
  until_no_window_is_left();
  expect_clean();
}

TEST_F(WindowTest, WhereTheyAreIsSaidOnce) {
  two_that_wait();
  let_go();
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_THAT(listener_.warnings, IsEmpty());
  EXPECT_THAT(listener_.notes,
              ElementsAre("agents have windows in tmux: tmux attach -t git-plan-plan-under-test"));
}

TEST_F(WindowTest, OneOfAKilledExecutorGoesOnAndIsAdopted) {
  two_that_wait();
  const pid_t run = execute_in_child();
  both_at_work();
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  EXPECT_TRUE(AttemptFiles(attempt_dir_of("one")).alive());
  let_go();
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  for (const std::string task : {"one", "two"}) {
    EXPECT_EQ(result->view.ledger.task(task).attempts.size(), 1u);
    EXPECT_THAT(log_of(task), HasSubstr("\"success\""));
  }
  until_no_window_is_left();
}

TEST_F(WindowTest, CtrlCThereEndsThatTaskAlone) {
  only_that_one_ends("one", "send-keys");
  EXPECT_EQ(view().ledger.state, PlanState::kPaused);
  EXPECT_NE(view().ledger.task("two").status, TaskStatus::kCancelled);
  until_no_window_is_left();
  ExecuteOptions again;
  again.resume = true;
  const auto result = execute(again);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(result->view.ledger.task("two").attempts.size(), 1u);
}

TEST_F(WindowTest, OneThatIsClosedEndsItsTaskAlone) {
  only_that_one_ends("two", "kill-window");
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", "plan/plan-under-test/integration"}),
            "README.md\none.txt");
}

TEST_F(WindowTest, CtrlCInTheExecutorClosesThem) {
  two_that_wait();
  const pid_t run = execute_in_child();
  both_at_work();
  kill(run, SIGINT);
  finish(run);
  EXPECT_EQ(view().ledger.state, PlanState::kPaused);
  EXPECT_EQ(view().ledger.task("one").status, TaskStatus::kCancelled);
  until_no_window_is_left();
}

TEST_F(WindowTest, OneOfAKilledShimIsReplaced) {
  two_that_wait();
  const pid_t run = execute_in_child();
  both_at_work();
  const auto shim = AttemptFiles(attempt_dir_of("one")).shim();
  ASSERT_TRUE(shim);
  kill(*shim, SIGKILL);
  until([&] { return view().ledger.task("one").attempts.size() == 2; });
  let_go();
  EXPECT_EQ(finish(run), 0);
  until_no_window_is_left();
}

// What works in the user's own tree has its terminal, or none.
TEST_F(WindowTest, TasksInTheWorkingTreeHaveNone) {
  make_plan(
      task("tree", {}, {"@sh tmux list-sessions >seen 2>&1", "@write tree.txt 1"}, "mode: clean"),
      "team: true\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_THAT(listener_.notes, IsEmpty());
  EXPECT_THAT(log_of("tree"), Not(HasSubstr("on a terminal")));
  EXPECT_THAT(repo_.git({"show", "HEAD:seen"}), HasSubstr("error connecting to"));
}

TEST_F(WindowTest, WithoutAServerTheyWorkAsEver) {
  let_go();
  two_that_wait();
  const std::string socket = repo_.root() / "nowhere";
  setenv("TMUX", (socket + ",1,0").c_str(), 1);  // of a server that is gone
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  ASSERT_EQ(listener_.warnings.size(), 1u);
  std::string said = listener_.warnings[0];
  if (const auto at = said.find("'two'"); at != std::string::npos) said.replace(at, 5, "'one'");
  EXPECT_EQ(said, "no window can be opened for 'one': tmux says: error connecting to " + socket +
                      " (No such file or directory); agents work without one");
  EXPECT_THAT(log_of("one"), Not(HasSubstr("on a terminal")));
}

TEST_F(WindowTest, WithoutTmuxTheyWorkAsEver) {
  let_go();
  two_that_wait();
  const std::filesystem::path programs = repo_.root() / "programs";
  std::filesystem::create_directories(programs);
  for (const std::string program : {"git", "python3", "sh"}) {
    std::string found =
        repo_
            .run({"sh", "-c",
                  program == "python3" ? "python3 -c 'import sys; print(sys.executable)'"
                                       : "command -v " + program})
            .out;
    found.pop_back();
    std::filesystem::create_symlink(found, programs / program);
  }
  const std::string path = std::getenv("PATH");
  setenv("PATH", programs.c_str(), 1);
  const auto result = execute();
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  ASSERT_EQ(listener_.warnings.size(), 1u);
  EXPECT_THAT(listener_.warnings[0],
              HasSubstr("': cannot start tmux: No such file or directory; agents work without"));
}

// A tmux that says yes and does nothing; waits as long as the executor does.
TEST_F(WindowTest, OneInWhichNothingStartsIsNotWaitedForAgain) {
  let_go();
  two_that_wait();
  repo_.write("../fake/tmux",
              "#!/bin/sh\necho \"$1\" >>'" + (repo_.root() / "asked").string() + "'\necho %1\n");
  std::filesystem::permissions(repo_.root() / "fake/tmux", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", ((repo_.root() / "fake").string() + ":" + path).c_str(), 1);
  setenv("TMUX", "/nowhere,1,0", 1);
  const auto result = execute();
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  ASSERT_EQ(listener_.warnings.size(), 1u);
  EXPECT_THAT(listener_.warnings[0],
              HasSubstr("': its output does not reach the log; agents work without one"));
  EXPECT_EQ(repo_.run({"cat", repo_.root() / "asked"}).out, "new-window\nset-option\nkill-pane\n");
}

pid_t connect_as(uid_t user, const std::string& address) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (user != getuid() && setuid(user) != 0) _exit(2);
  sockaddr_un peer{};
  peer.sun_family = AF_UNIX;
  std::memcpy(peer.sun_path + 1, address.data(), address.size());
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  const auto length = static_cast<socklen_t>(sizeof peer.sun_family + 1 + address.size());
  if (connect(fd, reinterpret_cast<sockaddr*>(&peer), length) != 0) _exit(3);
  char which = 0;
  _exit(recv(fd, &which, 1, 0) == 1 && which == '3' ? 0 : 1);
}

TEST(LockOffer, IsForProcessesOfItsUserOnly) {
  if (getuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  auto offer = LockOffer::make();
  ASSERT_TRUE(offer.ok()) << offer.error().message;
  const int lock = dup(0);
  auto handed_over = std::async([&] { return offer->hand_over({.attempt = lock}).ok(); });
  constexpr uid_t kNobody = 65534;
  int status = 0;
  waitpid(connect_as(kNobody, offer->address()), &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 1) << "it got something";
  waitpid(connect_as(getuid(), offer->address()), &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(handed_over.get());
  close(lock);
}

TEST(LockOffer, TwoAddressesDiffer) {
  const auto one = LockOffer::make(), other = LockOffer::make();
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE(one->address(), other->address());
}

}  // namespace
}  // namespace gitplan::test
