#include "tests/command/work_repo.h"

#include <gtest/gtest.h>

#include <regex>

namespace gitplan::test {

WorkRepo::WorkRepo() {
  std::string lines;
  for (int i = 1; i <= 20; ++i) lines += std::to_string(i) + "\n";
  write("src/a.txt", lines);
  commit("Start");
}

void WorkRepo::make_plan(const std::string& id, const std::string& tasks,
                         const std::string& more) const {
  const std::string text = "---\ntitle: " + id + "\norchestration:\n  default_mode: forked\n" +
                           more + "  tasks:\n" + tasks + "---\n# " + id + "\n";
  const ProcessResult made =
      plan({"create", "--naming", "{title}", "-F", "-"}, {.stdin_text = text});
  ASSERT_EQ(made.exit_status, 0) << made.err;
  ASSERT_EQ(made.out, id + "\n");
}

void WorkRepo::append(const std::string& id, std::vector<EventBody> bodies) const {
  auto repository = Repository::open_at(path());
  ASSERT_TRUE(repository.ok()) << repository.error().message;
  auto store = Store::open(*repository);
  ASSERT_TRUE(store.ok()) << store.error().message;
  const auto done = store->change(id, [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = bodies;
    return change;
  });
  ASSERT_TRUE(done.ok()) << done.error().message;
}

PlanView WorkRepo::load(const std::string& id) const {
  auto repository = Repository::open_at(path());
  EXPECT_TRUE(repository.ok());
  auto store = Store::open(*repository);
  EXPECT_TRUE(store.ok());
  auto view = store->load(id);
  EXPECT_TRUE(view.ok());
  return *std::move(view);
}

std::string scrubbed(std::string text) {
  static const std::pair<std::regex, const char*> kRules[] = {
      {std::regex("[0-9]{8}-[0-9]{6}-[0-9a-f]{4}"), "<run>"},
      {std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"), "<when>"},
      {std::regex("\\b[0-9]{2}:[0-9]{2}:[0-9]{2}\\b"), "<when>"},
      {std::regex("\\b[0-9a-f]{12}\\.[0-9]+"), "<attempt>"},
      {std::regex("\\bd[0-9a-f]{5}\\b"), "<decision>"},
      {std::regex("\\b[0-9a-f]{40}\\b"), "<id>"},
      {std::regex("\\b(?=[0-9a-f]*[0-9])[0-9a-f]{7}\\b"), "<id>"},
      {std::regex("\\b[0-9]+ s\\b( +)?"), "<time>"},
      {std::regex("brief [0-9.]+ KB"), "brief <size>"},
      {std::regex("/[^ \\n]*/git-plan-test[^ \\n/]*"), "<root>"},
      {std::regex("\\(process [0-9]+\\)"), "(process <pid>)"},
  };
  for (const auto& [pattern, name] : kRules) text = std::regex_replace(text, pattern, name);
  return text;
}

std::string WorkRepo::said(const Words& words, const RunOptions& options) const {
  const ProcessResult result = plan(words, options);
  return std::to_string(result.exit_status) + "\n" + scrubbed(result.out + result.err);
}

}  // namespace gitplan::test
