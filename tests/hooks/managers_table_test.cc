// Each real manager of hooks in each situation of git's, without ours and with them: the same
// history, theirs called as often, and ours say what they say alone.
#include <algorithm>
#include <cstdlib>

#include "tests/hooks/managed_repo.h"
#include "tests/hooks/situations.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

// One of each kind. It stands for those that follow it in the table, up to the next of these.
constexpr const char* kRepresentatives[] = {"CheckoutBranch", "MergeReal",      "CommitPath",
                                            "RebaseMerge",    "LinkedWorktree", "Strict"};

std::vector<std::vector<Situation>> kinds() {
  std::vector<std::vector<Situation>> all;
  for (const Situation& situation : situations()) {
    if (std::ranges::count(kRepresentatives, std::string_view(situation.name)) > 0)
      all.emplace_back();
    all.back().push_back(situation);
  }
  return all;
}

struct Outcome {
  std::string history, calls;
  HookRepo::Said said;
};

Outcome outcome(const Manager& manager, const Situation& situation, bool ours) {
  const ManagedRepo repo;
  manager.configure(repo, ours);
  repo.git({"add", "-A"}, repo.options);
  repo.git({"commit", "-q", "--no-verify", "-m", "Configure"}, repo.options);
  make_branches(repo);
  manager.set_up(repo);
  if (ours && !manager.joined) repo.good({"git", "plan", "hooks", "install"});
  const fs::path calls = repo.root() / "theirs";
  fs::remove(calls);  // of what came before
  Outcome result;
  result.said = repo.say({"sh", "-c", situation.script}, repo.options);
  if (repo.exists(calls)) result.calls = repo.read(calls);
  // Without ids: the managers' own files name places.
  result.history = repo.call({"git", "log", "--format=%s", "--name-status", "--no-renames"}).out +
                   repo.git({"ls-files"}) + "\n" +
                   repo.git({"status", "--porcelain=v1", "--branch"});
  return result;
}

std::string expected(const Manager& manager, const Situation& situation) {
  const std::string_view name = situation.name;
  if (manager.joined && name == "GraphicalClient") return "";
  if (manager.relative && name.starts_with("LinkedWorktree")) return "";
  return situation.said;
}

using Cell = std::tuple<Manager, std::vector<Situation>>;

class ManagersTable : public ::testing::TestWithParam<Cell> {};

TEST_P(ManagersTable, NobodyIsDisturbed) {
  const auto& [manager, kind] = GetParam();
  if (!ManagedRepo().has(manager.program)) GTEST_SKIP() << manager.program << " is not installed";
  const std::size_t count = std::getenv("GITPLAN_LONG") != nullptr ? kind.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Situation& situation = kind[i];
    SCOPED_TRACE(situation.name);
    const Outcome with = outcome(manager, situation, true);
    EXPECT_EQ(with.said.ours, expected(manager, situation)) << with.said.all;
    EXPECT_EQ(with.said.status, 0) << with.said.all;
    // What is refused for a plan's sake is not refused without.
    if (std::string_view(situation.name).ends_with("Strict")) continue;
    const Outcome without = outcome(manager, situation, false);
    EXPECT_EQ(without.said.ours, "");
    EXPECT_EQ(with.history, without.history);
    EXPECT_EQ(with.calls, without.calls) << with.said.all;
  }
}

INSTANTIATE_TEST_SUITE_P(Real, ManagersTable,
                         ::testing::Combine(::testing::ValuesIn(managers()),
                                            ::testing::ValuesIn(kinds())),
                         [](const auto& cell) {
                           return std::string(std::get<0>(cell.param).name) + "_" +
                                  std::get<1>(cell.param).front().name;
                         });

}  // namespace
}  // namespace gitplan::test
