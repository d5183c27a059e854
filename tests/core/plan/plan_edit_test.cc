#include "core/plan/plan_edit.h"

#include <gtest/gtest.h>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

constexpr const char* kPlan = R"(---
# a plan with habits
title: 'Old title'   # keep me
tags:   # labels
  - one
  # and
  - two

ttl_days: 14
orchestration:
    default_mode: forked
    tasks:
    - name: alpha   # first
      description: |
          # not a comment
          text

      run: "make # all"
    # between
    - {name: beta, depends_on: [alpha], checks: ["a, b", 'c']}
    -
      name: gamma
      description: several
        lines of
        text # end
naming: "{date}-{title}"
---
# Body
text
)";

std::string edited(const Result<std::string>& result) {
  if (result.ok()) return *result;
  return "error: " + result.error().message + " (" + result.error().hint + ")";
}

// The whole text with one part replaced, which must be there once.
std::string with(const std::string& text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  EXPECT_EQ(text.find(old, at + 1), std::string::npos) << old;
  return std::string(text).replace(at, old.size(), now);
}

TEST(PlanEdit, ReplacesJustTheValueOfAKey) {
  EXPECT_EQ(edited(set_key(kPlan, "title", "New: title")),
            with(kPlan, "'Old title'", "\"New: title\""));
  EXPECT_EQ(edited(set_key(kPlan, "ttl_days", "30")), with(kPlan, "14", "30"));
  EXPECT_EQ(edited(set_key(kPlan, "naming", "{id}")),
            with(kPlan, "\"{date}-{title}\"", "\"{id}\""));
}

TEST(PlanEdit, AddsAKeyAfterTheLastOne) {
  EXPECT_EQ(edited(set_key(kPlan, "plan_mode", "direct")),
            with(kPlan, "{title}\"\n", "{title}\"\nplan_mode: direct\n"));
}

TEST(PlanEdit, QuotesATextThatWouldReadBackAsSomethingElse) {
  for (const std::string value :
       {"null", "~",   "",    " a",  "a ",   "a: b", "a #b",  "[x]",
        "- a",  "*a",  "&a",  "!a",  "a\nb", "'q'",  "\"q\"", "a\\b",
        "@a",   "`a`", "%a",  "---", "...",  "a:",   "é",     "\xE2\x80\xA8",
        "\x7F", "\t",  "? a", "=",   "<<",   "#",    "|",     ">"}) {
    const auto text = set_key(kPlan, "from", value);
    ASSERT_TRUE(text.ok()) << value;
    const auto tags = set_list(kPlan, "open_decisions", {value, "x", value});
    ASSERT_TRUE(tags.ok()) << value;
    const auto plan = parse_plan(*tags);
    ASSERT_TRUE(plan.ok()) << *tags;
    EXPECT_EQ(plan->plan.open_decisions, (std::vector<std::string>{value, "x", value}));
  }
}

TEST(PlanEdit, ReplacesABlockListByAFlowList) {
  EXPECT_EQ(edited(set_list(kPlan, "tags", {"a", "b c", "d, e"})),
            with(kPlan, "tags:   # labels\n  - one\n  # and\n  - two\n",
                 "tags: [a, b c, \"d, e\"]   # labels\n"));
  EXPECT_EQ(edited(set_list(kPlan, "tags", {})),
            with(kPlan, "tags:   # labels\n  - one\n  # and\n  - two\n", "tags: []   # labels\n"));
}

TEST(PlanEdit, SetsAKeyOfABlockTask) {
  EXPECT_EQ(edited(set_task_key(kPlan, "alpha", "run", "make test")),
            with(kPlan, "\"make # all\"", "make test"));
  EXPECT_EQ(edited(set_task_key(kPlan, "alpha", "description", "short")),
            with(kPlan, "|\n          # not a comment\n          text\n", "short\n"));
  EXPECT_EQ(edited(set_task_key(kPlan, "alpha", "timeout_minutes", "30")),
            with(kPlan, "# all\"\n", "# all\"\n      timeout_minutes: 30\n"));
  EXPECT_EQ(edited(set_task_key(kPlan, "gamma", "description", "short")),
            with(kPlan, "several\n        lines of\n        text # end", "short # end"));
  EXPECT_EQ(edited(set_task_key(kPlan, "gamma", "files", "[\"src/**\", a b]")),
            with(kPlan, "text # end\n", "text # end\n      files: [\"src/**\", a b]\n"));
}

TEST(PlanEdit, SetsAKeyOfAFlowTask) {
  EXPECT_EQ(edited(set_task_key(kPlan, "beta", "depends_on", "[gamma]")),
            with(kPlan, "[alpha]", "[gamma]"));
  EXPECT_EQ(edited(set_task_key(kPlan, "beta", "run", "a, b")),
            with(kPlan, "'c']}", "'c'], run: \"a, b\"}"));
  EXPECT_EQ(edited(set_task_key(kPlan, "beta", "description", "one [WIP] more")),
            with(kPlan, "'c']}", "'c'], description: \"one [WIP] more\"}"));
}

TEST(PlanEdit, SaysWhichTaskOrKeyIsUnknown) {
  EXPECT_EQ(edited(set_task_key(kPlan, "alpa", "run", "x")),
            "error: the plan has no task 'alpa' (did you mean 'alpha'?)");
  EXPECT_EQ(edited(set_task_key(kPlan, "alpha", "dependson", "x")),
            "error: a task has no key 'dependson' (did you mean 'depends_on'?)");
  EXPECT_EQ(edited(set_key(kPlan, "orchestration", "x")),
            "error: 'orchestration' is a collection, not a text (change it in an editor)");
}

TEST(PlanEdit, AddsATask) {
  EXPECT_EQ(edited(add_task(kPlan, "delta")),
            with(kPlan, "text # end\n", "text # end\n    - name: delta\n"));
  EXPECT_EQ(edited(add_task(kPlan, "{name: delta, run: make}")),
            with(kPlan, "text # end\n", "text # end\n    - {name: delta, run: make}\n"));
  EXPECT_EQ(
      edited(add_task(kPlan, "  name: delta\n  description: |\n    a\n\n    b\n  mode: clean\n")),
      with(kPlan, "text # end\n",
           "text # end\n    - name: delta\n      description: |\n        a\n\n        b\n"
           "      mode: clean\n"));
}

TEST(PlanEdit, MakesOrchestrationAndTasksWhereTheyAreMissing) {
  const auto body = std::string("# T\nbody\n");
  EXPECT_EQ(edited(add_task(body, "a")),
            "---\norchestration:\n  tasks:\n    - name: a\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\n# only this\n---\n" + body, "a")),
            "---\n# only this\norchestration:\n  tasks:\n    - name: a\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\ntitle: x\n---\n" + body, "a")),
            "---\ntitle: x\norchestration:\n  tasks:\n    - name: a\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\norchestration:\n   team: false\n---\n" + body, "a")),
            "---\norchestration:\n   team: false\n   tasks:\n     - name: a\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\norchestration: # later\n---\n" + body, "a")),
            "---\norchestration: {tasks: [{name: a}]} # later\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\norchestration: {tasks: []}\n---\n" + body, "a")),
            "---\norchestration: {tasks: [{name: a}]}\n---\n" + body);
  EXPECT_EQ(edited(add_task("---\norchestration:\n  tasks: [{name: a}]\n---\n" + body,
                            "name: b\nrun: 'x, y'")),
            "---\norchestration:\n  tasks: [{name: a}, {name: b, run: \"x, y\"}]\n---\n" + body);
}

TEST(PlanEdit, RefusesATaskThatIsNoMapping) {
  EXPECT_EQ(
      edited(add_task(kPlan, "[a]")),
      "error: the new task is neither a name nor a mapping (give a name, or a mapping: {name: "
      "build, run: make})");
  EXPECT_EQ(edited(add_task(kPlan, "{name: a")),
            "error: the new task is not valid YAML (give a name, or a mapping: {name: build, run: "
            "make})");
}

TEST(PlanEdit, DropsATask) {
  EXPECT_EQ(edited(drop_task(kPlan, "beta")),
            with(kPlan, "    - {name: beta, depends_on: [alpha], checks: [\"a, b\", 'c']}\n", ""));
  EXPECT_EQ(edited(drop_task(kPlan, "gamma")),
            with(kPlan,
                 "    -\n      name: gamma\n      description: several\n        lines of\n"
                 "        text # end\n",
                 ""));
  EXPECT_EQ(edited(drop_task("---\norchestration:\n  tasks:\n    - name: a\n---\n# T\n", "a")),
            "---\norchestration:\n  tasks: []\n---\n# T\n");
  EXPECT_EQ(edited(drop_task("---\norchestration: {tasks: [{name: a}, {name: b}]}\n---\n", "a")),
            "---\norchestration: {tasks: [{name: b}]}\n---\n");
  EXPECT_EQ(edited(drop_task("---\norchestration: {tasks: [{name: a}, {name: b}, ]}\n---\n", "b")),
            "---\norchestration: {tasks: [{name: a}, ]}\n---\n");
}

TEST(PlanEdit, NamesThoseThatNeedADroppedTask) {
  const auto result = drop_task(kPlan, "alpha");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kRefused);
  EXPECT_EQ(result.error().message, "task 'alpha' is needed by 'beta'");
}

TEST(PlanEdit, KeepsCrlfAndTheByteOrderMark) {
  const std::string crlf = "\xEF\xBB\xBF---\r\ntitle: a # b\r\n---\r\n# T\r\n";
  EXPECT_EQ(edited(set_key(crlf, "title", "c")), with(crlf, "a # b", "c # b"));
  EXPECT_EQ(edited(set_key(crlf, "from", "c")), with(crlf, "# b\r\n", "# b\r\nfrom: c\r\n"));
  EXPECT_EQ(edited(add_task(crlf, "c")),
            with(crlf, "# b\r\n", "# b\r\norchestration:\r\n  tasks:\r\n    - name: c\r\n"));
  EXPECT_EQ(edited(set_key("\xEF\xBB\xBF# T\r\n", "from", "c")),
            "\xEF\xBB\xBF---\r\nfrom: c\r\n---\r\n# T\r\n");
}

TEST(PlanEdit, LeavesWhatAliasesRepeatToAnEditor) {
  const std::string text =
      "---\norchestration:\n  tasks:\n    - name: a\n      files: &f [x]\n    - name: b\n"
      "      files: *f\n---\n# T\n";
  EXPECT_EQ(edited(set_task_key(text, "b", "files", "[y]")), with(text, "*f", "[y]"));
  EXPECT_EQ(edited(set_task_key(text, "a", "files", "[y]")),
            "error: this place of the front matter is written in a form that cannot be edited "
            "without touching other parts (change it in an editor)");
}

TEST(PlanEdit, ReplacesTheBodyAndKeepsTheFrontMatter) {
  EXPECT_EQ(edited(set_body("---\ntitle: a  # x\n---\n# T\nold\n", "# T\nnew\n")),
            "---\ntitle: a  # x\n---\n# T\nnew\n");
  EXPECT_EQ(edited(set_body("# T\nold\n", "# N\n")), "# N\n");
  EXPECT_EQ(edited(set_body("---\ntitle: a\n---", "# N\n")), "---\ntitle: a\n---\n# N\n");
  const auto guarded = set_body("# T\n", "---\nx: y\n---\n");
  EXPECT_EQ(parse_plan("---\ntitle: t\n---\n" + guarded->substr(8)).ok(), true);
}

TEST(PlanEdit, ComposesAPlanThatReadsBack) {
  for (const std::string title : {"Simple", "With: colon", "[x] \"quoted\"", "null", "Ünïcode"}) {
    const auto text = compose_plan(title, {"a", "b c"}, default_body(title));
    const auto plan = parse_plan(text);
    ASSERT_TRUE(plan.ok()) << text;
    EXPECT_EQ(plan->plan.title, title);
    EXPECT_EQ(plan->plan.tags, (std::vector<std::string>{"a", "b c"}));
    EXPECT_TRUE(plan->warnings.empty());
  }
  EXPECT_EQ(compose_plan("A", {}, "# A\n"), "---\ntitle: A\n---\n\n# A\n");
}

}  // namespace
}  // namespace gitplan
