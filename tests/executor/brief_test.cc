// What an agent is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/plan/plan_file.h"
#include "git-plan/executor/executor.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kPlan = R"(---
title: Combat refactor
intent: {goal: Split the counters, constraints: [No new dependency]}
orchestration:
  default_mode: forked
  tasks:
    - name: extract
      description: Pull the counter out
    - name: docs
      description: Write about it
      files: ["docs/**"]
    - name: rename
      description: Give it a better name
      depends_on: [extract]
      files: ["src/counter.cc"]
      expects: ["src/counter.cc"]
      checks: ["make test"]
      exit_criteria: all tests pass
---
# Combat refactor

## Context

The counters are tangled.

### Detail

Below it.

## Approach

One at a time.

## Scope

Only combat.

## Changes

- [modify] src/counter.cc — the swap

## Secret ideas

Not for briefs.
)";

class BriefTest : public ::testing::Test {
 protected:
  BriefTest() {
    auto parsed = parse_plan(kPlan);
    EXPECT_TRUE(parsed.ok());
    view_.id = "2026-03-03-combat";
    view_.plan = std::move(parsed->plan);
  }
  std::string brief() const {
    return compose_brief(view_, *view_.plan.find("rename"), "0123456789ab.1",
                         [this](std::string_view path) -> std::optional<std::string> {
                           if (path == "outputs/extract.md" && !output_.empty()) return output_;
                           return std::nullopt;
                         });
  }

  PlanView view_;
  std::string output_;
};

TEST_F(BriefTest, SaysWhyWhatAndHow) {
  const std::string text = brief();
  EXPECT_THAT(text, HasSubstr("You are the builder of the task 'rename' of the plan "
                              "'2026-03-03-combat', attempt 0123456789ab.1."));
  EXPECT_THAT(text, HasSubstr("Goal: Split the counters\n"));
  EXPECT_THAT(text, HasSubstr("Constraints:\n- No new dependency\n"));
  EXPECT_THAT(text,
              HasSubstr("## Context\n\nThe counters are tangled.\n\n### Detail\n\nBelow it.\n"));
  EXPECT_THAT(text, HasSubstr("## Approach\n\nOne at a time.\n"));
  EXPECT_THAT(text, HasSubstr("## Scope\n\nOnly combat.\n"));
  EXPECT_THAT(text, HasSubstr("## Your task: rename\n\nGive it a better name\n"));
  EXPECT_THAT(text, HasSubstr("Files that you may change:\n- src/counter.cc\n"));
  EXPECT_THAT(text, HasSubstr("Must exist when you are done:\n- src/counter.cc\n"));
  EXPECT_THAT(text, HasSubstr("(they are run for you as well):\n- make test\n"));
  EXPECT_THAT(text, HasSubstr("Done means: all tests pass\n"));
  EXPECT_THAT(text, HasSubstr("- src/counter.cc (modify)\n"));
  EXPECT_THAT(text, HasSubstr("$PLAN_OUTPUT"));
  EXPECT_THAT(text, Not(HasSubstr("Not for briefs.")));
}

TEST_F(BriefTest, HandsOverWhatDependenciesLeft) {
  EXPECT_THAT(brief(), HasSubstr("### extract\n\nIt left no summary.\n"));
  output_ = "The counter is in src/counter.cc.";
  EXPECT_THAT(brief(), HasSubstr("### extract\n\nThe counter is in src/counter.cc.\n"));
}

TEST_F(BriefTest, ALongSummaryIsAPath) {
  output_ = std::string(20000, 'x');
  const std::string text = brief();
  EXPECT_THAT(text, HasSubstr("Its summary is long: read $PLAN_OUTPUTS/extract.md\n"));
  EXPECT_LT(text.size(), 10000u);
}

TEST_F(BriefTest, ALongSectionIsCut) {
  std::string context = "## Context\n\n";
  for (int i = 0; i < 10000; ++i) context += "Line " + std::to_string(i) + "\n";
  view_.plan.body = context + "\n## Approach\n\nStill here.\n";
  const std::string text = brief();
  EXPECT_THAT(text, HasSubstr("\n[cut here; the whole is in $PLAN_FILE]\n"));
  EXPECT_THAT(text, HasSubstr("Still here."));
  EXPECT_LT(text.size(), 50000u);
}

TEST_F(BriefTest, OthersFilesAreNamedWhileTheyWork) {
  EXPECT_THAT(brief(), Not(HasSubstr("docs/**")));
  view_.ledger.tasks["docs"].status = TaskStatus::kRunning;
  EXPECT_THAT(brief(), HasSubstr("leave them alone:\n- docs: docs/**\n"));
}

TEST_F(BriefTest, ASkippedDependencyIsSaid) {
  TaskRecord& record = view_.ledger.tasks["extract"];
  record.status = TaskStatus::kSkipped;
  record.reason = "not needed";
  EXPECT_THAT(brief(), HasSubstr("### extract\n\nIt was skipped: not needed.\n"));
}

}  // namespace
}  // namespace gitplan::test
