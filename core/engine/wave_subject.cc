#include "core/engine/wave_subject.h"

namespace gitplan {

const std::vector<std::string>& subject_tokens() {
  static const std::vector<std::string> kTokens{"{plan}", "{title}", "{wave}", "{task}",
                                                "{description}"};
  return kTokens;
}

std::string wave_subject(std::string_view setting, std::string_view plan_id, const Plan& plan,
                         int wave, const std::string& first_task) {
  const Task* task = plan.find(first_task);
  const std::string description =
      task != nullptr && !task->description.empty() ? task->description : first_task;
  if (setting.empty()) return description;
  const std::vector<std::string>& tokens = subject_tokens();
  const std::string values[] = {std::string(plan_id), plan.title, std::to_string(wave), first_task,
                                description};
  std::string subject;
  while (!setting.empty()) {
    std::size_t token = 0;
    while (token < tokens.size() && !setting.starts_with(tokens[token])) ++token;
    const bool found = token < tokens.size();
    subject += found ? values[token] : std::string(1, setting.front());
    setting.remove_prefix(found ? tokens[token].size() : 1);
  }
  return subject;
}

}  // namespace gitplan
