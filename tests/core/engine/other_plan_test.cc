// When a plan that waits for another one may start.
#include "core/engine/other_plan.h"

#include <gtest/gtest.h>

namespace gitplan::test {
namespace {

using enum OtherPlan::State;

class OtherPlanTest : public ::testing::Test {
 protected:
  OtherPlanTest() {
    plan.orchestration.emplace();
    for (const char* name : {"a", "b"}) {
      Task task;
      task.name = name;
      plan.orchestration->tasks.push_back(task);
      ledger.tasks[name].status = TaskStatus::kCompleted;
    }
    ledger.state = PlanState::kRunning;
    gitplan::Run run;
    run.id = "r1";
    run.target = "refs/heads/main";
    run.land = "end";
    ledger.runs.push_back(run);
    Wave wave;
    wave.run = "r1";
    wave.number = 1;
    wave.commit = "c1";
    wave.phase = WavePhase::kCompleted;
    ledger.waves.push_back(wave);
  }
  OtherPlan::State state(std::vector<std::string> tasks = {}) const {
    return look_at({"other", std::move(tasks)}, plan, ledger).state;
  }
  Plan plan;
  Ledger ledger;
};

TEST_F(OtherPlanTest, AWholePlanIsDoneWhenItHasLanded) {
  EXPECT_EQ(kPending, state());
  EXPECT_EQ("it is running, its work has not landed", look_at({"other", {}}, plan, ledger).why);
  ledger.runs.back().landed_tip = "c1";
  EXPECT_EQ(kDone, state());
}

TEST_F(OtherPlanTest, WhatStaysOnItsBranchByAPersonsWordIsNotWaitedFor) {
  ledger.runs.back().land = "never";
  EXPECT_EQ(kDone, state());
}

TEST_F(OtherPlanTest, OneThatStoppedBeforeItLandedIsAQuestion) {
  ledger.state = PlanState::kAborted;
  EXPECT_EQ(kFailed, state());
}

TEST_F(OtherPlanTest, SingleTasksAreDoneWhenTheyAreCompleted) {
  EXPECT_EQ(kDone, state({"a"}));
  ledger.tasks["b"].status = TaskStatus::kRunning;
  EXPECT_EQ(kDone, state({"a"}));
  EXPECT_EQ(kPending, state({"a", "b"}));
}

}  // namespace
}  // namespace gitplan::test
