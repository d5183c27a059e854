// A command that has the terminal: what it gets, how a person ends it, what the terminal is like
// behind it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <fstream>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/shim.h"
#include "git-plan/executor/terminal_loan.h"
#include "tests/executor/shim_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// A process that leads the session of a terminal and starts a shim in it, as an executor would.
class TerminalTest : public ShimTest {
 protected:
  ~TerminalTest() override {
    if (session_ > 0) {
      kill(session_, SIGKILL);
      waitpid(session_, nullptr, 0);
    }
    if (master_ >= 0) close(master_);
  }

  void start_in_terminal(const std::string& command, AttemptSpec spec = {}) {
    spec.command = command;
    spec.directory = root_.string();
    spec.terminal = true;
    spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb"};
    const AttemptFiles files(attempt_.string());
    ASSERT_TRUE(files.write_spec(spec).ok());
    session_ = forkpty(&master_, nullptr, nullptr, nullptr);
    ASSERT_GE(session_, 0);
    if (session_ == 0) lead(files);
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }

  void type(const std::string& keys) const {
    ASSERT_EQ(write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  // Reads the terminal until it has shown this.
  void shows(const std::string& text) {
    until([&] {
      char buffer[4096];
      const ssize_t n = read(master_, buffer, sizeof buffer);
      if (n > 0) seen_.append(buffer, static_cast<std::size_t>(n));
      return seen_.find(text) != std::string::npos;
    });
    ASSERT_THAT(seen_, HasSubstr(text));
  }

  std::string seen_;
  pid_t session_ = -1;
  int master_ = -1;

 private:
  [[noreturn]] static void lead(const AttemptFiles& files) {
    signal(SIGUSR1, [](int) {  // as a shell does whose job has ended
      signal(SIGTTOU, SIG_IGN);
      tcsetpgrp(0, getpgrp());
      dprintf(1, "taken back\n");
    });
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    termios before{}, after{};
    tcgetattr(0, &before);
    {
      const TerminalLoan loan;
      const auto lock = files.take_lock();
      const auto shim = spawn_shim(GITPLAN_PROGRAM_DIR "/../libexec/git-plan/git-plan-attempt",
                                   files.dir(), {.attempt = *lock}, ShimPlace::kTerminal);
      close(*lock);
      if (!shim) _exit(9);
      while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) continue;
    }
    tcgetattr(0, &after);
    dprintf(1, "foreground %s, settings %s\n", tcgetpgrp(0) == getpgrp() ? "back" : "lost",
            before.c_lflag == after.c_lflag ? "back" : "lost");
    for (;;) pause();
  }
};

TEST_F(TerminalTest, TheCommandReadsAndWritesInTheForeground) {
  start_in_terminal(
      "test -t 0 && test -t 1 && test -t 2 && echo all three; "
      "ps -o pgid= -p $$ >group; ps -o tpgid= -p $$ >foreground; "
      "stty -echo; echo ready; read line; echo \"got $line\"; exit 3");
  shows("ready");
  type("word\n");
  shows("got word");
  shows("foreground back, settings back");
  EXPECT_THAT(seen_, HasSubstr("all three"));
  EXPECT_EQ(exit_number("exit_code"), 3);
  EXPECT_EQ(stopped_by(), "");
  EXPECT_EQ(log(), "");
  std::string group = "?", foreground = "!";
  std::ifstream(root_ / "group") >> group;
  std::ifstream(root_ / "foreground") >> foreground;
  EXPECT_EQ(group, foreground);
  EXPECT_TRUE(AttemptFiles(attempt_.string()).on_terminal());
}

// That the program answers is how it is known to run: dash swallows an interrupt that comes while
// it is starting one.
TEST_F(TerminalTest, CtrlCIsAnInterruptAndReachesOnlyTheCommand) {
  start_in_terminal("cat; echo never");
  type("word\n");
  shows("word\r\nword\r\n");
  type("\x03");
  shows("foreground back, settings back");
  EXPECT_EQ(stopped_by(), "interrupt");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGINT);
}

TEST_F(TerminalTest, OneThatTakesCtrlCAsAKeyIsNotInterrupted) {
  start_in_terminal("trap 'echo pressed; exit 0' INT; echo ready; while :; do sleep 0.05; done");
  shows("ready");
  type("\x03");
  shows("foreground back");
  EXPECT_THAT(seen_, HasSubstr("pressed"));
  EXPECT_EQ(stopped_by(), "");
  EXPECT_EQ(exit_number("exit_code"), 0);
}

TEST_F(TerminalTest, CtrlZDoesNotSuspendIt) {
  start_in_terminal("echo ready; read line; echo \"got $line\"");
  shows("ready");
  type("\x1a");
  shows("^Z");
  type("word\n");
  shows("got word");
  shows("foreground back, settings back");
  EXPECT_EQ(stopped_by(), "");
}

TEST_F(TerminalTest, LimitsAndTheStopFileHold) {
  AttemptSpec spec;
  spec.idle_ms = 400;
  start_in_terminal("stty raw; echo ready; sleep 1000", spec);
  shows("foreground back, settings back");
  EXPECT_EQ(stopped_by(), "idle");
}

TEST_F(TerminalTest, CancelEndsItAndItsChildren) {
  start_in_terminal("sleep 1000 & echo $! >child; echo ready; wait");
  shows("ready");
  ASSERT_TRUE(AttemptFiles(attempt_.string()).request_stop("cancel").ok());
  shows("foreground back, settings back");
  EXPECT_EQ(stopped_by(), "cancel");
  pid_t child = 0;
  std::ifstream(root_ / "child") >> child;
  EXPECT_FALSE(alive(child));
}

TEST_F(TerminalTest, AKilledShimLeavesAUsableTerminal) {
  start_in_terminal("stty -echo raw; echo ready; exec sleep 1000");
  shows("ready");
  const auto shim = AttemptFiles(attempt_.string()).shim();
  ASSERT_TRUE(shim);
  kill(*shim, SIGKILL);
  shows("foreground back, settings back");
  EXPECT_FALSE(has("exit.json"));
}

TEST_F(TerminalTest, AClosedTerminalIsAnInterrupt) {
  start_in_terminal("echo ready; sleep 1000");
  shows("ready");
  close(master_);
  master_ = -1;
  until([&] { return has("exit.json"); });
  EXPECT_EQ(stopped_by(), "interrupt");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGHUP);
}

TEST_F(TerminalTest, OneWhoseTerminalAShellTookBackEnds) {
  start_in_terminal("echo ready; while ! test -e go; do sleep 0.02; done; read line; echo no");
  shows("ready");
  kill(session_, SIGUSR1);
  shows("taken back");
  std::ofstream(root_ / "go") << "";
  shows("foreground back");
  EXPECT_EQ(stopped_by(), "interrupt");
}

TEST_F(TerminalTest, WithoutATerminalItIsSaid) {
  start("echo never", {{"terminal", "1"}});
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(exit_number("exit_code"), 126);
  EXPECT_THAT(file("exit.json"), HasSubstr("\"error\":\"it has no terminal\""));
}

}  // namespace
}  // namespace gitplan::test
