// The commands, one declaration each. Each command's file includes this, so that its constant is
// visible to the table.
#pragma once

#include "git-plan/command/command.h"

namespace gitplan {

// ---- plans ----
extern const CommandInfo kCreateCommand;
extern const CommandInfo kListCommand;
extern const CommandInfo kShowCommand;
extern const CommandInfo kLogCommand;
extern const CommandInfo kDiffCommand;
extern const CommandInfo kEditCommand;
extern const CommandInfo kUpdateCommand;
extern const CommandInfo kDeleteCommand;
extern const CommandInfo kUndoCommand;

// ---- work ----
extern const CommandInfo kExecuteCommand;
extern const CommandInfo kNextCommand;
extern const CommandInfo kDoneCommand;
extern const CommandInfo kFailCommand;
extern const CommandInfo kStatusCommand;
extern const CommandInfo kWhyCommand;
extern const CommandInfo kOutputCommand;
extern const CommandInfo kAttemptsCommand;
extern const CommandInfo kResolveCommand;
extern const CommandInfo kApproveCommand;
extern const CommandInfo kPauseCommand;
extern const CommandInfo kCancelCommand;
extern const CommandInfo kAbortCommand;

// ---- git ----
extern const CommandInfo kPushCommand;
extern const CommandInfo kPullCommand;
extern const CommandInfo kFetchCommand;
extern const CommandInfo kTrustCommand;
extern const CommandInfo kCheckCommand;
extern const CommandInfo kBlameCommand;
extern const CommandInfo kHooksCommand;
extern const CommandInfo kGcCommand;

// ---- set-up ----
extern const CommandInfo kInitCommand;
extern const CommandInfo kDoctorCommand;
extern const CommandInfo kVersionCommand;

// ---- hidden ----
extern const CommandInfo kCompleteCommand;

}  // namespace gitplan
