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
      "  default_mode: forked\n  isolation: optimistic\n  team: true\n  tasks:\n    - name: x\n"
      "      isolation: optimistic\n      contract: builder\n");
  for (const std::string start :
       {"4:3: error: 'orchestration.isolation' asks", "5:3: error: 'orchestration.team' asks",
        "8:7: error: 'isolation' of task 'x' asks to work in the working tree, where execute would "
        "mix the tasks' changes (write 'isolation: branch') [orchestration.tasks[0].isolation]",
        "9:7: error: 'contract' of task 'x' asks"})
    EXPECT_NE(("\n" + said).find("\nplan.md:" + start), std::string::npos) << start << "\n" << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 4) << said;
}

}  // namespace
}  // namespace gitplan
