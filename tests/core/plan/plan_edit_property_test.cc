// Random edits on files of every style: the parsed plan changes as meant, and every line that was
// not meant stays byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/plan/plan_edit.h"
#include "core/plan/plan_file.h"
#include "core/plan/task_text.h"

namespace gitplan {
namespace {

const std::string kFiles[] = {
    "# Only a body\n\ntext\n",
    "---\n---\n# Empty front matter\n",
    "---\n# a comment\ntitle: T\n---\n# T\n",
    "---\ntitle: >-\n  folded\n  title\ntags:\n- a\n- b\n# end\n---\n\n# T\n\n---\nrule\n",
    "---\r\ntitle: \"crlf\" # c\r\norchestration:\r\n  tasks:\r\n    - name: a\r\n      run: |\r\n"
    "        x\r\n\r\n    - name: b\r\n---\r\n# T\r\n",
    "---\ntitle: t\norchestration:\n  default_mode: forked   # all\n  tasks:\n  - name: a\n"
    "    depends_on:\n    - b\n    - c   # why\n\n    # note\n    description: >\n      folded\n"
    "      text\n\n      more\n\n  # about b\n  - name: b\n\n  - name: c\n    run: 'it''s'\n"
    "# tail\ntags: [x,\n  y, # in\n  z]\n---\n# T\n",
    "---\n{title: 'a, b', tags: [x, \"y\"], orchestration: {tasks: [{name: a}, {name: b, "
    "depends_on: "
    "[a]}]}}\n---\n# T\n",
    "---\norchestration:\n  tasks: [\n    {name: a, run: \"x # y\"},   # first\n    {name: b,\n"
    "     description: plain text},\n  ]\n  verify: [\"make\"]\nttl_days: 3\n---\n# T\n",
    "---\norchestration:\n      tasks:\n          -   description: deep\n                lines\n"
    "              name: a\n          -\n            # alone\n            name: b\n"
    "            run: |+\n                keep\n\n\n          - {name: c}\n"
    "      setup:\n\n      - npm ci\n---\n# T\n",
    "---\ntitle:\n  on its own line\n\"tags\": # quoted key\n  [a]\norchestration:\n  tasks:\n"
    "    - 'name': a\n      mode:\n      role:   # none\n    - name: &anchor b\n      agent: x\n"
    "---\n# T\n",
};

std::string summary(const Plan& plan) {
  std::string text =
      plan.title + "\n" + plan.from + "\n" + std::to_string(plan.ttl_days.value_or(0));
  for (const auto& tag : plan.tags) text += "\ntag " + tag;
  for (const auto& task : plan.tasks()) text += "\n" + canonical_text(task);
  return text + "\n" + plan.body;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    const auto next = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(at, next - at));
    at = next;
  }
  return lines;
}

// How many lines of `before` are neither in the common start nor in the common end.
std::size_t lines_lost(const std::string& before, const std::string& after) {
  const auto a = lines_of(before), b = lines_of(after);
  std::size_t start = 0, end = 0;
  while (start < std::min(a.size(), b.size()) && a[start] == b[start]) ++start;
  while (end < std::min(a.size(), b.size()) - start &&
         a[a.size() - 1 - end] == b[b.size() - 1 - end])
    ++end;
  return a.size() - start - end;
}

class Edits {
 public:
  explicit Edits(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t count) { return random_() % count; }

  std::string word() {
    static const std::vector<std::string> kWords{
        "plain", "two words", "a: b", "x #y", "[br",  "it's",    "\"q\"", "é€",
        "-dash", "null",      "true", "12",   "a, b", "{c}",     "end:",  "back\\slash",
        "*star", "&and",      "%",    "@at",  "a  b", "one\ntwo"};
    return kWords[pick(kWords.size())];
  }

  // Does one edit on the text and the same to the plan; returns the name of the edit.
  std::string step(std::string& text, Plan& plan) {
    const std::string value = word();
    Result<std::string> result = failed("none");
    std::string what;
    const bool has_task = !plan.tasks().empty();
    switch (pick(has_task ? 8 : 4)) {
      case 0:
        what = "title " + value;
        plan.title = "x " + std::string(value == "one\ntwo" ? "y" : value);
        result = set_key(text, "title", plan.title);
        break;
      case 1:
        what = "ttl_days";
        plan.ttl_days = static_cast<int>(1 + pick(100));
        result = set_key(text, "ttl_days", std::to_string(*plan.ttl_days));
        break;
      case 2:
        what = "tags";
        plan.tags.assign(pick(4), value == "a, b" || value == "one\ntwo" ? "t" : value);
        result = set_list(text, "tags", plan.tags);
        break;
      case 3: {
        Task task;
        task.name = "new" + std::to_string(next_name_++);
        what = "add " + task.name;
        const auto style = pick(3);
        if (style > 0) task.run = "make x";
        const std::string given = style == 0   ? task.name
                                  : style == 1 ? "{name: " + task.name + ", run: make x}"
                                               : "name: " + task.name + "\nrun: |-\n  make x\n";
        if (!plan.orchestration) plan.orchestration.emplace();
        plan.orchestration->tasks.push_back(task);
        result = add_task(text, given);
        break;
      }
      case 4: {
        auto& tasks = plan.orchestration->tasks;
        const auto at = pick(tasks.size());
        what = "drop " + tasks[at].name;
        const bool needed = std::any_of(tasks.begin(), tasks.end(), [&](const Task& other) {
          return std::count(other.depends_on.begin(), other.depends_on.end(), tasks[at].name) > 0;
        });
        result = drop_task(text, tasks[at].name);
        if (needed) {
          EXPECT_FALSE(result.ok());
          return "refused " + what;
        }
        tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      default: {
        auto& tasks = plan.orchestration->tasks;
        Task& task = tasks[pick(tasks.size())];
        what = "task " + task.name + " " + value;
        switch (pick(4)) {
          case 0:
            task.description = "d " + value;
            result = set_task_key(text, task.name, "description", task.description);
            break;
          case 1:
            task.timeout_minutes = 7;
            result = set_task_key(text, task.name, "timeout_minutes", "7");
            break;
          case 2:
            task.checks = {"a b", "c, d"};
            result = set_task_key(text, task.name, "checks", "[a b, \"c, d\"]");
            break;
          default: task.agent = "x"; result = set_task_key(text, task.name, "agent", "'x'");
        }
      }
    }
    EXPECT_TRUE(result.ok()) << what << "\n" << result.error().message << "\n" << text;
    if (result.ok()) text = *result;
    return what;
  }

 private:
  std::mt19937 random_;
  int next_name_ = 0;
};

TEST(PlanEditProperty, AnyEditChangesWhatItSaysAndNothingElse) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Edits edits(seed);
    std::string text = kFiles[seed % std::size(kFiles)];
    const auto first = parse_plan(text);
    ASSERT_TRUE(first.ok()) << text << to_string(first.error().diagnostics[0]);
    Plan expected = first->plan;
    for (int i = 0; i < 6; ++i) {
      const std::string before = text;
      const std::string what = edits.step(text, expected);
      const auto now = parse_plan(text);
      ASSERT_TRUE(now.ok()) << seed << " " << what << "\n"
                            << text << to_string(now.error().diagnostics[0]);
      ASSERT_EQ(summary(now->plan), summary(expected)) << seed << " " << what << "\n"
                                                       << before << "---->\n"
                                                       << text;
      ASSERT_EQ(now->plan.body, first->plan.body);
      // The longest value here has five lines, the longest task sixteen
      // when each of its keys has been added.
      ASSERT_LE(lines_lost(before, text), what.starts_with("drop") ? 16u : 5u)
          << seed << " " << what << "\n"
          << before << "---->\n"
          << text;
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gitplan
