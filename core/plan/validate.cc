#include "core/plan/validate.h"

#include <algorithm>
#include <unordered_map>

#include "core/graph/task_graph.h"
#include "core/plan/names.h"

namespace gitplan {
namespace {

constexpr std::size_t kLongestCycleShown = 20;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// The path of a Diagnostic below orchestration.tasks, which the reader is at: [index].key
class TaskKeyScope {
 public:
  TaskKeyScope(YamlReader& reader, std::size_t index, std::string_view key)
      : task_(reader, index), key_(reader, key) {}

 private:
  YamlReader::Scope task_, key_;
};

void check_names(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
                 YamlReader& reader) {
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string& name = tasks[i].name;
    if (name.empty()) continue;
    const TaskKeyScope scope(reader, places[i].index, "name");
    if (const auto fault = task_name_fault(name))
      reader.fault(places[i].name, "bad-name", "the task name '" + shown(name) + "' " + *fault,
                   "a name such as 'extract-counter'");
    const auto [known, fresh] = first.emplace(lower(name), i);
    if (fresh) continue;
    const std::string& other = tasks[known->second].name;
    const std::string line = std::to_string(places[known->second].name.line);
    reader.fault(places[i].name, "duplicate-name",
                 other == name
                     ? "two tasks are named '" + shown(name) + "', the first on line " + line
                     : "the task name '" + shown(name) + "' differs only by case from '" +
                           shown(other) + "' on line " + line,
                 "rename one of them");
  }
}

void check_dependencies(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
                        const TaskGraph& graph, YamlReader& reader) {
  std::vector<std::string> names;
  for (const auto& task : tasks) names.push_back(task.name);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TaskKeyScope scope(reader, places[i].index, "depends_on");
    for (std::size_t d = 0; d < tasks[i].depends_on.size(); ++d) {
      const std::string& wanted = tasks[i].depends_on[d];
      const Position& at = places[i].depends_on[d];
      if (wanted == tasks[i].name)
        reader.fault(at, "self-dependency", "task '" + shown(tasks[i].name) + "' depends on itself",
                     "remove it from its own 'depends_on'");
      else if (graph.index_of(wanted) < 0)
        reader.fault(at, "unknown-dependency",
                     "task '" + shown(tasks[i].name) + "' depends on '" + shown(wanted) +
                         "', which is no task of this plan",
                     reader.did_you_mean(wanted, names, "add that task, or remove the dependency"));
    }
  }
}

std::string cycle_path(const std::vector<Task>& tasks, const std::vector<int>& cycle) {
  std::string path;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i == kLongestCycleShown) {
      path += "… (" + std::to_string(cycle.size()) + " tasks) -> ";
      break;
    }
    path += shown(tasks[cycle[i]].name) + " -> ";
  }
  return path + shown(tasks[cycle.front()].name);
}

void say_cycle(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
               std::vector<int> cycle, YamlReader& reader) {
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  const auto first = static_cast<std::size_t>(cycle.front());
  const std::string& next = tasks[cycle[1]].name;
  Position at = places[first].name;
  for (std::size_t d = 0; d < tasks[first].depends_on.size(); ++d)
    if (tasks[first].depends_on[d] == next) at = places[first].depends_on[d];
  const TaskKeyScope scope(reader, places[first].index, "depends_on");
  reader.fault(at, "circular-dependency", "circular dependency: " + cycle_path(tasks, cycle),
               "remove one of these dependencies");
}

// Each task without a level waits for another one: walking on from any of them ends in a cycle. Of
// cycles that share tasks one is said, the others show when that one is gone.
void check_cycles(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
                  const TaskGraph& graph, YamlReader& reader) {
  const std::vector<int> level = graph.levels();
  std::vector<int> walk_of(tasks.size(), -1);
  for (int start = 0; start < graph.size(); ++start) {
    if (level[start] >= 0 || walk_of[start] >= 0) continue;
    std::vector<int> path;
    int at = start;
    while (walk_of[at] < 0) {
      walk_of[at] = start;
      path.push_back(at);
      const auto& next = graph.dependencies(at);
      at = *std::find_if(next.begin(), next.end(), [&](int task) { return level[task] < 0; });
    }
    if (walk_of[at] != start) continue;
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    say_cycle(tasks, places, std::move(path), reader);
  }
}

}  // namespace

void check_tasks(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
                 YamlReader& reader) {
  const TaskGraph graph(tasks);
  check_names(tasks, places, reader);
  check_dependencies(tasks, places, graph, reader);
  check_cycles(tasks, places, graph, reader);
}

}  // namespace gitplan
