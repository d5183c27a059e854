// agent_command() of executor.h.
#include "git-plan/executor/executor.h"

namespace gitplan {

Result<AgentCommand> agent_command(const Task& task, const Settings& settings) {
  if (!task.run.empty()) return AgentCommand{"run", task.run};
  std::string agent = task.agent;
  if (agent.empty()) agent = settings.value("role", task.role, "agent").value_or("");
  if (agent.empty()) {
    GITPLAN_TRY_ASSIGN(agent, settings.text("plan.agent"));
  }
  if (agent.empty())
    return error(ErrorCode::kInvalid,
                 "task '" + task.name + "' has no 'run' command, and no agent plays its role '" +
                     task.role + "'",
                 "git config plan.agent <name>, then git config plan.agent.<name>.command "
                 "'<command>'");
  auto command = settings.value("agent", agent, "command");
  if (!command || command->empty())
    return error(ErrorCode::kInvalid,
                 "agent '" + agent + "', which plays task '" + task.name + "', has no command",
                 "git config plan.agent." + agent + ".command '<command>'");
  return AgentCommand{std::move(agent), std::move(*command)};
}

}  // namespace gitplan
