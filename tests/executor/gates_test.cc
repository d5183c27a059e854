// What must be said before a task starts or is taken: approval, checkpoints, locks, other plans;
// and who plays it when its agent cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Gates : public RunTest {
 protected:
  std::string outcome(ExecuteOptions options = {}) {
    const auto result = execute(std::move(options));
    return result ? result->outcome : result.error().message;
  }
  void answer(const std::string& option, const std::string& text = {}) {
    const std::string id = only_open().asked.decision;
    std::vector<std::string> words{
        "-c", "plan.allowHeadlessApproval=true", "plan", "resolve", id_, id, option};
    if (!text.empty()) words.insert(words.end(), {"-m", text});
    words.insert(words.begin(), "git");
    const auto said = repo_.run(words);
    ASSERT_EQ(said.exit_status, 0) << said.err;
  }
  std::string file(const std::string& name) const { return (repo_.root() / name).string(); }
};

TEST_F(Gates, NothingGatedStartsUnapproved) {
  make_plan(
      "- {name: free, run: 'echo 1 > free.txt'}\n"
      "- {name: deploy, description: Put it live, run: 'echo 2 > deploy.txt', approval_gate: "
      "true}\n"
      "- {name: after, run: 'echo 3 > after.txt', depends_on: [deploy]}\n");
  EXPECT_EQ(outcome(), "paused");
  const DecisionAsked asked = only_open().asked;
  EXPECT_EQ(asked.kind, "approval_gate");
  EXPECT_EQ(asked.what,
            "a person's approval is needed to start 'deploy':\nPut it live\nIt runs: echo 2 > "
            "deploy.txt");
  EXPECT_EQ(asked.impact, "Blocked: 'after'. Independent tasks go on.");
  EXPECT_TRUE(view_.ledger.task("deploy").attempts.empty());
  EXPECT_EQ(view_.ledger.task("free").status, TaskStatus::kCompleted);

  const auto refused = repo_.plan({"resolve", id_, asked.decision, "approve"});
  EXPECT_EQ(refused.exit_status, 7);
  EXPECT_THAT(refused.err, HasSubstr("needs a terminal"));
  EXPECT_EQ(repo_.plan({"approve", id_, "deploy"}).exit_status, 7);
  const auto approved =
      repo_.run({"git", "-c", "plan.allowHeadlessApproval=true", "plan", "approve", id_, "deploy"});
  EXPECT_EQ(approved.exit_status, 0) << approved.err;
  EXPECT_EQ(approved.out, "Approved: 'deploy' may start.\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(repo_.read("after.txt"), "3\n");
  expect_clean();
}

TEST_F(Gates, AnApprovalInAdvanceHoldsForTheTextAsItWas) {
  make_plan("- {name: deploy, run: 'echo 2 > deploy.txt', approval_gate: true}\n");
  const std::vector<std::string> approve{
      "git", "-c", "plan.allowHeadlessApproval=true", "plan", "approve", id_, "deploy"};
  ASSERT_EQ(repo_.run(approve).exit_status, 0);
  EXPECT_EQ(repo_.run(approve).exit_status, 2) << "it is approved already";
  ASSERT_EQ(
      repo_.plan({"update", id_, "--set", "deploy.run=echo 3 > deploy.txt", "--yes"}).exit_status,
      0);
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.kind, "approval_gate");
  answer("approve");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(repo_.read("deploy.txt"), "3\n");
}

TEST_F(Gates, WhatIsRejectedStopsAndAsksAgainAfresh) {
  make_plan("- {name: deploy, run: 'echo 2 > deploy.txt', approval_gate: true}\n");
  EXPECT_EQ(outcome(), "paused");
  answer("reject", "not on a Friday");
  EXPECT_EQ(view().ledger.task("deploy").status, TaskStatus::kCancelled);
  EXPECT_EQ(view().ledger.task("deploy").reason, "rejected: not on a Friday");
  const auto stopped = execute();
  ASSERT_TRUE(stopped.ok());
  EXPECT_EQ(stopped->view.ledger.run()->reason, "'deploy' was rejected: --resume starts it afresh");
  ExecuteOptions resume;
  resume.resume = true;
  EXPECT_EQ(outcome(resume), "paused");
  answer("approve");
  EXPECT_EQ(outcome(), "completed");
}

TEST_F(Gates, ACheckpointHoldsTheResultUntilAPersonHasSeenIt) {
  make_plan(
      "- {name: draft, run: 'echo $PLAN_ATTEMPT > draft.txt', checkpoint: human_verify, "
      "exit_criteria: It reads well}\n"
      "- {name: next, run: 'cp draft.txt next.txt', depends_on: [draft]}\n");
  EXPECT_EQ(outcome(), "paused");
  const DecisionAsked asked = only_open().asked;
  EXPECT_EQ(asked.kind, "checkpoint");
  EXPECT_THAT(asked.what, HasSubstr("'draft' has finished and waits for a person to look at "
                                    "it:\nIt reads well\nIt changed 'draft.txt': git diff "));
  EXPECT_EQ(view_.ledger.task("draft").status, TaskStatus::kFinished);
  EXPECT_TRUE(view_.ledger.waves.empty());
  EXPECT_THAT(repo_.plan({"why", id_, "draft"}).out, HasSubstr("waits for a person's approval"));
  answer("reject", "write it shorter");
  ExecuteOptions resume;
  resume.resume = true;
  EXPECT_EQ(outcome(resume), "paused");
  std::ifstream brief(attempt_dir_of("draft") + "/brief");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(brief), {}),
              HasSubstr("write it shorter"));
  answer("approve");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(repo_.read("next.txt"), repo_.read("draft.txt"));
  expect_clean();
}

TEST_F(Gates, ALockIsHeldByOneTask) {
  const std::string run = "run: 'mkdir " + file("held") + " || exit 1; sleep 0.3; rmdir " +
                          file("held") + "; echo > $PLAN_TASK.txt'";
  make_plan("- {name: a, " + run + ", locks: [database]}\n- {name: b, " + run +
            ", locks: [database, device]}\n- {name: c, " + run + ", locks: [device, database]}\n");
  EXPECT_EQ(outcome(), "completed");
  for (const char* name : {"a", "b", "c"})
    EXPECT_EQ(view().ledger.task(name).attempts.size(), 1u) << name;
}

TEST_F(Gates, AFallbackTakesOverWhereTheAgentCannot) {
  repo_.git({"config", "plan.agent.first.command",
             "cat >/dev/null; echo 'rate limit reached, try again in 2 hours'; exit 1"});
  repo_.git(
      {"config", "plan.agent.second.command", "cat >/dev/null; echo second > $PLAN_TASK.txt"});
  make_plan(
      "- {name: a, description: Do it, agent: first, fallback: [second]}\n"
      "- {name: b, description: Do it, agent: first, fallback: [second], depends_on: [a]}\n");
  EXPECT_EQ(outcome(), "completed");
  const PlanView after = view();
  ASSERT_EQ(after.ledger.task("a").attempts.size(), 2u);
  EXPECT_EQ(after.ledger.task("a").attempts[0].outcome, "queued");
  EXPECT_TRUE(after.ledger.task("a").attempts[0].limited);
  EXPECT_EQ(after.ledger.task("a").attempts[1].agent, "second");
  ASSERT_EQ(after.ledger.task("b").attempts.size(), 1u) << "the agent is known to be limited";
  EXPECT_EQ(after.ledger.task("b").attempts[0].agent, "second");
}

TEST_F(Gates, ThePlanWaitsForAnother) {
  repo_.write("other.md",
              "---\ntitle: other\norchestration:\n  default_mode: forked\n  tasks:\n    - {name: "
              "cleanup, run: 'echo > cleanup.txt'}\n    - {name: rest, run: 'echo > rest.txt', "
              "depends_on: [cleanup]}\n---\n# other\n");
  ASSERT_EQ(repo_.plan({"create", "-F", "other.md", "--naming", "{title}"}).exit_status, 0);
  std::filesystem::remove(repo_.path() / "other.md");
  make_plan("- {name: mine, run: 'cp rest.txt mine.txt'}\n",
            "waits_for: {plan: other, tasks: [cleanup]}\n");
  listener_.when = [&](const Event& event) {
    if (!std::holds_alternative<RunWaits>(event.body)) return;
    listener_.when = nullptr;
    EXPECT_EQ(view().ledger.state, PlanState::kQueued);
    ASSERT_EQ(repo_.plan({"execute", "other", "--yes"}).exit_status, 0);
  };
  EXPECT_EQ(outcome(), "completed");
  EXPECT_THAT(listener_.events, ::testing::Contains("run_waits"));
  EXPECT_THAT(listener_.waits, ::testing::IsEmpty()) << "the event says it";
  for (const char* path : {"cleanup.txt", "rest.txt", "mine.txt"}) EXPECT_TRUE(repo_.exists(path));
}

TEST_F(Gates, APlanThatIsNotThereIsAQuestion) {
  make_plan("- {name: mine, run: 'echo > mine.txt'}\n", "waits_for: {plan: nowhere}\n");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.what, "the plan 'nowhere', which this one waits for, is not there");
  answer("run");
  EXPECT_EQ(outcome(), "completed");
}

TEST_F(Gates, ABudgetThatIsSpentIsAQuestion) {
  std::filesystem::create_directories(repo_.root() / "bin");
  std::ofstream(file("bin/claude"))
      << "#!/bin/sh\ncat >/dev/null\necho $* > $PLAN_TASK.txt\n"
      << R"(echo '{"type":"result","is_error":false,"result":"Done.","total_cost_usd":3}')"
      << "\ntest -e " << file("good") << "\n";
  std::filesystem::permissions(file("bin/claude"), std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (file("bin") + ":" + path).c_str(), 1);
  make_plan("- {name: a, description: Do it, agent: claude, budget_usd: 2}\n");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.kind, "failed");
  answer("retry");
  EXPECT_EQ(outcome(), "paused");
  EXPECT_EQ(only_open().asked.what, "'a' has cost 3.00 USD");
  std::ofstream(file("good")) << "";
  answer("more");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_THAT(repo_.read("a.txt"), HasSubstr("--max-budget-usd 1.0000"));
  setenv("PATH", path.c_str(), 1);
}

TEST_F(Gates, AnEagerPlanIntegratesWhatHasFinished) {
  make_plan("- {name: slow, run: 'until test -e " + file("go") +
                "; do sleep 0.05; done; echo > slow.txt'}\n"
                "- {name: quick, run: 'echo > quick.txt'}\n"
                "- {name: next, run: 'test -e quick.txt && touch " +
                file("go") + " && echo > next.txt', depends_on: [quick]}\n",
            "schedule: eager\n");
  EXPECT_EQ(outcome(), "completed");
  EXPECT_EQ(view().ledger.task("quick").wave, 1);
}

}  // namespace
}  // namespace gitplan::test
