// keys_not_executable() of plan_file.h: what a run cannot honour, one row a key.
//
// Running such a plan as if the key were not there would break what its writer relied on: an
// ungated run, a lock that does not lock. When a run learns to honour a key, its row goes.
#include <algorithm>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

struct TaskRule {
  const char* key;
  bool (*asked)(const Task&);
  const char* asks;  // "'key' of task 'x' <asks>"
  const char* remedy;
};

constexpr TaskRule kTaskRules[] = {
    {"contract", [](const Task& t) { return !t.contract.empty(); },
     "asks for an answer in a given form, which execute cannot check: it would pass unchecked",
     "check the result by 'checks'"},
};

Position place(const std::map<std::string, Position>& keys, const std::string& key,
               const Position& otherwise) {
  const auto found = keys.find(key);
  return found == keys.end() ? otherwise : found->second;
}

Diagnostic refusal(const Position& at, std::string target, std::string message, std::string fix) {
  return {Severity::kError, "key-not-executable", std::move(message), "", at.line,
          at.column,        std::move(target),    std::move(fix)};
}

}  // namespace

std::vector<Diagnostic> keys_not_executable(const Plan& plan, std::string_view file) {
  std::vector<Diagnostic> found;
  if (!plan.orchestration) return found;
  const Orchestration& all = *plan.orchestration;
  for (std::size_t i = 0; i < all.tasks.size(); ++i) {
    const Task& task = all.tasks[i];
    const std::string target = "orchestration.tasks[" + std::to_string(i) + "]";
    for (const auto& rule : kTaskRules)
      if (rule.asked(task))
        found.push_back(
            refusal(place(task.keys, rule.key, task.position), target + "." + rule.key,
                    std::string("'") + rule.key + "' of task '" + task.name + "' " + rule.asks,
                    rule.remedy));
  }
  std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  for (auto& d : found) d.file = file;
  return found;
}

}  // namespace gitplan
