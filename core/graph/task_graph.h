// The graph of a plan's tasks: order, levels, cycles, who depends on whom.
//
// The validator, the engine, dry run and the views use it. Indices are positions in plan.tasks().
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/plan/definition.h"

namespace gitplan {

class TaskGraph {
 public:
  // Unknown and self dependencies are left out here; the validator reports them.
  explicit TaskGraph(const std::vector<Task>& tasks);

  int size() const { return static_cast<int>(dependencies_.size()); }
  int index_of(std::string_view name) const;  // -1: unknown
  const std::vector<int>& dependencies(int task) const { return dependencies_[task]; }
  const std::vector<int>& dependents(int task) const { return dependents_[task]; }

  // One cycle as a path ("a", "b", "a"), or empty. Found without recursion: 20,000 tasks in a chain
  // are fine.
  std::vector<int> cycle() const;
  // Level of each task (0: depends on nothing): what a dry run foretells. Tasks in a cycle have -1.
  std::vector<int> levels() const;
  // Everything that waits for `task`, directly or not, in declaration order.
  std::vector<int> downstream(int task) const;

 private:
  std::vector<std::vector<int>> dependencies_;
  std::vector<std::vector<int>> dependents_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace gitplan
