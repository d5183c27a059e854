// Agents that git plan knows, played by stand-ins that say what the real ones say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

class PresetTest : public RunTest {
 protected:
  PresetTest() {
    const char* path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
    setenv("PATH", (bin() + ":" + path_).c_str(), 1);
    repo_.git({"config", "--unset", "plan.agent"});
  }
  ~PresetTest() override { setenv("PATH", path_.c_str(), 1); }

  std::string bin() const { return (repo_.root() / "bin").string(); }
  void stand_in(const std::string& name, const std::string& script) const {
    std::filesystem::create_directories(bin());
    const std::string file = bin() + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  const Attempt& one(const std::string& agent) {
    make_plan("- {name: one, description: Do it, agent: " + agent + "}\n");
    auto result = execute();
    EXPECT_TRUE(result.ok()) << result.error().message;
    view_ = view();
    return *view_.ledger.task("one").last();
  }

  PlanView view_;
  std::string path_;
};

TEST_F(PresetTest, EachIsDoneWhenItSaysSo) {
  const std::string work =
      "cat > /dev/null || exit 9\ncase $* in *--message-file*) test -s \"$PLAN_BRIEF\";; esac "
      "|| exit 8\necho \"$0\" | sed 's,.*/,,' > \"$PLAN_TASK.txt\"\n";
  stand_in("aider", work + "echo 'Tokens: 1k sent'\n");
  stand_in(
      "claude",
      "test -z \"$CLAUDECODE\" || exit 7\n" + work +
          R"(echo '{"type":"result","is_error":false,"result":"By claude.","total_cost_usd":0.5,"usage":{"input_tokens":3,"output_tokens":4}}'
)");
  stand_in(
      "codex",
      work +
          R"(echo '{"type":"item.completed","item":{"type":"agent_message","text":"By codex."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
)");
  stand_in("gemini", work +
                         R"(echo '{"type":"message","role":"assistant","content":"By gemini."}'
echo '{"type":"result","status":"success","stats":{"total_tokens":5}}'
)");
  stand_in("opencode", work +
                           R"(echo '{"type":"text","part":{"text":"By opencode."}}'
echo '{"type":"step_finish","part":{"reason":"stop","cost":0.1,"tokens":{"input":2,"output":2}}}'
)");
  setenv("CLAUDECODE", "1", 1);
  std::string tasks;
  for (const char* agent : {"aider", "claude", "codex", "gemini", "opencode"})
    tasks += "- {name: by-" + std::string(agent) + ", description: Do it, agent: " + agent + "}\n";
  make_plan(tasks);
  const auto result = execute();
  unsetenv("CLAUDECODE");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  for (const char* agent : {"aider", "claude", "codex", "gemini", "opencode"}) {
    const std::string task = "by-" + std::string(agent);
    EXPECT_EQ(result->view.ledger.task(task).status, TaskStatus::kCompleted) << agent;
    EXPECT_EQ(repo_.git({"show", "HEAD:" + task + ".txt"}), agent);
    EXPECT_EQ(result->view.ledger.task(task).last()->output, std::string(agent) != "aider")
        << agent;
  }
  EXPECT_EQ(result->view.ledger.task("by-claude").last()->tokens, 7);
  EXPECT_EQ(result->view.ledger.task("by-claude").last()->cost_usd, 0.5);
  EXPECT_EQ(repo_.git({"show", "refs/plans/" + id_ + ":outputs/by-claude.md"}), "By claude.");
}

TEST_F(PresetTest, StatusZeroWithoutTheLastWordIsNotDone) {
  stand_in("codex", "cat > /dev/null\necho x > x.txt\necho '{\"type\":\"turn.started\"}'\n");
  const Attempt& attempt = one("codex");
  EXPECT_EQ(attempt.outcome, "failed");
  EXPECT_EQ(attempt.error, "its agent ended with status 0, but without saying that it was done");
}

TEST_F(PresetTest, StatusZeroAfterAFailedTurnIsNotDone) {
  stand_in("codex",
           "cat > /dev/null\necho x > x.txt\n"
           "echo '{\"type\":\"turn.failed\",\"error\":{\"message\":\"secret words\"}}'\n");
  const Attempt& attempt = one("codex");
  EXPECT_EQ(attempt.failure, "task");
  EXPECT_EQ(attempt.error, "its agent says itself that it failed") << "its words are not stored";
}

TEST_F(PresetTest, WhoeverIsNotSignedInIsNotTriedAgain) {
  stand_in(
      "claude",
      "cat > /dev/null\n"
      "echo '{\"type\":\"result\",\"is_error\":true,\"result\":\"Invalid API key\"}'\nexit 1\n");
  const Attempt& attempt = one("claude");
  EXPECT_EQ(attempt.failure, "auth");
  EXPECT_EQ(attempt.error, "its agent 'claude' is not signed in; start it once by hand");
  EXPECT_EQ(view_.ledger.task("one").transient_failures, 0);
}

TEST_F(PresetTest, ALimitQueuesTheTaskUntilTheTimeItNames) {
  stand_in("claude",
           "cat > /dev/null\n"
           "echo '{\"type\":\"result\",\"is_error\":true,"
           "\"result\":\"Usage limit reached, try again in 2 hours\"}'\nexit 1\n");
  make_plan("- {name: one, description: Do it, agent: claude}\n",
            "retry: {max_attempts: 3, backoff: fixed}\n");
  Millis until = 0, told = 0;
  std::string failure;
  listener_.when = [&](const Event& event) {
    const auto* queued = std::get_if<TaskQueued>(&event.body);
    if (queued == nullptr) return;
    until = queued->until;
    told = event.time;
    failure = queued->failure;
    repo_.plan({"pause", id_});
  };
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(failure, "quota");
  EXPECT_NEAR(static_cast<double>(until - told), 2 * 3600e3, 60e3);
}

TEST_F(PresetTest, OneThatHangsAfterItsLastWordIsEnded) {
  stand_in("claude",
           "cat > /dev/null\necho x > x.txt\n"
           "echo '{\"type\":\"result\",\"is_error\":false,\"result\":\"Done.\"}'\n"
           "exec sleep 600\n");
  const Attempt& attempt = one("claude");
  EXPECT_EQ(attempt.outcome, "finished");
  EXPECT_THAT(attempt.remarks, ::testing::Contains("hung after its last word, and was ended"));
  EXPECT_EQ(view_.ledger.state, PlanState::kCompleted);
}

TEST_F(PresetTest, WhatACommandOfThePlanPrintsSaysNothingAboutAService) {
  make_plan("- {name: one, run: 'echo 429 Too Many Requests; exit 1'}\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->view.ledger.task("one").last()->failure, "task");
}

TEST_F(PresetTest, ACommandOfTheUsersGoesBeforeThePreset) {
  repo_.git({"config", "plan.agent.claude.command", "cat > /dev/null; echo mine > mine.txt"});
  EXPECT_EQ(one("claude").outcome, "finished");
}

}  // namespace
}  // namespace gitplan::test
