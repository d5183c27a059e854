// An executor that is killed at any moment: the next one ends where an undisturbed one would have.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "git-plan/executor/attempt_files.h"
#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

class ResumeTest : public RunTest {
 protected:
  // Kills the executor in the child once the condition holds.
  void kill_when(const std::function<bool()>& condition) {
    const pid_t child = execute_in_child();
    until(condition);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it was over before it could be killed";
  }
  std::string outside(const std::string& name) const { return repo_.root() / name; }
  int lines_in(const std::string& path) const {
    std::ifstream file(path);
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  void go(const std::string& name) const { std::ofstream(outside(name)) << ""; }
};

TEST_F(ResumeTest, ALivingTaskIsAdoptedAndRunsOnce) {
  make_plan(task("slow", {},
                 {"@append " + outside("starts") + " x", "@wait-for " + outside("go"),
                  "@write slow.txt done"}) +
            task("next", {"slow"}, {"@write next.txt done"}));
  kill_when([&] { return lines_in(outside("starts")) == 1; });
  EXPECT_TRUE(AttemptFiles(attempt_dir_of("slow")).alive());
  go("go");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(lines_in(outside("starts")), 1);
  EXPECT_EQ(result->view.ledger.task("slow").attempts.size(), 1u);
  EXPECT_EQ(result->view.ledger.runs.size(), 1u);
  EXPECT_EQ(subjects("main"), (std::vector<std::string>{"Work on next", "Work on slow", "Start"}));
  expect_clean();
}

TEST_F(ResumeTest, ATaskThatEndedMeanwhileIsTakenFromItsExit) {
  make_plan(task("slow", {},
                 {"@append " + outside("starts") + " x", "@wait-for " + outside("go"),
                  "@write slow.txt done"}));
  kill_when([&] { return lines_in(outside("starts")) == 1; });
  const AttemptFiles files(attempt_dir_of("slow"));
  go("go");
  until([&] { return files.exit().has_value() && !files.alive(); });
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(lines_in(outside("starts")), 1);
  EXPECT_EQ(repo_.read("slow.txt"), "done\n");
  expect_clean();
}

TEST_F(ResumeTest, ALostProcessIsStartedAgain) {
  make_plan(task("slow", {},
                 {"@append " + outside("starts") + " x", "@spawn-escaped " + outside("escaped"),
                  "@wait-for " + outside("go"), "@write slow.txt done"}));
  kill_when([&] {
    return std::filesystem::exists(outside("escaped")) &&
           std::filesystem::file_size(outside("escaped")) > 0;
  });
  const AttemptFiles files(attempt_dir_of("slow"));
  ASSERT_TRUE(files.shim().has_value());
  kill(*files.shim(), SIGKILL);
  until([&] { return !files.alive(); });
  pid_t escaped = 0;
  std::ifstream(outside("escaped")) >> escaped;
  std::filesystem::remove(outside("escaped"));
  go("go");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(lines_in(outside("starts")), 2);
  EXPECT_EQ(result->view.ledger.task("slow").attempts[0].outcome, "lost");
  until([&] { return kill(escaped, 0) != 0; });  // what the killed shim left behind
}

TEST_F(ResumeTest, KilledAtManyMomentsTheResultIsTheSame) {
  make_plan(task("a", {}, {"@append " + outside("a") + " x", "@write a.txt a"}) +
            task("b", {}, {"@append " + outside("b") + " x", "@write b.txt b"}) +
            task("c", {"a", "b"}, {"@append " + outside("c") + " x", "@write c.txt c"}));
  // Each time a little later, until a run comes through.
  int kills = 0;
  for (useconds_t pause = 60000;; pause += pause / 4) {
    const pid_t child = execute_in_child();
    usleep(pause);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    if (view().ledger.state == PlanState::kCompleted) break;  // it had said all but goodbye
    ++kills;
    ASSERT_LT(kills, 40);
  }
  const PlanView after = view();
  EXPECT_EQ(after.ledger.state, PlanState::kCompleted);
  for (const Decision& decision : after.ledger.decisions) ADD_FAILURE() << decision.asked.what;
  EXPECT_EQ(subjects("main"), (std::vector<std::string>{"Work on c", "Work on a (+1)", "Start"}));
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(repo_.read(std::string(name) + ".txt"), std::string(name) + "\n");
    EXPECT_EQ(lines_in(outside(name)), 1) << name;
  }
  EXPECT_EQ(after.ledger.misfits.size(), 0u);
  expect_clean();
}

TEST_F(ResumeTest, AJournalThatCannotBeWrittenStopsEverything) {
  make_plan(task("slow", {},
                 {"@append " + outside("starts") + " x", "@write slow.txt done",
                  "@sh test -e " + outside("go") + " || sleep 600"}));
  const std::filesystem::path folder = repo_.path() / ".git/git-plan/wal";
  std::filesystem::path journal;
  listener_.when = [&](const Event& event) {
    if (!std::holds_alternative<AttemptStarted>(event.body)) return;
    listener_.when = nullptr;
    // Once it is at work, a folder stands where the journal was.
    if (fork() != 0) return;
    while (lines_in(outside("starts")) == 0) usleep(10000);
    const std::filesystem::path file = std::filesystem::directory_iterator(folder)->path();
    std::filesystem::rename(file, outside("aside"));
    std::filesystem::create_directory(file);
    _exit(0);
  };
  const auto broken = execute();
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(broken.error().message.starts_with(
      "the journal of plan 'plan-under-test' cannot be written: "))
      << broken.error().message;
  while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;

  journal = std::filesystem::directory_iterator(folder)->path();
  std::filesystem::remove(journal);
  std::filesystem::rename(outside("aside"), journal);
  EXPECT_FALSE(AttemptFiles(attempt_dir_of("slow")).alive());
  go("go");
  const auto first = execute();  // takes up the attempt that was stopped
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first->view.ledger.task("slow").status, TaskStatus::kCancelled);
  ExecuteOptions options;
  options.resume = true;
  const auto second = execute(options);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_EQ(second->outcome, "completed");
  EXPECT_EQ(repo_.read("slow.txt"), "done\n");
}

TEST_F(ResumeTest, ASecondRunIsToldWhoIsAtWork) {
  make_plan(task("slow", {},
                 {"@append " + outside("starts") + " x", "@wait-for " + outside("go"),
                  "@write slow.txt done"}));
  const pid_t child = execute_in_child();
  until([&] { return lines_in(outside("starts")) == 1; });
  const auto second = execute();
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  go("go");
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace gitplan::test
