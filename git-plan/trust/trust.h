// This clone's word that a plan was read here: nothing that came from elsewhere runs before that.
//
// `create` and `edit` record it for what is written here, `trust` for what a person has read;
// `execute` and everything else that starts a plan's commands asks is_trusted() first. The hash
// covers what is not written here and can reach a command or a brief: the definition, and outputs
// and findings that other clones left. On disk: <common>/git-plan/trust/<identity>, text, one
// trusted version a line, newest last:
// "<hash> <actor> <time, RFC 3339> <definition blob>"; "revoked <actor> <time>" takes back those
// before it. Lines of another actor (the clone was
// copied) do not count. Never pushed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "git-plan/command/context.h"

namespace gitplan {

// 64 hex digits. Of all heads: a definition that did not merge is another one.
Result<std::string> trust_hash(const Store& store, const PlanView& view);

Result<bool> is_trusted(Context& context, const PlanView& view);
// Why it is not, as a clause for people: "this plan was not created here", "task 'parser' changed
// this plan since it was trusted here". As far as this clone has recorded it.
Result<std::string> why_not_trusted(Context& context, const PlanView& view);
Status trust(Context& context, const PlanView& view);
// False: it was not trusted.
Result<bool> revoke_trust(Context& context, const PlanView& view);

// A shell command, or a brief for an agent, that running the plan would start.
struct PlanCommand {
  std::string where;  // "setup", "verify", "task 'parser'", "check of 'parser'"
  std::string text;   // the command; for an agent its brief's first words
  bool agent = false;
};
std::vector<PlanCommand> commands_of(const Plan& plan);

struct TrustChange {
  bool known = false;              // some version was trusted here before
  std::vector<std::string> lines;  // "new: verify: make", "gone: setup: npm ci", for people
};
// Against the version that was trusted last.
Result<TrustChange> changed_since_trusted(Context& context, const PlanView& view);

// Shows every command that the plan would run, and what changed since it was trusted.
Status show_for_trust(Context& context, const PlanView& view);

}  // namespace gitplan
