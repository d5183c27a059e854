// Where a plan meets those that are at work on the same files: what the key `view` of a decision
// plan_overlap shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/journal/event.h"
#include "git-plan/command/context.h"
#include "git-plan/neighbours/meetings.h"

namespace gitplan {

// Of the plans that the decision names, as they are now.
Result<std::vector<Meeting>> meetings_of(Context& context, const std::string& plan,
                                         const DecisionAsked& asked);

// A paragraph a plan, a line for each two tasks.
std::string meetings_text(const Output& out, const std::vector<Meeting>& meetings);
nlohmann::ordered_json meetings_json(const std::vector<Meeting>& meetings);

}  // namespace gitplan
