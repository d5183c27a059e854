#include "core/engine/wave_subject.h"

#include <algorithm>

namespace gitplan {

const std::vector<std::string>& subject_tokens() {
  static const std::vector<std::string> kTokens{"{plan}", "{title}", "{wave}", "{task}",
                                                "{description}"};
  return kTokens;
}

std::string wave_subject(std::string_view setting, std::string_view plan_id, const Plan& plan,
                         int wave, const std::string& first_task) {
  const Task* task = plan.find(first_task);
  std::string description =
      task != nullptr && !task->description.empty() ? task->description : first_task;
  if (setting.empty()) return description;
  description.erase(0, description.find_first_not_of(" \n\r\t"));
  const std::size_t first_end = std::min(description.find('\n'), description.size());
  bool described = false;
  const std::vector<std::string>& tokens = subject_tokens();
  const std::string values[] = {std::string(plan_id), plan.title, std::to_string(wave), first_task,
                                description.substr(0, first_end)};
  std::string subject;
  while (!setting.empty()) {
    std::size_t token = 0;
    while (token < tokens.size() && !setting.starts_with(tokens[token])) ++token;
    const bool found = token < tokens.size();
    described = described || (found && tokens[token] == "{description}");
    subject += found ? values[token] : std::string(1, setting.front());
    setting.remove_prefix(found ? tokens[token].size() : 1);
  }
  return described ? subject + description.substr(first_end) : subject;
}

}  // namespace gitplan
