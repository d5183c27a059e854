// A plan of the usual kind from its draft to the end: it waits for a task of another plan, one task
// works in the user's tree, one waits for approval, one comes after both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "tests/command/work_repo.h"
#include "tests/support/example_plan.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// Plays every task; standard input is the brief.
constexpr const char* kAgent = R"(grep -q "You are the builder of the task '$PLAN_TASK'" || exit 9
case $PLAN_TASK in
extract-counter-module)
  echo module >src/combat/CounterModule.lua; rm src/combat/OldSwap.lua
  echo 'CounterModule.swap is what to call.' >"$PLAN_OUTPUT";;
refactor-hit-pipeline) echo 'CounterModule.swap()' >src/combat/HitPipeline.lua;;
verify-integration)
  grep -q 'CounterModule.swap is what to call.' "$PLAN_BRIEF" || exit 8
  cat src/combat/*.lua >verified.txt;;
esac)";

class ExamplePlan : public ::testing::Test {
 protected:
  ExamplePlan() {
    repo_.write("src/combat/HitPipeline.lua", "swap()\n");
    repo_.write("src/combat/OldSwap.lua", "old\n");
    repo_.commit("Combat");
    repo_.git({"config", "plan.agent", "scripted"});
    repo_.git({"config", "plan.agent.scripted.command", kAgent});
    repo_.make_plan("vfx-overhaul",
                    "    - {name: cleanup, run: 'echo 1 >vfx.txt'}\n"
                    "    - {name: polish, run: 'echo 2 >vfx.txt',"
                    " depends_on: [cleanup], approval_gate: true}\n");
    const ProcessResult made = repo_.plan({"create", "-F", "-"}, {.stdin_text = kExamplePlan});
    EXPECT_EQ(made.out, kId + "\n") << made.err;
  }
  void until(const std::function<bool(const Ledger&)>& condition) const {
    for (int i = 0; i < 600 && !condition(repo_.load(kId).ledger); ++i) usleep(100'000);
    ASSERT_TRUE(condition(repo_.load(kId).ledger)) << repo_.said({"status", kId});
  }
  const std::string kId = "2026-03-03-combat-refactor";
  WorkRepo repo_;
};

TEST_F(ExamplePlan, WaitsIsApprovedAndLandsWaveByWave) {
  ASSERT_EQ(repo_.plan({"execute", "combat-refactor", "--detach"}).exit_status, 0);
  until([](const Ledger& ledger) { return ledger.state == PlanState::kQueued; });
  EXPECT_THAT(repo_.said({"status", "combat-refactor"}),
              HasSubstr("waits for the plan 'vfx-overhaul': it is active, its task 'cleanup' is "
                        "pending"));
  // Its task 'cleanup' is enough; 'polish' is not waited for.
  EXPECT_EQ(repo_.plan({"execute", "vfx-overhaul"}).exit_status, 4);
  until([](const Ledger& ledger) { return ledger.state == PlanState::kPaused; });

  const Ledger paused = repo_.load(kId).ledger;
  EXPECT_EQ(paused.task("extract-counter-module").status, TaskStatus::kCompleted);
  EXPECT_TRUE(paused.task("refactor-hit-pipeline").attempts.empty());
  EXPECT_FALSE(repo_.exists("src/combat/OldSwap.lua")) << "it lands at once";
  EXPECT_THAT(repo_.said({"status", "combat-refactor"}),
              HasSubstr("a person's approval is needed to start 'refactor-hit-pipeline'"));
  repo_.git({"config", "plan.allowHeadlessApproval", "true"});
  EXPECT_EQ(repo_.plan({"approve", "combat-refactor", "refactor-hit-pipeline"}).exit_status, 0);
  const ProcessResult rest = repo_.plan({"execute", "combat-refactor"});
  EXPECT_EQ(rest.exit_status, 0) << rest.out << rest.err;

  EXPECT_EQ(repo_.read("verified.txt"), "module\nCounterModule.swap()\n");
  EXPECT_EQ(repo_.git({"log", "--reverse", "--grep=^Plan: " + kId,
                       "--format=%(trailers:key=Wave,"
                       "valueonly,separator=)%(trailers:key=Task,valueonly,separator=) %s"}),
            "001extract-counter-module Pull counter swap logic into its own module\n"
            "002refactor-hit-pipeline Restructure hit processing pipeline\n"
            "003verify-integration Full integration verification");
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), "");
  EXPECT_EQ(repo_.git({"for-each-ref", "refs/heads/plan/" + kId}), "");
}

}  // namespace
}  // namespace gitplan::test
