#include "git-plan/command/table.h"

namespace gitplan {

// In the order in which `git plan -h` lists them.
const std::vector<const CommandInfo*>& all_commands() {
  static const std::vector<const CommandInfo*> kCommands{
      // plans
      &kCreateCommand,
      &kListCommand,
      &kShowCommand,
      &kLogCommand,
      &kDiffCommand,
      &kEditCommand,
      &kUpdateCommand,
      &kDeleteCommand,
      &kUndoCommand,
      // work
      &kExecuteCommand,
      &kNextCommand,
      &kDoneCommand,
      &kFailCommand,
      &kStatusCommand,
      &kWhyCommand,
      &kOutputCommand,
      &kAttemptsCommand,
      &kResolveCommand,
      &kApproveCommand,
      &kPauseCommand,
      &kCancelCommand,
      &kAbortCommand,
      // git
      &kPushCommand,
      &kPullCommand,
      &kFetchCommand,
      &kTrustCommand,
      &kCheckCommand,
      &kBlameCommand,
      &kHooksCommand,
      &kGcCommand,
      // set-up
      &kInitCommand,
      &kDoctorCommand,
      &kVersionCommand,
      // hidden
      &kCompleteCommand,
  };
  return kCommands;
}

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo* command : all_commands())
    if (command->name == name) return command;
  return nullptr;
}

bool Arguments::has(std::string_view option) const {
  return options.find(std::string(option)) != options.end();
}

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options.find(std::string(option));
  if (found == options.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options.find(std::string(option));
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string> Arguments::positional(std::size_t index) const {
  if (index >= rest.size()) return std::nullopt;
  return rest[index];
}

std::vector<std::string> Arguments::positionals(std::size_t from) const {
  if (from >= rest.size()) return {};
  return {rest.begin() + static_cast<std::ptrdiff_t>(from), rest.end()};
}

}  // namespace gitplan
