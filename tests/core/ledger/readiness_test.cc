#include "core/ledger/readiness.h"

#include <gtest/gtest.h>

namespace gitplan {
namespace {

class ReadinessOfTasks : public testing::Test {
 protected:
  ReadinessOfTasks() {
    plan.orchestration.emplace();
    add("a", {});
    add("b", {"a"});
    add("c", {"b"});
    add("d", {});
  }
  void add(const std::string& name, std::vector<std::string> dependencies) {
    Task task;
    task.name = name;
    task.depends_on = std::move(dependencies);
    plan.orchestration->tasks.push_back(std::move(task));
  }
  TaskView view(const std::string& task, const InBase& in_base = {}) {
    const TaskGraph graph(plan.tasks());
    return readiness(plan, graph, ledger, in_base)[graph.index_of(task)];
  }
  std::string why(const std::string& task) {
    const TaskView all = view(task);
    return all.reasons.empty() ? "" : all.reasons.front();
  }

  Plan plan;
  Ledger ledger;
};

TEST_F(ReadinessOfTasks, OnlyWhatNeedsNothingIsReady) {
  EXPECT_EQ(Readiness::kReady, view("a").readiness);
  EXPECT_EQ(Readiness::kReady, view("d").readiness);
  EXPECT_EQ(Readiness::kWaiting, view("b").readiness);
  EXPECT_EQ("waits for 'a' (pending)", why("b"));
}

TEST_F(ReadinessOfTasks, FinishedIsNotEnough) {
  ledger.tasks["a"].status = TaskStatus::kFinished;
  EXPECT_EQ(Readiness::kWaiting, view("b").readiness);
  EXPECT_EQ("is finished and waits for its wave", why("a"));
  ledger.tasks["a"].status = TaskStatus::kCompleted;
  EXPECT_EQ(Readiness::kReady, view("b").readiness);
}

TEST_F(ReadinessOfTasks, AFailureBlocksAllThatFollows) {
  ledger.tasks["a"].status = TaskStatus::kFailed;
  EXPECT_EQ(Readiness::kStopped, view("a").readiness);
  EXPECT_EQ(Readiness::kBlocked, view("b").readiness);
  EXPECT_EQ("needs 'a', which failed", why("b"));
  EXPECT_EQ("needs 'b', which is blocked", why("c"));
  EXPECT_EQ(Readiness::kReady, view("d").readiness);
}

TEST_F(ReadinessOfTasks, ASkipUnblocks) {
  ledger.tasks["a"].status = TaskStatus::kSkipped;
  EXPECT_EQ(Readiness::kReady, view("b").readiness);
}

TEST_F(ReadinessOfTasks, CompletedElsewhereIsNamed) {
  ledger.tasks["a"].status = TaskStatus::kCompleted;
  ledger.tasks["a"].wave = 3;
  ledger.tasks["a"].commit = "0123456789abcdef";
  const auto nothing = [](std::string_view) { return false; };
  EXPECT_EQ(Readiness::kElsewhere, view("a", nothing).readiness);
  ledger.tasks["a"].rewritten = {"c2"};
  const InBase rebased = [](std::string_view commit) { return commit == "c2"; };
  EXPECT_EQ(Readiness::kDone, view("a", rebased).readiness) << "what a rebase made of it";
  ledger.tasks["a"].rewritten.clear();
  EXPECT_EQ(Readiness::kBlocked, view("b", nothing).readiness);
  EXPECT_EQ(
      "needs 'a', completed in wave 3 by commit 0123456789ab, which is not in the base of a run "
      "here",
      view("b", nothing).reasons.front());
  ledger.tasks["a"].commit.clear();  // it changed nothing: it is done everywhere
  EXPECT_EQ(Readiness::kDone, view("a", nothing).readiness);
}

TEST_F(ReadinessOfTasks, AnOverlapBlocksUntilItIsAnswered) {
  ledger.tasks["a"].status = TaskStatus::kFinished;
  Decision decision;
  decision.asked.task = "a";
  ledger.decisions.push_back(decision);
  EXPECT_EQ(Readiness::kBlocked, view("a").readiness);
  EXPECT_EQ("overlaps with other work: a decision is open", why("a"));
  ledger.decisions[0].option = "keep:a";
  EXPECT_EQ(Readiness::kActive, view("a").readiness);
}

TEST_F(ReadinessOfTasks, ALockIsFreeWhenItsHolderHasEnded) {
  plan.orchestration->tasks[0].locks = {"database"};
  for (Task& task : plan.orchestration->tasks)
    if (task.name != "a" && task.depends_on.empty()) task.locks = {"database"};
  ledger.tasks["a"].status = TaskStatus::kRunning;
  for (const Task& task : plan.tasks()) {
    if (task.name == "a" || !task.depends_on.empty()) continue;
    EXPECT_EQ(Readiness::kWaiting, view(task.name).readiness);
    EXPECT_EQ("waits for the lock 'database', which 'a' holds", why(task.name));
    ledger.tasks["a"].status = TaskStatus::kFinished;
    EXPECT_EQ(Readiness::kReady, view(task.name).readiness);
    ledger.tasks["a"].status = TaskStatus::kRunning;
  }
}

TEST_F(ReadinessOfTasks, AGateBlocksWhatNeedsItToo) {
  plan.orchestration->tasks[0].approval_gate = true;
  EXPECT_EQ(Readiness::kReady, view("a").readiness) << "nobody was asked yet";
  Decision decision;
  decision.asked.kind = "approval_gate";
  decision.asked.task = "a";
  ledger.decisions.push_back(decision);
  EXPECT_EQ(Readiness::kBlocked, view("a").readiness);
  EXPECT_EQ("waits for a person: a decision is open", why("a"));
}

TEST_F(ReadinessOfTasks, ProgressCountsCompletedAndSkipped) {
  ledger.tasks["a"].status = TaskStatus::kCompleted;
  ledger.tasks["d"].status = TaskStatus::kSkipped;
  ledger.tasks["b"].status = TaskStatus::kFinished;
  EXPECT_EQ(2, progress(plan, ledger).done);
  EXPECT_EQ(4, progress(plan, ledger).total);
}

}  // namespace
}  // namespace gitplan
