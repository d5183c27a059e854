// Each bad input with the exact text that is said about it.
#include <gtest/gtest.h>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

std::string faults(const std::string& text) {
  const auto result = parse_plan(text);
  if (result.ok()) return "no fault";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  std::string all;
  for (const auto& d : result.error().diagnostics) all += to_string(d) + "\n";
  return all;
}

std::string front(const std::string& yaml) { return "---\n" + yaml + "\n---\n# T\ntext\n"; }

std::string tasks(const std::string& yaml) { return front("orchestration:\n  tasks:\n" + yaml); }

TEST(PlanFaults, EmptyInput) {
  const std::string said =
      "plan.md:1:1: error: the plan is empty (write a title ('# Title') and what is to be done)\n";
  EXPECT_EQ(faults(""), said);
  EXPECT_EQ(faults(" \r\n\t\n"), said);
  EXPECT_EQ(faults("\xEF\xBB\xBF"), said);
}

TEST(PlanFaults, MissingParts) {
  EXPECT_EQ(
      faults("only text\n"),
      "plan.md:1:1: error: the plan has no title (add 'title: …' to the front matter, or a heading "
      "'# …')\n");
  EXPECT_EQ(faults("---\ntitle: a\n---\n \n"),
            "plan.md:1:1: error: the plan has no body (write below the front matter what is to be "
            "done)\n");
  EXPECT_EQ(
      faults("---\ntitle: a\n# T\n"),
      "plan.md:1:1: error: the front matter has no end: no second line of '---' (close it with "
      "a line of '---')\n");
  EXPECT_EQ(faults(front("orchestration: {team: false}")),
            "plan.md:2:16: error: 'orchestration' has no 'tasks' (add a list of tasks, or remove "
            "'orchestration' from a plan that is only text)\n");
  EXPECT_EQ(faults(tasks("    - run: x")),
            "plan.md:4:7: error: task 1 has no name (add 'name: …')\n");
}

TEST(PlanFaults, TooLarge) {
  std::string text = "# T\n" + std::string(kMaxPlanBytes - 4, 'a');
  EXPECT_EQ(faults(text), "no fault");
  text += 'a';
  EXPECT_EQ(faults(text),
            "plan.md:2:4194301: error: the plan has 4194305 bytes, more than 4194304 (keep long "
            "material in "
            "files of the repository and refer to them)\n");
  std::string huge = "---\n";
  huge.resize(huge.size() + 100'000'000, '[');
  EXPECT_EQ(faults(huge).substr(0, 60),
            "plan.md:2:4194301: error: the plan has 100000004 bytes, more");
  std::string many;
  for (std::size_t i = 0; i <= kMaxTasks; ++i) many += "    - name: t" + std::to_string(i) + "\n";
  EXPECT_EQ(faults(tasks(many)),
            "plan.md:4:5: error: the plan has 20001 tasks, more than 20000 (split the plan)\n");
  std::string values;
  for (std::size_t i = 0; i < kMaxYamlValues; ++i) values += "a,";
  EXPECT_EQ(faults(front("x: [" + values + "]")),
            "plan.md:2:999999: error: the front matter has more than 500000 values (split the "
            "plan)\n");
}

TEST(PlanFaults, Bytes) {
  EXPECT_EQ(faults(std::string("# T\nab\0c\n", 9)),
            "plan.md:2:3: error: a NUL byte (a plan is UTF-8 text)\n");
  EXPECT_EQ(faults("# T\nab\xFF\n"),
            "plan.md:2:3: error: the byte 0xFF is not UTF-8 (save the file as UTF-8)\n");
  for (const std::string bad : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80",
                                "\xF8\x88\x80\x80\x80", "\xE0\x80\x80"})
    EXPECT_NE(faults("# T " + bad + " x\n").find("is not UTF-8"), std::string::npos);
  EXPECT_EQ(faults("# T \xF4\x8F\xBF\xBF \xE2\x82\xAC \xC2\x80\n"), "no fault");
  EXPECT_EQ(faults(std::string("a\0b\xFF", 4)),
            "plan.md:1:2: error: a NUL byte (a plan is UTF-8 text)\n"
            "plan.md:1:4: error: the byte 0xFF is not UTF-8 (save the file as UTF-8)\n");
  EXPECT_EQ(
      faults(front("title: a\x04"
                   "b")),
      "plan.md:2:9: error: the control character 0x04 (remove it, or write it as an escape in "
      "a double-quoted text)\n");
  EXPECT_EQ(faults(front("from: \"a\\0b\"")),
            "plan.md:2:7: error: 'from' has a NUL byte (remove the escape)\n");
  EXPECT_EQ(faults(front("title: \"a\\nb\"")),
            "plan.md:2:8: error: 'title' is the text 'a\\nb', which is not one line of text (write "
            "it on one line, without control characters)\n");
}

TEST(PlanFaults, BrokenYaml) {
  EXPECT_EQ(faults(front("title: a: b")),
            "plan.md:2:9: error: a ':' where no value can stand (quote a text that holds ': ', and "
            "check the indentation)\n");
  EXPECT_EQ(faults(front("intent:\n\tgoal: x")),
            "plan.md:3:6: error: a tab in the indentation (indent with spaces)\n");
  EXPECT_EQ(faults(front("tags: [a, b")),
            "plan.md:3:1: error: a '[' that is not closed (close it with ']')\n");
  EXPECT_EQ(
      faults(front("title: \"a")),
      "plan.md:2:8: error: a quoted text that is not closed (close it with the same quote)\n");
  EXPECT_EQ(faults(front("tags: @a")),
            "plan.md:2:7: error: a text that cannot start with this character (quote the text)\n");
  EXPECT_EQ(
      faults(front("tags: *a")),
      "plan.md:2:7: error: an alias of an anchor that is not defined (quote a text that starts "
      "with '*')\n");
  EXPECT_EQ(faults(front("- a\nb: c")),
            "plan.md:3:1: error: the front matter ends here, but more follows (the front matter is "
            "one mapping; check the indentation)\n");
  EXPECT_EQ(faults(front("tags:\n- a\n-b")),
            "plan.md:4:1: error: '-b' has no ':' (write 'key: value')\n");
  EXPECT_EQ(faults(front("text")),
            "plan.md:2:1: error: the front matter is the text 'text', not a mapping (write 'key: "
            "value' lines)\n");
  EXPECT_EQ(faults(front("title: \"\\q\"")),
            "plan.md:2:11: error: not YAML: unknown escape character: q\n");
}

TEST(PlanFaults, DeepNesting) {
  const std::string fix = " (a plan needs five levels)\n";
  EXPECT_EQ(faults(front("a: " + std::string(100'000, '['))),
            "plan.md:2:1004: error: lists and mappings are nested more than 64 deep" + fix);
  std::string lines, dashes, maps;
  for (int i = 0; i < 100'000; ++i) {
    lines += "[\n";
    dashes += "- ";
    maps += "? ";
  }
  EXPECT_EQ(faults(front("a: " + lines)),
            "plan.md:10002:1: error: lists and mappings are nested more than 64 deep" + fix);
  EXPECT_EQ(faults(front(dashes)),
            "plan.md:2:129: error: lists and mappings are nested more than 64 deep" + fix);
  EXPECT_EQ(faults(front(maps)),
            "plan.md:2:129: error: lists and mappings are nested more than 64 deep" + fix);
  EXPECT_EQ(faults(front("x: " + std::string(63, '[') + std::string(63, ']'))), "no fault");
}

TEST(PlanFaults, AliasBomb) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += before + ", ";
    bomb += "]\n";
  }
  EXPECT_NE(faults(front(bomb))
                .find(": error: YAML aliases repeat too much: at most 1000 of them, "
                      "and 4 MiB together (write the values out)\n"),
            std::string::npos);
  std::string many = "a: &a x\nb: [";
  for (std::size_t i = 0; i <= kMaxAliases; ++i) many += "*a, ";
  EXPECT_NE(faults(front(many + "]")).find("too much"), std::string::npos);
  EXPECT_EQ(faults(front("a: &a [*a]")),
            "plan.md:2:8: error: a value that repeats itself (an alias must follow its anchor)\n");
  EXPECT_EQ(
      faults(front("<<: {tags: [a]}")),
      "plan.md:2:1: error: '<<' would merge another mapping, which plans do not do (write the "
      "keys out)\n");
}

TEST(PlanFaults, WrongTypes) {
  EXPECT_EQ(
      faults(front("title: [a]\nttl_days: soon\ntags: a\nintent: x\nplan_mode: []")),
      "plan.md:2:8: error: 'title' is a list, not a text (write one text; quote it if it has "
      "brackets)\n"
      "plan.md:3:11: error: 'ttl_days' is the text 'soon', not a whole number (write digits "
      "only, without quotes)\n"
      "plan.md:4:7: error: 'tags' is the text 'a', not a list (write [a, b])\n"
      "plan.md:5:9: error: 'intent' is the text 'x', not a mapping (write intent: {goal: "
      "\"…\"})\n"
      "plan.md:6:12: error: 'plan_mode' is a list, not direct, execution_plan or decision_rfc "
      "(write one of these words)\n");
  EXPECT_EQ(
      faults(tasks("    - name: a\n      checks: make test\n      files: src\n"
                   "      approval_gate: yes\n      budget_usd: \"2\"\n      depends_on: [[b]]\n"
                   "    - b")),
      "plan.md:5:15: error: 'checks' is the text 'make test', not a list (write [\"make "
      "test\"])\n"
      "plan.md:6:14: error: 'files' is the text 'src', not a list (write [\"src\"])\n"
      "plan.md:7:22: error: 'approval_gate' is the text 'yes', not true or false (write true "
      "or false, without quotes)\n"
      "plan.md:8:19: error: 'budget_usd' is the text '2', not a number (write an amount such "
      "as 2 or 0.5, without quotes)\n"
      "plan.md:9:20: error: item 1 of 'depends_on' is a list, not a text (write one text; "
      "quote it if it has brackets)\n"
      "plan.md:10:7: error: item 2 of 'tasks' is the text 'b', not a mapping (write a mapping: "
      "'- name: first-task')\n");
  EXPECT_EQ(faults(front("orchestration: {waits_for: other, tasks: {a: b}, retry: 3}")),
            "plan.md:2:28: error: 'waits_for' is the text 'other', not a mapping (write waits_for: "
            "{plan: other-plan, tasks: [cleanup]})\n"
            "plan.md:2:42: error: 'tasks' is a mapping, not a list (write a list: '- name: "
            "first-task')\n"
            "plan.md:2:57: error: 'retry' is the text '3', not a mapping (write retry: "
            "{max_attempts: 3})\n");
}

TEST(PlanFaults, ValuesOutOfRange) {
  EXPECT_EQ(faults(front("ttl_days: 0\ntags: ['', 'a,b']\nnaming: '{titel}'")),
            "plan.md:2:11: error: 'ttl_days' is 0 (possible: 1 to 36500)\n"
            "plan.md:3:8: error: item 1 of 'tags' is empty (a tag is one word)\n"
            "plan.md:3:12: error: item 2 of 'tags' has a comma (a tag is one word)\n"
            "plan.md:4:9: error: 'naming' has '{titel}', which is no token (did you mean "
            "'{title}'?)\n");
  EXPECT_EQ(
      faults(front("orchestration: {max_forks: -1, retry: {max_attempts: 101}, waits_for: {}, "
                   "tasks: [{name: a, timeout_minutes: 99999999999999999999, budget_usd: "
                   "0}]}")),
      "plan.md:2:28: error: 'max_forks' is -1 (possible: 1 to 1000)\n"
      "plan.md:2:54: error: 'max_attempts' is 101 (possible: 1 to 100)\n"
      "plan.md:2:71: error: 'waits_for' names no 'plan' (write waits_for: {plan: other-plan, "
      "tasks: [cleanup]})\n"
      "plan.md:2:110: error: 'timeout_minutes' is 99999999999999999999 (possible: 1 to "
      "525600)\n"
      "plan.md:2:144: error: 'budget_usd' is 0 (an amount is more than 0)\n");
}

TEST(PlanFaults, UnknownValues) {
  EXPECT_EQ(faults(tasks("    - {name: a, mode: forkd, checkpoint: human-verify}")),
            "plan.md:4:23: error: 'mode' is 'forkd', not inline, clean or forked (did you mean "
            "'forked'?)\n"
            "plan.md:4:42: error: 'checkpoint' is 'human-verify', not none, human_verify, decision "
            "or human_action (did you mean 'human_verify'?)\n");
}

TEST(PlanFaults, DuplicateKeys) {
  EXPECT_EQ(faults(front("title: a\nfoo: {x: 1, x: 2}\ntitle: b\nfoo: 1\norchestration:\n  tasks:\n"
                         "    - {name: a, run: x, run: y}")),
            "plan.md:3:1: warning: unknown key 'foo' (it is kept and has no effect)\n"
            "plan.md:3:13: error: 'x' is written twice, first on line 3 (keep one of them)\n"
            "plan.md:4:1: error: 'title' is written twice, first on line 2 (keep one of them)\n"
            "plan.md:5:1: error: 'foo' is written twice, first on line 3 (keep one of them)\n"
            "plan.md:8:25: error: 'run' is written twice, first on line 8 (keep one of them)\n");
}

TEST(PlanFaults, TaskNames) {
  EXPECT_EQ(
      faults(tasks("    - name: build\n    - name: Build\n    - name: build\n    - name: a b\n"
                   "    - name: x.lock\n    - name: NUL\n    - name: integration")),
      "plan.md:5:13: error: the task name 'Build' differs only by case from 'build' on line 4 "
      "(rename one of them)\n"
      "plan.md:6:13: error: two tasks are named 'build', the first on line 4 (rename one of "
      "them)\n"
      "plan.md:7:13: error: the task name 'a b' has a space; letters (a-z), digits, '.', '_' "
      "and '-' are possible (a name such as 'extract-counter')\n"
      "plan.md:8:13: error: the task name 'x.lock' ends with '.lock', which no ref may (a name "
      "such as 'extract-counter')\n"
      "plan.md:9:13: error: the task name 'NUL' is the name of a device on Windows (a name "
      "such as 'extract-counter')\n"
      "plan.md:10:13: error: the task name 'integration' is reserved for the branch that "
      "collects the waves (a name such as 'extract-counter')\n");
}

TEST(PlanFaults, Dependencies) {
  EXPECT_EQ(
      faults(tasks("    - {name: build, depends_on: [build, buidl, elsewhere]}")),
      "plan.md:4:34: error: task 'build' depends on itself (remove it from its own "
      "'depends_on')\n"
      "plan.md:4:41: error: task 'build' depends on 'buidl', which is no task of this plan "
      "(did you mean 'build'?)\n"
      "plan.md:4:48: error: task 'build' depends on 'elsewhere', which is no task of this plan "
      "(add that task, or remove the dependency)\n");
  EXPECT_EQ(faults(tasks("    - {name: a, depends_on: [x, b]}\n    - {name: b, depends_on: [c]}\n"
                         "    - {name: c, depends_on: [a]}\n    - {name: x}\n"
                         "    - {name: y, depends_on: [a, z]}\n    - {name: z, depends_on: [y]}\n"
                         "    - {name: p, depends_on: [q]}\n    - {name: q, depends_on: [p]}")),
            "plan.md:4:33: error: circular dependency: a -> b -> c -> a (remove one of these "
            "dependencies)\n"
            "plan.md:10:30: error: circular dependency: p -> q -> p (remove one of these "
            "dependencies)\n");
}

TEST(PlanFaults, ALongCycleIsCut) {
  std::string chain;
  for (int i = 0; i < 20000; ++i)
    chain += "    - {name: t" + std::to_string(i) + ", depends_on: [t" +
             std::to_string((i + 1) % 20000) + "]}\n";
  const std::string said = faults(tasks(chain));
  EXPECT_LT(said.size(), 400u);
  EXPECT_NE(said.find("t18 -> t19 -> … (20000 tasks) -> t0"), std::string::npos) << said;
}

TEST(PlanFaults, Paths) {
  const std::string fix = " (write paths from the root of the repository, with '/')\n";
  EXPECT_EQ(
      faults(tasks(
          "    - name: a\n      files: [../x, /etc, 'a\\b', a/.GIT/x, ':(top)a', '', a/../b]\n"
          "      cwd: a/../../b\n      inputs: ['C:/x']\n      expects: [\"a\\nb\"]\n"
          "      mode: forked")),
      "plan.md:5:15: error: item 1 of 'files': '../x' leaves the repository" + fix +
          "plan.md:5:21: error: item 2 of 'files': '/etc' is absolute" + fix +
          "plan.md:5:27: error: item 3 of 'files': 'a\\b' has a backslash" + fix +
          "plan.md:5:34: error: item 4 of 'files': 'a/.GIT/x' goes into '.git'" + fix +
          "plan.md:5:44: error: item 5 of 'files': ':(top)a' starts with ':' (pathspec magic)" +
          fix + "plan.md:5:55: error: item 6 of 'files': '' is empty" + fix +
          "plan.md:5:59: error: item 7 of 'files': 'a/../b' has a '..' part" + fix +
          "plan.md:6:12: error: 'cwd': 'a/../../b' leaves the repository" + fix +
          "plan.md:7:16: error: item 1 of 'inputs': 'C:/x' is absolute" + fix +
          "plan.md:8:17: error: item 1 of 'expects': 'a\\nb' has a control character" + fix);
}

TEST(PlanFaults, CarryCodeTargetAndFile) {
  const auto result =
      parse_plan(tasks("    - {name: a}\n    - {name: b, depends_on: [x]}"), "my.md");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "my.md has 1 error");
  const Diagnostic& d = result.error().diagnostics[0];
  EXPECT_EQ(d.code, "unknown-dependency");
  EXPECT_EQ(d.target, "orchestration.tasks[1].depends_on");
  EXPECT_EQ(d.file, "my.md");
}

TEST(PlanFaults, AThousandAreListed) {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "    - {name: 'n " + std::to_string(i) + "'}\n";
  const auto result = parse_plan(tasks(many));
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.error().diagnostics.size(), 1001u);
  EXPECT_EQ(to_string(result.error().diagnostics.back()),
            "plan.md: error: 2000 more are not listed (correct these first)");
}

}  // namespace
}  // namespace gitplan
