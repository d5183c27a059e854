#include "core/graph/task_graph.h"

#include <algorithm>

namespace gitplan {

TaskGraph::TaskGraph(const std::vector<Task>& tasks)
    : dependencies_(tasks.size()), dependents_(tasks.size()) {
  index_.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) index_.emplace(tasks[i].name, static_cast<int>(i));
  std::vector<int> named_by(tasks.size(), -1);  // the last task that named it
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (const auto& name : tasks[i].depends_on) {
      const int dependency = index_of(name);
      const int self = static_cast<int>(i);
      if (dependency < 0 || dependency == self) continue;
      if (named_by[dependency] == self) continue;
      named_by[dependency] = self;
      dependencies_[i].push_back(dependency);
      dependents_[dependency].push_back(self);
    }
  }
}

int TaskGraph::index_of(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? -1 : found->second;
}

std::vector<int> TaskGraph::levels() const {
  std::vector<int> level(size(), -1), waiting(size());
  std::vector<int> ready;
  for (int task = 0; task < size(); ++task) {
    waiting[task] = static_cast<int>(dependencies_[task].size());
    if (waiting[task] == 0) ready.push_back(task);
  }
  std::vector<int> reached(size(), 0);
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const int task = ready[next];
    level[task] = reached[task];
    for (int dependent : dependents_[task]) {
      reached[dependent] = std::max(reached[dependent], level[task] + 1);
      if (--waiting[dependent] == 0) ready.push_back(dependent);
    }
  }
  return level;
}

std::vector<int> TaskGraph::cycle() const {
  const std::vector<int> level = levels();
  int at = -1;
  for (int task = 0; task < size() && at < 0; ++task)
    if (level[task] < 0) at = task;
  if (at < 0) return {};

  // A task without a level waits for another one without a level: walking back must meet itself.
  std::vector<int> seen_at(size(), -1), path;
  while (seen_at[at] < 0) {
    seen_at[at] = static_cast<int>(path.size());
    path.push_back(at);
    for (int dependency : dependencies_[at]) {
      if (level[dependency] < 0) {
        at = dependency;
        break;
      }
    }
  }
  std::vector<int> found(path.begin() + seen_at[at], path.end());
  found.push_back(at);
  return found;
}

std::vector<int> TaskGraph::downstream(int task) const {
  std::vector<bool> reached(size(), false);
  std::vector<int> queue{task};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (int dependent : dependents_[queue[next]]) {
      if (reached[dependent]) continue;
      reached[dependent] = true;
      queue.push_back(dependent);
    }
  }
  std::vector<int> found;
  for (int i = 0; i < size(); ++i)
    if (reached[i] && i != task) found.push_back(i);
  return found;
}

}  // namespace gitplan
