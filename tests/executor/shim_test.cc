// git-plan-attempt as a process: what the command gets, how it ends, what stays behind.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/executor/shim_fixture.h"

namespace gitplan::test {
namespace {

TEST_F(ShimTest, KeepsOutputErrorAndExitStatus) {
  EXPECT_EQ(run("echo out; echo err >&2; exit 7"), 0);
  EXPECT_EQ(log(), "out\nerr\n");
  EXPECT_EQ(exit_number("exit_code"), 7);
  EXPECT_EQ(stopped_by(), "");
  EXPECT_GT(exit_number("started"), 1700000000000);
  EXPECT_GE(exit_number("ended"), exit_number("started"));
}

TEST_F(ShimTest, ReportsASignalAsAShellDoes) {
  EXPECT_EQ(run("kill -SEGV $$"), 0);
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGSEGV);
}

TEST_F(ShimTest, GivesExactlyTheEnvironmentOfTheSpec) {
  run("env | sort", {{"env", "PLAN_ID=x"}, {"env", "EMPTY="}, {"env", "TWO=a=b\nc"}});
  EXPECT_EQ(log(), "EMPTY=\nPATH=/usr/local/bin:/usr/bin:/bin\nPLAN_ID=x\nPWD=" + root_.string() +
                       "\nTWO=a=b\nc\n");
}

TEST_F(ShimTest, InputIsTheBriefAndThenTheEnd) {
  std::ofstream(root_ / "brief") << "do this\n";
  run("cat; echo end", {{"input", root_ / "brief"}});
  EXPECT_EQ(log(), "do this\nend\n");
}

TEST_F(ShimTest, ACommandThatNeverReadsALargeBriefEnds) {
  std::ofstream(root_ / "brief") << std::string(8 << 20, 'x');
  run("exit 3", {{"input", root_ / "brief"}});
  EXPECT_EQ(exit_number("exit_code"), 3);
}

TEST_F(ShimTest, TheCommandGetsNoLockAndNoSignalDisposition) {
  run("ls /proc/self/fd | wc -l; sed -nE 's/^(SigBlk|SigIgn):.*(.{7})$/\\1 \\2/p' "
      "/proc/self/status");
  // 0, 1, 2 and the directory that ls reads; the signals below 29.
  EXPECT_EQ(log(), "4\nSigBlk 0000000\nSigIgn 0000000\n");
}

TEST_F(ShimTest, ASecondShimForTheSameAttemptStepsBack) {
  start("sleep 60");
  until([&] { return has("process.json"); });
  const std::string program = GITPLAN_PROGRAM_DIR "/../libexec/git-plan/git-plan-attempt";
  const pid_t second = fork();
  if (second == 0) {
    execl(program.c_str(), "git-plan-attempt", attempt_.c_str(), nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(second, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 75);
  EXPECT_FALSE(has("exit.json"));
  kill(shim_, SIGTERM);
  wait();
}

TEST_F(ShimTest, TheLockLivesAsLongAsTheAttempt) {
  start("sleep 60");
  until([&] { return has("process.json"); });
  EXPECT_TRUE(lock_is_held());
  kill(shim_, SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_FALSE(lock_is_held());
}

TEST_F(ShimTest, NamesItselfBeforeTheCommandStarts) {
  run("cat attempt/process.json");
  EXPECT_EQ(log(), file("process.json"));
  EXPECT_EQ(log().find("{\"pid\":"), 0u);
}

TEST_F(ShimTest, ADirectoryThatIsGoneIsSaid) {
  EXPECT_EQ(run("true", {{"directory", "/nowhere/at/all"}}), 0);
  EXPECT_EQ(exit_number("exit_code"), 126);
  EXPECT_NE(file("exit.json")
                .find("\"error\":\"its directory cannot be entered: No such file or "
                      "directory\""),
            std::string::npos)
      << file("exit.json");
}

TEST_F(ShimTest, ADamagedSpecIsSaid) {
  EXPECT_EQ(run("true", {{"wall_ms", "soon"}}), 1);
  EXPECT_EQ(exit_number("exit_code"), 126);
  EXPECT_NE(file("exit.json").find("\"error\":\"spec has a wrong number in wall_ms\""),
            std::string::npos);
}

TEST_F(ShimTest, KillZeroInAScriptDoesNotReachTheShim) {
  EXPECT_EQ(run("trap '' TERM; kill 0; echo alive"), 0);
  EXPECT_EQ(log(), "alive\n");
  EXPECT_EQ(stopped_by(), "");
}

// ---- limits ----

TEST_F(ShimTest, TheWallClockEndsIt) {
  run("sleep 60", {{"wall_ms", "200"}});
  EXPECT_EQ(stopped_by(), "wall");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGTERM);
}

TEST_F(ShimTest, IdlenessEndsIt) {
  run("echo first; sleep 60", {{"idle_ms", "400"}});
  EXPECT_EQ(stopped_by(), "idle");
}

TEST_F(ShimTest, OutputIsNotIdle) {
  run("for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.2; done", {{"idle_ms", "1500"}});
  EXPECT_EQ(stopped_by(), "");
  EXPECT_EQ(exit_number("exit_code"), 0);
}

TEST_F(ShimTest, UseOfTheProcessorIsNotIdle) {
  run("setsid sh -c 'while [ ! -e stop ]; do :; done' & sleep 3; : > stop; wait",
      {{"idle_ms", "1000"}});
  EXPECT_EQ(stopped_by(), "");
  EXPECT_EQ(exit_number("exit_code"), 0);
}

TEST_F(ShimTest, GraceIsFromTermToKill) {
  run("trap '' TERM; echo deaf; while :; do sleep 1; done",
      {{"wall_ms", "300"}, {"grace_ms", "300"}});
  EXPECT_EQ(stopped_by(), "wall");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGKILL);
}

// ---- stopping ----

TEST_F(ShimTest, TermToTheShimIsCancel) {
  start("trap 'echo cleaning up; exit 9' TERM; echo ready; while :; do sleep 0.05; done");
  until([&] { return log() == "ready\n"; });
  kill(shim_, SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(stopped_by(), "cancel");
  EXPECT_EQ(exit_number("exit_code"), 9);
  EXPECT_TRUE(log().ends_with("\ncleaning up\n")) << log();
}

TEST_F(ShimTest, TheStopFileAloneEndsIt) {
  start("echo ready; sleep 60");
  until([&] { return log() == "ready\n"; });
  std::ofstream(attempt_ / "stop") << "cancel";
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(stopped_by(), "cancel");
}

TEST_F(ShimTest, AbortLeavesNoGrace) {
  start("trap '' TERM; echo ready; while :; do sleep 1; done", {{"grace_ms", "600000"}});
  until([&] { return log() == "ready\n"; });
  std::ofstream(attempt_ / "stop") << "cancel";
  kill(shim_, SIGTERM);
  usleep(300000);
  EXPECT_FALSE(has("exit.json"));
  std::ofstream(attempt_ / "stop") << "abort";
  kill(shim_, SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(stopped_by(), "abort");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGKILL);
}

TEST_F(ShimTest, StoppedBeforeItBegan) {
  std::ofstream(attempt_ / "stop") << "cancel";
  EXPECT_EQ(run("echo never"), 0);
  EXPECT_EQ(log(), "");
  EXPECT_EQ(stopped_by(), "cancel");
  EXPECT_EQ(exit_number("exit_code"), 128 + SIGTERM);
}

TEST_F(ShimTest, SignalsOfATerminalAreNotForIt) {
  start("echo ready; sleep 0.5; echo done");
  until([&] { return log() == "ready\n"; });
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE}) kill(shim_, signal);
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(log(), "ready\ndone\n");
  EXPECT_EQ(exit_number("exit_code"), 0);
}

// ---- descendants ----

TEST_F(ShimTest, ChildrenThatEscapedEndWithIt) {
  // Another session, twice forked, deaf to TERM.
  run("(setsid sh -c 'trap \"\" TERM HUP; echo $$ > escaped; while :; do sleep 1; done' &) ; "
      "while [ ! -s escaped ]; do sleep 0.02; done",
      {{"grace_ms", "300"}});
  EXPECT_EQ(exit_number("exit_code"), 0);
  EXPECT_EQ(stopped_by(), "");
  pid_t escaped = 0;
  std::ifstream(root_ / "escaped") >> escaped;
  ASSERT_GT(escaped, 0);
  EXPECT_FALSE(alive(escaped));
}

TEST_F(ShimTest, AStoppedChildEndsToo) {
  start("sleep 60 & echo $! > child; kill -STOP $!; echo ready; wait", {{"grace_ms", "20000"}});
  until([&] { return log() == "ready\n"; });
  kill(shim_, SIGTERM);
  EXPECT_EQ(wait(), 0);
  pid_t child = 0;
  std::ifstream(root_ / "child") >> child;
  EXPECT_FALSE(alive(child));
}

TEST_F(ShimTest, OutputOfLateChildrenIsKept) {
  run("(sleep 0.05; echo late) & exit 0");
  EXPECT_EQ(log(), "late\n");
}

TEST_F(ShimTest, ClosingItsOutputEarlyDoesNotEndIt) {
  run("exec >&- 2>&-; sleep 0.3; echo $$ > witness; exit 5");
  EXPECT_EQ(exit_number("exit_code"), 5);
  EXPECT_TRUE(std::filesystem::exists(root_ / "witness"));
}

TEST_F(ShimTest, TheCommandDiesWithAKilledShim) {
  start("echo $$ > child; echo ready; exec sleep 60");
  until([&] { return log() == "ready\n"; });
  pid_t child = 0;
  std::ifstream(root_ / "child") >> child;
  kill(shim_, SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  until([&] { return !alive(child); });
  EXPECT_FALSE(has("exit.json"));
  EXPECT_FALSE(lock_is_held());
}

TEST_F(ShimTest, OutlivesWhoeverStartedIt) {
  const pid_t starter = fork();
  if (starter == 0) {
    start("sleep 0.5; echo done");
    std::ofstream(root_ / "started") << shim_;
    pause();
  }
  until([&] { return has("process.json"); });
  kill(starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  until([&] { return has("exit.json"); });
  EXPECT_EQ(exit_number("exit_code"), 0);
  EXPECT_EQ(log(), "done\n");
}

// ---- the log ----

TEST_F(ShimTest, AFloodIsBoundedAndDoesNotStall) {
  constexpr std::uintmax_t kLimit = 1 << 20;
  const bool thorough = std::getenv("GITPLAN_LONG") != nullptr;
  const std::int64_t written = thorough ? 10'000'000'000 : 1'000'000'000;
  run("echo the beginning; head -c " + std::to_string(written) + " /dev/zero; echo; echo the end",
      {{"log_limit", std::to_string(kLimit)}});
  EXPECT_EQ(exit_number("exit_code"), 0);
  EXPECT_LE(std::filesystem::file_size(attempt_ / "log"), kLimit);
  const std::string text = log();
  EXPECT_TRUE(text.starts_with("the beginning\n"));
  EXPECT_TRUE(text.ends_with("\nthe end\n"));
  const std::string marker = "\n[git plan: ";
  const std::size_t at = text.find(marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find(marker, at + 1), std::string::npos);
  // What is there and what was left out make up what was written; the marker has 64 bytes.
  const std::int64_t left_out = std::stoll(text.substr(at + marker.size()));
  EXPECT_EQ(static_cast<std::int64_t>(text.size()) - 64 + left_out, 14 + written + 1 + 8);
}

TEST_F(ShimTest, TheLogCanBeReadWhileItGrows) {
  start("echo first; while [ ! -e go ]; do sleep 0.02; done; echo second");
  until([&] { return log() == "first\n"; });
  std::ofstream(root_ / "go") << "";
  EXPECT_EQ(wait(), 0);
  EXPECT_EQ(log(), "first\nsecond\n");
}

}  // namespace
}  // namespace gitplan::test
