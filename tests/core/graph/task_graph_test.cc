#include "core/graph/task_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gitplan {
namespace {

std::vector<Task> tasks(
    std::initializer_list<std::pair<std::string, std::vector<std::string>>> list) {
  std::vector<Task> made;
  for (const auto& [name, dependencies] : list) {
    Task task;
    task.name = name;
    task.depends_on = dependencies;
    made.push_back(std::move(task));
  }
  return made;
}

TEST(TaskGraph, LevelsFollowTheLongestPath) {
  const TaskGraph graph(tasks({{"a", {}}, {"b", {"a"}}, {"c", {"a", "b"}}, {"d", {}}}));
  EXPECT_EQ((std::vector<int>{0, 1, 2, 0}), graph.levels());
  EXPECT_TRUE(graph.cycle().empty());
}

TEST(TaskGraph, DeclarationOrderDoesNotMatter) {
  const TaskGraph graph(tasks({{"last", {"first"}}, {"first", {}}}));
  EXPECT_EQ((std::vector<int>{1, 0}), graph.levels());
}

TEST(TaskGraph, ACycleIsAPathThatEndsWhereItStarts) {
  const TaskGraph graph(
      tasks({{"out", {"b"}}, {"a", {"c"}}, {"b", {"a"}}, {"c", {"b"}}, {"ok", {}}}));
  const std::vector<int> cycle = graph.cycle();
  ASSERT_EQ(4u, cycle.size());
  EXPECT_EQ(cycle.front(), cycle.back());
  for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
    const auto& dependencies = graph.dependencies(cycle[i]);
    EXPECT_NE(dependencies.end(),
              std::find(dependencies.begin(), dependencies.end(), cycle[i + 1]));
  }
  EXPECT_EQ(-1, graph.levels()[0]);
  EXPECT_EQ(0, graph.levels()[4]);
}

TEST(TaskGraph, UnknownSelfAndRepeatedDependenciesAreLeftOut) {
  const TaskGraph graph(tasks({{"a", {"a", "nobody"}}, {"b", {"a", "a"}}}));
  EXPECT_TRUE(graph.dependencies(0).empty());
  EXPECT_EQ((std::vector<int>{0}), graph.dependencies(1));
  EXPECT_EQ((std::vector<int>{1}), graph.dependents(0));
}

TEST(TaskGraph, DownstreamIsEverythingThatWaits) {
  const TaskGraph graph(tasks({{"a", {}}, {"b", {"a"}}, {"c", {"b"}}, {"d", {}}, {"e", {"a"}}}));
  EXPECT_EQ((std::vector<int>{1, 2, 4}), graph.downstream(0));
  EXPECT_TRUE(graph.downstream(3).empty());
}

TEST(TaskGraph, AChainOfTwentyThousandNeedsNoStack) {
  std::vector<Task> chain(20000);
  for (int i = 0; i < 20000; ++i) {
    chain[i].name = "t" + std::to_string(i);
    if (i > 0) chain[i].depends_on = {"t" + std::to_string(i - 1)};
  }
  EXPECT_EQ(19999, TaskGraph(chain).levels().back());
  chain[0].depends_on = {"t19999"};
  EXPECT_EQ(20001u, TaskGraph(chain).cycle().size());
}

}  // namespace
}  // namespace gitplan
