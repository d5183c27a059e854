// The rules between tasks: names are unique, dependencies exist and have no cycle.
//
// parse_plan() calls this when every task has been read, whatever faults it had.
#pragma once

#include <vector>

#include "core/plan/definition.h"
#include "core/plan/yaml_reader.h"

namespace gitplan {

// Where the names and the dependencies of one task stand, in the order of Task::depends_on.
struct TaskPlaces {
  std::size_t index = 0;  // in the list of the file; tasks that are no mapping are not read
  Position name;
  std::vector<Position> depends_on;
};

// Notes its faults with the reader, which is at the list of tasks. `places` has one entry a task.
void check_tasks(const std::vector<Task>& tasks, const std::vector<TaskPlaces>& places,
                 YamlReader& reader);

}  // namespace gitplan
