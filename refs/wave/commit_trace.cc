#include "refs/wave/commit_trace.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace gitplan {

namespace {

// Those that tell the start or the end of a child.
template <class Take>
void each_child_event(const std::string& trace_file, Take take) {
  std::ifstream file(trace_file);
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"child_") == std::string::npos) continue;
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) continue;
    // A git that a hook runs has its parent's session in its own.
    if (event.value("sid", "").find('/') != std::string::npos) continue;
    take(event);
  }
}

}  // namespace

std::vector<std::string> hooks_in(const std::string& trace_file) {
  std::vector<std::string> result;
  each_child_event(trace_file, [&result](const nlohmann::json& event) {
    const std::string hook = event.value("hook_name", "");
    if (event.value("event", "") == "child_start" && !hook.empty()) result.push_back(hook);
  });
  return result;
}

std::optional<FailedChild> failed_child_in(const std::string& trace_file) {
  std::map<int, FailedChild> children;
  std::optional<FailedChild> result;
  each_child_event(trace_file, [&children](const nlohmann::json& event) {
    const int id = event.value("child_id", -1);
    if (event.value("event", "") == "child_start") {
      FailedChild child;
      child.running = true;
      child.hook = event.value("hook_name", "");
      const auto argv = event.value("argv", std::vector<std::string>());
      if (!argv.empty()) child.program = argv.front();
      const auto has = [&argv](std::string_view word) {
        return std::find(argv.begin(), argv.end(), word) != argv.end();
      };
      child.signs = child.hook.empty() && (has("-bsau") || (has("-Y") && has("sign")));
      children[id] = std::move(child);
    } else if (event.value("event", "") == "child_exit") {
      FailedChild& child = children[id];
      child.running = false;
      child.code = event.value("code", 0);
    }
  });
  for (auto& [id, child] : children)
    if (child.running || child.code != 0) result = std::move(child);
  return result;
}

}  // namespace gitplan
