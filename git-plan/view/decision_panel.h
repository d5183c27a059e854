// An open decision as people read it: what happened, why, its impact, and how to answer.
//
// `status`, `resolve` and the end of `execute` print it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ledger/ledger.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

// `plan_dir`: where the log of the decision's task or wave is read from; the log is shown, never
// stored. `with_options`: each option with the command that chooses it; without them only the title
// and the log, because a prompt follows that says the rest.
std::string decision_panel(const Output& out, std::string_view plan, const Ledger& ledger,
                           const DecisionAsked& asked, const std::string& plan_dir,
                           bool with_options = true);

// The last lines of the log that a decision is about, raw: the last words of a task or of a verify
// command say more than an exit status. Empty where it is not here, and for a conflict, which has
// its lines instead.
std::vector<std::string> decision_log(const Ledger& ledger, const DecisionAsked& asked,
                                      const std::string& plan_dir);

// "git plan resolve <plan> <decision> <option>", with what the option needs besides.
std::string resolve_command(std::string_view plan, std::string_view decision,
                            std::string_view option);

}  // namespace gitplan
