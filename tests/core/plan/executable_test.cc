#include <gtest/gtest.h>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

std::string refusals(const std::string& yaml, std::optional<Mode> mode = std::nullopt) {
  const auto result = parse_plan("---\norchestration:\n" + yaml + "---\n# T\n");
  if (!result.ok()) return to_string(result.error().diagnostics[0]);
  std::string all;
  for (const auto& d : keys_not_executable(result->plan, "plan.md", mode)) {
    EXPECT_EQ(d.code, "key-not-executable");
    EXPECT_EQ(d.severity, Severity::kError);
    all += to_string(d) + " [" + d.target + "]\n";
  }
  return all;
}

TEST(KeysNotExecutable, ForkedTasksWithPlainKeysRun) {
  EXPECT_EQ(
      refusals("  default_mode: forked\n  schedule: wave\n  isolation: branch\n  team: false\n"
               "  max_forks: 2\n  retry: {max_attempts: 2}\n  verify: [make]\n  setup: []\n"
               "  tasks:\n    - name: a\n      run: make\n      approval_gate: false\n"
               "      checkpoint: none\n      files: [src]\n      cwd: src\n      inputs: [a]\n"
               "      expects: [b]\n      checks: [c]\n      timeout_minutes: 3\n"
               "      idle_minutes: 1\n      allow_no_change: true\n      locks: []\n"),
      "");
  const auto quick = parse_plan("# T\n");
  EXPECT_TRUE(keys_not_executable(quick->plan).empty());
}

TEST(KeysNotExecutable, ModesThatDoNotRunAreNamedWithTheirTask) {
  const std::string fix = " (write 'mode: forked', or 'default_mode: forked' for all tasks)";
  EXPECT_EQ(refusals("  tasks:\n    - name: a\n    - name: b\n      mode: clean\n"
                     "    - name: c\n      mode: forked\n"),
            "plan.md:4:7: error: task 'a' has no 'mode', which means inline: execute runs forked "
            "tasks only" +
                fix +
                " [orchestration.tasks[0].mode]\n"
                "plan.md:6:7: error: 'mode' of task 'b' is clean: execute runs forked tasks only" +
                fix + " [orchestration.tasks[1].mode]\n");
  EXPECT_EQ(refusals("  default_mode: clean\n  tasks:\n    - name: a\n"),
            "plan.md:5:7: error: task 'a' has the 'default_mode' clean: execute runs forked tasks "
            "only" +
                fix + " [orchestration.tasks[0].mode]\n");
}

TEST(KeysNotExecutable, TheModeOfTheCommandOverridesThePlan) {
  EXPECT_EQ(refusals("  tasks:\n    - name: a\n", Mode::kForked), "");
  EXPECT_EQ(refusals("  tasks:\n    - {name: a, mode: forked}\n", Mode::kInline),
            "error: the mode inline is asked for: execute runs forked tasks only (use the mode "
            "forked) [mode]\n");
}

TEST(KeysNotExecutable, EachKeyIsNamedWhereItStands) {
  const std::string said = refusals(
      "  default_mode: forked\n  waits_for: {plan: p}\n  setup: [a]\n  teardown: [a]\n  copy: [a]\n"
      "  schedule: eager\n  isolation: optimistic\n  team: true\n  budget_usd: 1\n  tasks:\n"
      "    - name: x\n      approval_gate: true\n      checkpoint: decision\n      locks: [db]\n"
      "      isolation: optimistic\n      fallback: [codex]\n      contract: builder\n"
      "      budget_usd: 2\n");
  for (const std::string start :
       {"4:3: error: 'orchestration.waits_for' names a plan that must finish first",
        "5:3: error: 'orchestration.setup' prepares", "6:3: error: 'orchestration.teardown' cleans",
        "7:3: error: 'orchestration.copy' copies", "8:3: error: 'orchestration.schedule' asks",
        "9:3: error: 'orchestration.isolation' asks", "10:3: error: 'orchestration.team' asks",
        "11:3: error: 'orchestration.budget_usd' sets",
        "14:7: error: 'approval_gate' of task 'x' asks for a person's approval, which execute "
        "cannot "
        "take: it will not run ungated (remove the key where no approval is needed) "
        "[orchestration.tasks[0].approval_gate]",
        "15:7: error: 'checkpoint' of task 'x' asks", "16:7: error: 'locks' of task 'x' names",
        "17:7: error: 'isolation' of task 'x' asks", "18:7: error: 'fallback' of task 'x' names",
        "19:7: error: 'contract' of task 'x' asks", "20:7: error: 'budget_usd' of task 'x' sets"})
    EXPECT_NE(("\n" + said).find("\nplan.md:" + start), std::string::npos) << start << "\n" << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 15) << said;
}

}  // namespace
}  // namespace gitplan
