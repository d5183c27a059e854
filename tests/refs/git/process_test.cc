#include "refs/git/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

using std::chrono::milliseconds;

Command shell(const std::string& script) {
  Command command;
  command.argv = {"sh", "-c", script};
  return command;
}

TEST(Process, KeepsBothStreamsAndTheStatus) {
  const auto outcome = run(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "out\n");
  EXPECT_EQ(outcome->error, "err\n");
  EXPECT_EQ(outcome->exit_status, 3);
  EXPECT_FALSE(outcome->ok());
}

TEST(Process, ASignalIs128AndItsNumber) {
  const auto outcome = run(shell("kill -9 $$"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_status, 137);
}

TEST(Process, AnswersWhatItWasTold) {
  Command command = shell("read a; echo \"$a ready\"; read b; echo \"$b\"; read c || echo end");
  command.input = "first\n";
  int asked = 0;
  command.reply = [&](const std::string& output) -> std::optional<std::string> {
    ++asked;
    if (output.find("ready\n") == std::string::npos) return std::nullopt;
    return "second\n";
  };
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "first ready\nsecond\nend\n");
  EXPECT_EQ(asked, 1);
}

TEST(Process, AChildThatEndsWithoutAskingIsNotWaitedFor) {
  Command command = shell("exit 4");
  command.input = "first\n";
  command.reply = [](const std::string&) { return std::optional<std::string>("second\n"); };
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_status, 4);
}

TEST(Process, FeedsMoreThanAPipeHolds) {
  Command command;
  command.argv = {"cat"};
  command.input = std::string(3 << 20, 'x');
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, command.input);
}

TEST(Process, AChildThatReadsNothingDoesNotEndUs) {
  Command command = shell("exit 0");
  command.input = std::string(3 << 20, 'x');
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->ok());
}

TEST(Process, StandardInputIsEmptyByDefault) {
  const auto outcome = run(shell("cat; echo end"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "end\n");
}

TEST(Process, ADeadlineEndsTheWholeGroup) {
  Command command = shell("sleep 1000 & echo $!; wait");
  command.deadline = milliseconds(200);
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->timed_out);
  EXPECT_FALSE(outcome->ok());
  const pid_t sleeper = static_cast<pid_t>(std::stol(outcome->output));
  // TERM was sent; until somebody reaps it the sleeper is at most a zombie.
  for (int i = 0; i < 500 && kill(sleeper, 0) == 0; ++i) {
    const auto state =
        run(shell("cut -d' ' -f3 /proc/" + std::to_string(sleeper) + "/stat 2>/dev/null"));
    if (state.ok() && state->output == "Z\n") break;
    usleep(10000);
  }
  const auto state =
      run(shell("cut -d' ' -f3 /proc/" + std::to_string(sleeper) + "/stat 2>/dev/null"));
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(state->output.empty() || state->output == "Z\n") << state->output;
}

TEST(Process, OneThatIgnoresTermIsKilled) {
  Command command = shell("trap '' TERM; while :; do sleep 1; done");
  command.deadline = milliseconds(100);
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->timed_out);
  EXPECT_EQ(outcome->exit_status, 137);
}

TEST(Process, ABackgroundChildThatKeepsThePipeIsNotWaitedFor) {
  const auto outcome = run(shell("sleep 20 & echo $!"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->ok());
  const pid_t sleeper = static_cast<pid_t>(std::stol(outcome->output));
  EXPECT_EQ(kill(sleeper, SIGKILL), 0) << "it has been waited for to its end";
}

TEST(Process, OtherDescriptorsAreClosed) {
  const int mine = open("/dev/null", O_RDONLY);  // inheritable
  ASSERT_GE(mine, 0);
  const auto outcome = run(shell("test -e /proc/self/fd/" + std::to_string(mine)));
  close(mine);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_status, 1);
}

TEST(Process, SetsAndUnsetsVariables) {
  Command command = shell("echo ${A-none} ${B-none} ${HOME-none}");
  command.environment = {{"A", "old"}, {"A", "new"}, {"HOME", std::nullopt}};
  const auto outcome = run(command);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "new none none\n");
}

TEST(Process, SaysWhatCannotBeStartedAndWhere) {
  Command command;
  command.argv = {"no-such-program"};
  auto outcome = run(command);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "cannot start no-such-program: No such file or directory");

  command.argv = {"true"};
  command.directory = "/no/such/place";
  outcome = run(command);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message,
            "cannot start 'true' in /no/such/place: No such file or directory");
}

TEST(Process, EndsOneThatWritesWithoutEnd) {
  Command command;
  command.argv = {"yes"};
  command.max_output = 100000;
  const auto outcome = run(command);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "'yes' wrote more than 100000 bytes and was ended");
}

}  // namespace
}  // namespace gitplan::test
