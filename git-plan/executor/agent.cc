// agent_command() of executor.h.
#include "git-plan/executor/executor.h"

namespace gitplan {
namespace {

std::string known() {
  std::string names;
  for (const Preset& preset : presets())
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

}  // namespace

Result<AgentCommand> agent_command(const Task& task, const Settings& settings, std::string_view by,
                                   bool terminal) {
  if (!task.run.empty()) return AgentCommand{"run", task.run, nullptr};
  std::string agent = by.empty() ? task.agent : std::string(by);
  if (agent.empty()) agent = settings.value("role", task.role, "agent").value_or("");
  if (agent.empty()) {
    GITPLAN_TRY_ASSIGN(agent, settings.text("plan.agent"));
  }
  if (agent.empty())
    return error(ErrorCode::kInvalid,
                 "task '" + task.name + "' has no 'run' command, and no agent plays its role '" +
                     task.role + "'",
                 "git config plan.agent <name>, one of " + known() +
                     ", or one that plan.agent.<name>.command defines");
  auto command = settings.value("agent", agent, "command");
  if (command && !command->empty())
    return AgentCommand{std::move(agent), *std::move(command), nullptr};
  if (const Preset* preset = find_preset(agent))
    return AgentCommand{std::move(agent),
                        std::string(terminal ? preset->interactive : preset->command), preset};
  return error(ErrorCode::kInvalid,
               "agent '" + agent + "', which plays task '" + task.name +
                   "', has no command, and is none of those that git plan knows (" + known() + ")",
               "git config plan.agent." + agent + ".command '<command>'");
}

}  // namespace gitplan
