#include "git-plan/executor/environment.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "refs/git/git.h"

extern char** environ;

namespace gitplan {
namespace {

constexpr int kPorts = 100;  // a task's own, from PLAN_PORT_BASE on
constexpr int kFirstPort = 20000;

using Variables = std::map<std::string, std::string>;

Variables inherited() {
  Variables result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || text.starts_with("PLAN_")) continue;
    result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const std::string& name : local_environment_names()) result.erase(name);
  for (const char* name : {"GIT_INDEX_FILE", "GIT_REFLOG_ACTION", "GIT_PAGER_IN_USE"})
    result.erase(name);
  // Nobody is there to answer: what would ask takes what it has, or fails.
  result["GIT_TERMINAL_PROMPT"] = "0";
  result["GIT_EDITOR"] = result["GIT_SEQUENCE_EDITOR"] = "true";
  return result;
}

std::vector<std::string> as_list(const Variables& variables) {
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

}  // namespace

std::vector<std::string> task_environment(const TaskPlace& place) {
  Variables result = inherited();
  result["PLAN_ID"] = place.plan;
  result["PLAN_TASK"] = place.task;
  result["PLAN_ROLE"] = place.role;
  result["PLAN_ATTEMPT"] = place.attempt;
  result["PLAN_FILE"] = place.folder + "/plan.md";
  result["PLAN_BRIEF"] = place.folder + "/brief.md";
  result["PLAN_OUTPUT"] = place.folder + "/output.md";
  result["PLAN_FINDINGS"] = place.folder + "/findings.jsonl";
  result["PLAN_OUTPUTS"] = place.folder + "/outputs";
  if (place.slot >= 0) {
    result["PLAN_SLOT"] = std::to_string(place.slot);
    result["PLAN_PORT_BASE"] = std::to_string(kFirstPort + place.slot * kPorts);
  }
  return as_list(result);
}

std::vector<std::string> verify_environment(const std::string& plan, int wave) {
  Variables result = inherited();
  result["PLAN_ID"] = plan;
  if (wave > 0) result["PLAN_WAVE"] = std::to_string(wave);
  return as_list(result);
}

}  // namespace gitplan
