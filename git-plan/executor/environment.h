// The environment that a task's command gets.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gitplan {

struct TaskPlace {
  std::string plan, task, role, attempt;
  std::string folder;  // <tree>/.git-plan/<attempt>
  int slot = -1;       // -1: none
};

// This process's own environment without git's repository-local variables and whatever would open
// an editor or a prompt, and with the PLAN_ variables: "NAME=value", sorted.
std::vector<std::string> task_environment(const TaskPlace& place);

// The same without a task, for the plan's verify commands.
std::vector<std::string> verify_environment(const std::string& plan, int wave);

}  // namespace gitplan
