// Whole runs on a real repository: levels, failures, checks, stopping.
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "git-plan/executor/attempt_files.h"
#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

TEST_F(RunTest, SixTasksOnThreeLevelsLandOneCommitAWave) {
  make_plan(task("core", {}, {"@write core.txt core", "@output The core is there."}) +
            task("docs", {}, {"@write docs/a.md docs"}) +
            task("left", {"core"}, {"@write left.txt left"}) +
            task("right", {"core"}, {"@write right.txt right", "@commit my own commit"}) +
            task("tools", {"docs"}, {"@write tools.txt tools"}) +
            task("top", {"left", "right", "tools"}, {"@write top.txt top"}));
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_FALSE(result->interrupted);
  for (const char* path :
       {"core.txt", "docs/a.md", "left.txt", "right.txt", "tools.txt", "top.txt"})
    EXPECT_TRUE(repo_.exists(path)) << path;
  EXPECT_EQ(repo_.read("top.txt"), "top\n");
  EXPECT_EQ(subjects("main"), (std::vector<std::string>{"Work on top", "Work on left (+2)",
                                                        "Work on core (+1)", "Start"}));
  for (const auto& task : result->view.plan.tasks())
    EXPECT_EQ(result->view.ledger.task(task.name).status, TaskStatus::kCompleted) << task.name;
  EXPECT_EQ(result->view.ledger.state, PlanState::kCompleted);
  EXPECT_EQ(listener_.warnings, std::vector<std::string>());
  expect_clean();
  EXPECT_EQ(repo_.git({"fsck", "--strict"}), "") << "a run that nobody killed leaves nothing over";
  // What it left is in the plan.
  EXPECT_EQ(repo_.git({"show", "refs/plans/" + id_ + ":outputs/core.md"}), "The core is there.");
  const std::string run = result->run;
  EXPECT_NE(repo_.git({"show", "refs/plans/" + id_ + ":waves/001-" + run + "/wave.md"})
                .find("# Wave 1\n"),
            std::string::npos);
}

TEST_F(RunTest, WhatIsLeftForLaterTasksReachesThem) {
  make_plan(
      task("first", {},
           {"@write a.txt a", "@output Remember the number 4711.",
            R"(@finding {"item_id":"first","status":"completed","prose_notes":"it was easy"})"}) +
      "- name: second\n  depends_on: [first]\n"
      "  run: cat > got.txt; cp \"$PLAN_OUTPUTS/first.md\" out.txt; env | grep ^PLAN_ | sed "
      "'s/=.*//' | sort > env.txt\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result->outcome, "completed");
  const std::string brief = repo_.read("got.txt");
  EXPECT_NE(brief.find("Remember the number 4711."), std::string::npos);
  EXPECT_NE(brief.find("- completed: it was easy"), std::string::npos);
  EXPECT_EQ(repo_.read("out.txt"), "Remember the number 4711.\n");
  EXPECT_EQ(
      repo_.read("env.txt"),
      "PLAN_ATTEMPT\nPLAN_BRIEF\nPLAN_FILE\nPLAN_FINDINGS\nPLAN_ID\nPLAN_OUTPUT\nPLAN_OUTPUTS\n"
      "PLAN_PORT_BASE\nPLAN_ROLE\nPLAN_SLOT\nPLAN_TASK\n");
}

TEST_F(RunTest, AFailureStopsWhatDependsOnItAndNothingElse) {
  make_plan(task("good", {}, {"@write good.txt good"}) +
            task("bad", {}, {"@write bad.txt x", "@exit 3"}) +
            task("after-bad", {"bad"}, {"@write after.txt x"}));
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "paused");
  const Ledger& ledger = result->view.ledger;
  EXPECT_EQ(ledger.task("good").status, TaskStatus::kCompleted);
  EXPECT_EQ(ledger.task("bad").status, TaskStatus::kFailed);
  EXPECT_EQ(ledger.task("bad").last()->error, "its command ended with status 3");
  EXPECT_EQ(ledger.task("bad").last()->exit_code, 3);
  EXPECT_EQ(ledger.task("after-bad").status, TaskStatus::kPending);
  ASSERT_EQ(ledger.decisions.size(), 1u);
  EXPECT_EQ(ledger.decisions[0].asked.kind, "failed");
  EXPECT_EQ(ledger.decisions[0].asked.task, "bad");
  // Its work is kept, and its tree stays for a look.
  EXPECT_EQ(repo_.git({"show", ledger.task("bad").last()->commit + ":bad.txt"}), "x");
  EXPECT_FALSE(repo_.exists("good.txt"));  // nothing lands before the end
  EXPECT_EQ(repo_.git({"show", "plan/" + id_ + "/integration:good.txt"}), "good");
}

TEST_F(RunTest, AnAnsweredQuestionGoesOnAtOnce) {
  make_plan(task("bad", {},
                 {"@sh test -e " + (repo_.root() / "fixed").string() + " || touch " +
                      (repo_.root() / "broken").string(),
                  "@sh test -e " + (repo_.root() / "fixed").string() + " && echo x > x.txt"}));
  listener_.answer = [this](const DecisionAsked& asked, int) -> std::optional<DecisionResolved> {
    EXPECT_EQ(asked.kind, "failed");
    EXPECT_EQ(asked.what, "'bad' failed: it changed nothing");
    std::ofstream(repo_.root() / "fixed") << "";
    DecisionResolved resolved;
    resolved.option = "retry";
    return resolved;
  };
  ExecuteOptions options;
  options.interactive = true;
  const auto result = execute(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(listener_.questions.size(), 1u);
  EXPECT_EQ(repo_.read("x.txt"), "x\n");
}

TEST_F(RunTest, AQuestionHoldsNothingElseUp) {
  const std::string asked = (repo_.root() / "asked").string();
  const std::string done = (repo_.root() / "done").string();
  // 'second' can start only while the question stands, and the answer waits for its end.
  make_plan(task("bad", {}, {"@exit 3"}) +
            task("first", {},
                 {"@sh while ! test -e " + asked + "; do sleep 0.05; done", "@write first.txt x"}) +
            task("second", {"first"}, {"@write second.txt x", "@append " + done + " x"}));
  listener_.answer = [&](const DecisionAsked&, int) -> std::optional<DecisionResolved> {
    std::ofstream(asked) << "";
    until([&] { return std::filesystem::exists(done); });
    DecisionResolved resolved;
    resolved.option = "skip";
    return resolved;
  };
  ExecuteOptions options;
  options.interactive = true;
  const auto result = execute(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(repo_.read("second.txt"), "x\n");
}

TEST_F(RunTest, AQuestionThatIsAnsweredElsewhereIsGivenUp) {
  make_plan(task("bad", {}, {"@exit 3"}));
  listener_.answer = [&](const DecisionAsked& asked, int give_up) {
    auto repository = Repository::open_at(repo_.path());
    auto store = Store::open(*repository);
    const auto elsewhere = store->change(id_, [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.bodies = {DecisionResolved{asked.decision, "skip", "", 0}};
      return change;
    });
    EXPECT_TRUE(elsewhere.ok());
    pollfd told{give_up, POLLIN, 0};
    EXPECT_EQ(poll(&told, 1, 60000), 1);
    return std::optional<DecisionResolved>();
  };
  ExecuteOptions options;
  options.interactive = true;
  const auto result = execute(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->view.ledger.task("bad").status, TaskStatus::kSkipped);
  EXPECT_EQ(listener_.questions.size(), 1u);
}

TEST_F(RunTest, ChecksRunInTheTasksTreeAndLeaveNothing) {
  make_plan(
      task("made", {}, {"@write made.txt good"},
           "checks: [\"grep -q good made.txt && echo trace > trace.txt && echo x >> made.txt\"]") +
      task("unmade", {}, {"@write unmade.txt bad"}, "checks: [\"grep -q good unmade.txt\"]"));
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->view.ledger.task("made").status, TaskStatus::kCompleted);
  EXPECT_EQ(result->view.ledger.task("unmade").last()->failure, "evidence");
  EXPECT_EQ(result->view.ledger.task("unmade").last()->error,
            "'grep -q good unmade.txt' failed with status 1");
  EXPECT_EQ(repo_.git({"show", "plan/" + id_ + "/integration:made.txt"}), "good");
  EXPECT_EQ(listener_.warnings, std::vector<std::string>());
}

TEST_F(RunTest, TheCommandThatIsMissingIsNamed) {
  make_plan("- name: lost\n  run: no-such-program --now\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const Attempt& attempt = *result->view.ledger.task("lost").last();
  EXPECT_EQ(attempt.failure, "config");
  EXPECT_EQ(attempt.error, "'no-such-program' was not found (status 127)");
}

TEST_F(RunTest, WithoutAnAgentNothingStarts) {
  repo_.git({"config", "--unset", "plan.agent"});
  make_plan(task("one", {}, {"@write a a"}));
  const auto result = execute();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "task 'one' has no 'run' command, and no agent plays its role 'builder'");
  EXPECT_EQ(result.error().hint,
            "git config plan.agent <name>, one of aider, claude, codex, gemini, opencode, or one "
            "that plan.agent.<name>.command defines");
  EXPECT_EQ(listener_.events, std::vector<std::string>());
}

TEST_F(RunTest, VerifyHoldsTheWaveBack) {
  make_plan(task("one", {}, {"@write one.txt bad"}), "verify: [\"grep -q good one.txt\"]\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "paused");
  ASSERT_EQ(result->view.ledger.decisions.size(), 1u);
  EXPECT_EQ(result->view.ledger.decisions[0].asked.kind, "verify_failed");
  EXPECT_FALSE(repo_.exists("one.txt"));
}

TEST_F(RunTest, DroppingATaskThatNothingNeedsIsOneQuestion) {
  make_plan(task("bad", {}, {"@write bad.txt x"}) + task("good", {}, {"@write good.txt x"}),
            "verify: [\"test ! -e bad.txt\"]\n");
  listener_.answer = [](const DecisionAsked& asked, int) -> std::optional<DecisionResolved> {
    EXPECT_EQ(asked.kind, "verify_failed");
    EXPECT_EQ(asked.options.at(2).label, "make the wave without 'bad', which is skipped");
    DecisionResolved resolved;
    resolved.option = "drop:bad";
    return resolved;
  };
  ExecuteOptions options;
  options.interactive = true;
  const auto result = execute(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(listener_.questions.size(), 1u);
  EXPECT_EQ(result->view.ledger.task("bad").status, TaskStatus::kSkipped);
  EXPECT_EQ(result->view.ledger.task("bad").reason, "dropped from wave 1: verify failed");
  EXPECT_EQ(result->view.ledger.task("good").status, TaskStatus::kCompleted);
  EXPECT_TRUE(repo_.exists("good.txt"));
  EXPECT_FALSE(repo_.exists("bad.txt"));
  expect_clean();
}

TEST_F(RunTest, DroppingATaskThatAnotherNeedsAsksWhatBecomesOfIt) {
  make_plan(task("bad", {}, {"@write bad.txt x"}) + task("next", {"bad"}, {"@write next.txt x"}),
            "verify: [\"test ! -e bad.txt\"]\n");
  listener_.answer = [](const DecisionAsked& asked, int) -> std::optional<DecisionResolved> {
    DecisionResolved resolved;
    resolved.option = asked.kind == "verify_failed" ? "drop:bad" : "skip";
    if (asked.kind == "verify_failed") {
      EXPECT_EQ(asked.options.at(2).label,
                "make the wave without 'bad'; as 'next' needs it, you are asked about it next");
    } else {
      EXPECT_EQ(asked.what, "'bad' was dropped from wave 1: verify failed");
      EXPECT_EQ(asked.impact, "Blocked: 'next'. Independent tasks go on.");
    }
    return resolved;
  };
  ExecuteOptions options;
  options.interactive = true;
  const auto result = execute(options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(listener_.questions.size(), 2u);
  EXPECT_TRUE(repo_.exists("next.txt"));
}

// An exit status of 0 proves nothing about a place that is gone.
TEST_F(RunTest, ATaskThatTakesItsPlaceAwayIsNotDone) {
  const std::string own = "'plan/plan-under-test/";
  const std::vector<std::array<std::string, 3>> all{
      {"gone", "rm -rf \"$PWD\"", "its worktree is gone, and with it what was not committed"},
      {"removed", "git worktree remove --force --force .",
       "its worktree is gone, and with it what was not committed"},
      {"link", "echo x > x.txt; rm .git", "the file .git of its worktree is missing or changed"},
      {"own", "rm .git; git init -q . && echo x > y.txt",
       "its worktree was made a repository of its own"},
      {"away", "git switch -q -c elsewhere && echo x > z.txt",
       "its worktree is not on its branch " + own + "away' any more, but on 'elsewhere'"},
      {"renamed", "git branch -m taken && echo x > r.txt",
       "its worktree is not on its branch " + own +
           "renamed' any more, but on 'taken'; its branch " + own + "renamed' is gone"},
      {"deleted", "git checkout -q --detach && git branch -q -D plan/plan-under-test/deleted",
       "its branch " + own + "deleted' is gone"}};
  std::string tasks;
  for (const auto& [name, command, why] : all)
    tasks += "- name: " + name + "\n  run: '" + command + "'\n";
  make_plan(tasks);
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "paused");
  for (const auto& [name, command, why] : all) {
    const TaskRecord& record = result->view.ledger.task(name);
    EXPECT_EQ(record.status, TaskStatus::kFailed) << name;
    ASSERT_NE(record.last(), nullptr) << name;
    EXPECT_EQ(record.last()->error, why) << name;
    EXPECT_EQ(record.last()->failure, "evidence") << name;
  }
}

TEST_F(RunTest, ATransientFailureIsTriedAgain) {
  make_plan(
      task("shaky", {}, {"@once " + (repo_.root() / "seen").string(), "@write shaky.txt done"}),
      "retry: {max_attempts: 3, backoff: fixed}\n");
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->outcome, "completed");
  EXPECT_EQ(result->view.ledger.task("shaky").attempts.size(), 2u);
  EXPECT_EQ(result->view.ledger.task("shaky").attempts[0].failure, "network");
  expect_clean();
}

TEST_F(RunTest, CtrlCEndsTheTaskAndPausesThePlan) {
  const std::string pid_file = repo_.root() / "pid";
  make_plan(task("slow", {}, {"@write half.txt half", "@spawn-escaped " + pid_file, "@sleep 600"}));
  // Nothing happens in the journal while a task runs, so a helper presses the key.
  const pid_t helper = fork();
  if (helper == 0) {
    while (!std::filesystem::exists(pid_file)) usleep(20000);
    kill(getppid(), SIGINT);
    _exit(0);
  }
  const auto result = execute();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->interrupted);
  EXPECT_EQ(result->outcome, "paused");
  EXPECT_EQ(result->view.ledger.task("slow").status, TaskStatus::kCancelled);
  pid_t escaped = 0;
  std::ifstream(pid_file) >> escaped;
  EXPECT_NE(kill(escaped, 0), 0);
  EXPECT_EQ(repo_.git({"show", result->view.ledger.task("slow").last()->commit + ":half.txt"}),
            "half");
}

// They commit while they work, and cannot end before the journal says that they clash.
TEST_F(RunTest, ConflictsAreToldWhileTheBranchesGrow) {
  repo_.write("a.txt", "1\n2\n3\n");
  repo_.commit("Start");
  const std::string go = (repo_.root() / "go").string();
  const auto change = [&](const std::string& word) {
    return "\"sed -i s/2/" + word + "/ a.txt; git commit -qam " + word +
           "; for i in $(seq 600); do "
           "test -e '" +
           go + "' && exit; sleep 0.1; done\"";
  };
  make_plan("- {name: one, run: " + change("one") + "}\n- {name: two, run: " + change("two") +
            "}\n");
  std::string told;
  listener_.when = [&](const Event& event) {
    if (const auto* remark = std::get_if<Remark>(&event.body)) {
      told = remark->text;
      std::ofstream(go) << "";
    }
  };
  EXPECT_EQ(execute()->outcome, "paused");
  EXPECT_EQ(told,
            "'one' and 'two' will not merge as they are now: a.txt (one: line 2, two: line 2)");
  EXPECT_EQ(only_open().asked.kind, "merge_conflict");
}

}  // namespace
}  // namespace gitplan::test
