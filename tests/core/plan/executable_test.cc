#include <gtest/gtest.h>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

std::string refusals(const std::string& yaml) {
  const auto result = parse_plan("---\norchestration:\n" + yaml + "---\n# T\n");
  if (!result.ok()) return to_string(result.error().diagnostics[0]);
  std::string all;
  for (const auto& d : keys_not_executable(result->plan)) {
    EXPECT_EQ(d.code, "key-not-executable");
    EXPECT_EQ(d.severity, Severity::kError);
    all += to_string(d) + " [" + d.target + "]\n";
  }
  return all;
}

TEST(KeysNotExecutable, TasksWithPlainKeysRun) {
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

TEST(KeysNotExecutable, EachKeyIsNamedWhereItStands) {
  const std::string said = refusals(
      "  default_mode: forked\n  isolation: optimistic\n  team: true\n  tasks:\n    - name: x\n"
      "      mode: inline\n      contract: builder\n    - name: y\n      run: make\n"
      "      contract: reviewer\n");
  for (const std::string start :
       {"9:7: error: 'contract' of task 'x' asks", "12:7: error: 'contract' of task 'y' asks"})
    EXPECT_NE(("\n" + said).find("\nplan.md:" + start), std::string::npos) << start << "\n" << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
}

}  // namespace
}  // namespace gitplan
