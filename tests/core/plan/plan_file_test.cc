#include "core/plan/plan_file.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/plan/plan_keys.h"
#include "core/plan/task_text.h"
#include "tests/support/example_plan.h"

namespace gitplan {
namespace {

Plan parsed(const std::string& text) {
  auto result = parse_plan(text);
  if (!result.ok()) {
    for (const auto& d : result.error().diagnostics) ADD_FAILURE() << to_string(d);
    return {};
  }
  for (const auto& d : result->warnings) ADD_FAILURE() << to_string(d);
  return result->plan;
}

TEST(PlanFile, AQuickPlanIsATitleAndText) {
  const Plan plan = parsed("# Speed up the build #\n\nUse a cache.\n");
  EXPECT_EQ(plan.title, "Speed up the build");
  EXPECT_EQ(plan.body, "# Speed up the build #\n\nUse a cache.\n");
  EXPECT_EQ(plan.body_line, 1);
  EXPECT_FALSE(plan.orchestration.has_value());
}

TEST(PlanFile, TheTitleIsTheFirstHeadingThatIsNoExample) {
  EXPECT_EQ(parsed("```\n# no\n```\n<!--\n# no\n-->\n## no\nYes\n===\n").title, "Yes");
  EXPECT_EQ(parsed("---\ntags: [a]\n---\ntext\n\n# C#\n").title, "C#");
  EXPECT_EQ(parsed("---\ntitle: Front\n---\n# Body\n").title, "Front");
}

TEST(PlanFile, ReadsTheFrontMatterOfThePrintedExample) {
  const Plan plan = parsed(test::kExamplePlan);
  EXPECT_EQ(plan.title, "Combat System Refactor");
  EXPECT_EQ(plan.id, "2026-03-03-combat-refactor");
  EXPECT_EQ(plan.naming, "{date}-{title}");
  EXPECT_EQ(plan.tags, (std::vector<std::string>{"combat", "refactor"}));
  EXPECT_EQ(plan.body_line, 31);
  ASSERT_EQ(plan.tasks().size(), 3u);
  EXPECT_EQ(plan.mode_of(plan.tasks()[0]), Mode::kInline);
  EXPECT_EQ(plan.tasks()[1].timeout_minutes, 60);
  EXPECT_TRUE(plan.tasks()[1].approval_gate);
  EXPECT_EQ(plan.tasks()[2].depends_on,
            (std::vector<std::string>{"extract-counter-module", "refactor-hit-pipeline"}));
  EXPECT_EQ(plan.orchestration->waits_for->plan, "vfx-overhaul");
  EXPECT_EQ(plan.orchestration->retry.backoff, Backoff::kExponential);
}

constexpr const char* kEverything = R"(---
title: All keys
tags: [a]
ttl_days: 14
intent: {goal: g, non_goals: [n], constraints: [c], acceptance_criteria: [x]}
plan_mode: execution_plan
verification_rigor: critical_path
open_decisions: [o]
approved_decisions: [p]
differences_from_agreement: [d]
from: other
orchestration:
  default_mode: clean
  schedule: eager
  isolation: optimistic
  max_forks: 2
  team: true
  retry: {max_attempts: 5, backoff: linear}
  waits_for: {plan: p}
  setup: ["npm ci"]
  teardown: [t]
  copy: [".env"]
  verify: [v]
  budget_usd: 1.5
  tasks:
    - name: one
      description: d
      run: r
      role: reviewer
      agent: codex
      fallback: [claude]
      mode: forked
      isolation: branch
      depends_on: []
      files: ["./src//combat/**", a/]
      approval_gate: true
      checkpoint: human_verify
      timeout_minutes: 30
      idle_minutes: 5
      cwd: ./packages/api/
      locks: [db]
      budget_usd: 2
      inputs: [i]
      expects: [e]
      checks: [k]
      allow_no_change: true
      contract: builder
      exit_criteria: x
      complexity: complex
      ci_risk: true
      migration: true
---
text
)";

TEST(PlanFile, ReadsEveryKey) {
  const Plan plan = parsed(kEverything);
  EXPECT_EQ(plan.ttl_days, 14);
  EXPECT_EQ(plan.intent->acceptance_criteria, std::vector<std::string>{"x"});
  EXPECT_EQ(plan.verification_rigor, "critical_path");
  EXPECT_EQ(plan.from, "other");
  const Orchestration& all = *plan.orchestration;
  EXPECT_EQ(all.default_mode, Mode::kClean);
  EXPECT_EQ(all.schedule, Schedule::kEager);
  EXPECT_EQ(all.retry.max_attempts, 5);
  EXPECT_EQ(all.budget_usd, 1.5);
  const Task& task = all.tasks[0];
  EXPECT_EQ(task.files, (std::vector<std::string>{"src/combat/**", "a/"}));
  EXPECT_EQ(task.cwd, "packages/api/");
  EXPECT_EQ(task.checkpoint, Checkpoint::kHumanVerify);
  EXPECT_EQ(task.complexity, Complexity::kComplex);
  EXPECT_EQ(task.idle_minutes, 5);
  EXPECT_EQ(task.keys.size(), task_keys().size());
  EXPECT_EQ(task.position.line, 26);
  EXPECT_EQ(task.position.column, 7);
  EXPECT_EQ(task.keys.at("run").line, 28);
  EXPECT_EQ(plan.keys.at("orchestration.setup").line, 20);
  EXPECT_EQ(plan.keys.at("title").line, 2);
}

TEST(PlanFile, AKeyWithoutAValueIsNotWritten) {
  const Plan plan = parsed(
      "---\ntitle:\ntags: ~\norchestration:\n  retry:\n  tasks:\n    - name: a\n"
      "      mode:\n      depends_on: null\n---\n# T\n");
  EXPECT_EQ(plan.title, "T");
  EXPECT_FALSE(plan.tasks()[0].mode.has_value());
  EXPECT_EQ(plan.orchestration->retry.max_attempts, 3);
}

TEST(PlanFile, TakesCrlfAndAByteOrderMark) {
  const Plan plan = parsed("\xEF\xBB\xBF---\r\ntitle: a\r\ntags:\r\n- b\r\n---  \r\nbody\r\n");
  EXPECT_EQ(plan.title, "a");
  EXPECT_EQ(plan.tags, std::vector<std::string>{"b"});
  EXPECT_EQ(plan.body, "body\r\n");
  EXPECT_EQ(plan.body_line, 6);
  EXPECT_EQ(parsed("\n\n---\ntitle: a\n---\nb\n").keys.at("title").line, 4);
}

TEST(PlanFile, AliasesRepeatValues) {
  const Plan plan = parsed(
      "---\norchestration:\n  tasks:\n    - {name: a, files: &f [x, y]}\n"
      "    - {name: b, files: *f}\n---\n# T\n");
  EXPECT_EQ(plan.tasks()[1].files, (std::vector<std::string>{"x", "y"}));
}

TEST(PlanFile, WarnsOfUnknownKeysAndSaysWhereTheyBelong) {
  const auto result = parse_plan(
      "---\ntitel: x\nfoo_bar: {a: 1}\ntimeout_minutes: 3\norchestration:\n  naming: x\n  tasks:\n"
      "    - name: a\n      depend_on: [b]\n      setup: [x]\n---\n# T\n");
  ASSERT_TRUE(result.ok());
  std::string all;
  for (const auto& d : result->warnings) all += to_string(d) + "\n";
  EXPECT_EQ(all,
            "plan.md:2:1: warning: unknown key 'titel' (did you mean 'title'?)\n"
            "plan.md:3:1: warning: unknown key 'foo_bar' (it is kept and has no effect)\n"
            "plan.md:4:1: warning: unknown key 'timeout_minutes' (it belongs into a task)\n"
            "plan.md:6:3: warning: unknown key 'naming' (it belongs to the top level)\n"
            "plan.md:9:7: warning: unknown key 'depend_on' (did you mean 'depends_on'?)\n"
            "plan.md:10:7: warning: unknown key 'setup' (it belongs into 'orchestration')\n");
  EXPECT_EQ(result->warnings[4].target, "orchestration.tasks[0].depend_on");
}

TEST(TaskText, IsTheSameForTheSameMeaning) {
  const Plan a = parsed(
      "---\norchestration:\n  tasks:\n    - name: a\n      run: make x\n      role: builder\n"
      "      depends_on: [c, b]\n      timeout_minutes: 5 # five\n    - name: b\n    - name: c\n"
      "---\n# T\n");
  const Plan b = parsed(
      "---\norchestration:\n  tasks:\n    - name: b\n    - {timeout_minutes: 5, depends_on: [b, c],"
      " approval_gate: false, \"run\": 'make x', name: a}\n    - name: c\n---\n# T\n");
  EXPECT_EQ(a.tasks()[0].text_hash, b.tasks()[1].text_hash);
  EXPECT_EQ(a.tasks()[0].text_hash, text_hash(a.tasks()[0]));
  EXPECT_EQ(a.tasks()[0].text_hash.size(), 20u);
  EXPECT_EQ(canonical_text(a.tasks()[0]),
            "depends_on 1:b1:c\nname 1:a\nrun 6:make x\ntimeout_minutes 5\n");
}

TEST(TaskText, EveryKeyCounts) {
  const std::string with_all = canonical_text(parsed(kEverything).tasks()[0]) + "depends_on ";
  for (const auto& key : task_keys())
    EXPECT_NE(("\n" + with_all).find("\n" + key + " "), std::string::npos) << key;
}

TEST(PlanFile, ReadsTenThousandTasksWithoutDelay) {
  std::string text = "---\norchestration:\n  default_mode: forked\n  tasks:\n";
  for (int i = 0; i < 10000; ++i) {
    const std::string n = std::to_string(i);
    text += "    - name: task-" + n + "\n      run: make " + n + "\n      files: [\"src/" + n +
            "/**\"]\n      depends_on: [" + (i > 0 ? "task-" + std::to_string(i - 1) : "") + "]\n";
  }
  text += "---\n# T\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parsed(text).tasks().size(), 10000u);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 20) << "a quadratic walk; half a second with optimization";
}

}  // namespace
}  // namespace gitplan
