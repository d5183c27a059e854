#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/refs/history/history_fixture.h"
#include "tests/refs/history/made_history.h"

namespace gitplan::test {
namespace {

TEST(TraceMade, CertainAnswersAreRightAndMovesAreFound) {
  const std::uint64_t seeds = std::getenv("GITPLAN_LONG") != nullptr ? 2000 : 300;
  const History history;
  HistoryMaker maker;
  std::vector<MadeHistory> made;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) made.push_back(maker.make(seed));
  history.repo.git({"fast-import", "--quiet", "--force"},
                   {.stdin_text = maker.stream(), .timeout = std::chrono::minutes(4)});
  const auto repository = Repository::open_at(history.repo.path());
  ASSERT_TRUE(repository.ok());
  int moves = 0, found = 0, certain = 0, unsure = 0;
  for (const MadeHistory& one : made) {
    std::vector<NotedPath> noted;
    for (const Truth& truth : one.files) noted.push_back({truth.from});
    TraceTarget target;
    target.commit = repository->ref(one.to)->value();
    const auto traced = trace(*repository, repository->ref(one.from)->value(), target, noted);
    ASSERT_TRUE(traced.ok());
    for (std::size_t i = 0; i < noted.size(); ++i) {
      const Truth& truth = one.files[i];
      const Traced& place = traced->places[i];
      const std::string to = place.fate == Fate::Gone ? "" : place.path;
      if (place.certain && !truth.doubtful) {
        EXPECT_EQ(to, truth.to) << truth.from << " of " << one.to;
        ++certain;
      }
      if (truth.doubtful || truth.to.empty() || truth.to == truth.from) continue;
      ++moves;
      if (to == truth.to) ++found;
      if (!place.certain) ++unsure;
      if (to != truth.to && std::getenv("GITPLAN_LONG") != nullptr)
        std::cout << one.to << " " << truth.from << " is " << truth.to << ", not '" << to << "'\n";
    }
  }
  std::cout << moves << " moves, " << found << " found, " << unsure << " of them not certain, "
            << certain << " certain answers\n";
  EXPECT_GT(moves, 500);
  EXPECT_GE(found * 1000, moves * 990);
}

}  // namespace
}  // namespace gitplan::test
