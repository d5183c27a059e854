// Words that several questions use.
//
// Only questions.cc and landing_questions.cc include this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/branch_name.h"
#include "core/journal/event.h"

namespace gitplan {

inline constexpr const char* kNothingLost =
    "Nothing is lost: the result stays on the plan's integration branch until it lands.";

std::string quoted(std::string_view word);
std::string listed(const std::vector<std::string>& names);  // "'a', 'b' and 'c'"

std::string first_few(const std::vector<std::string>& names);  // the first few, and how many more
// What waits for it: "Blocked: 'a' and 'b'. Independent tasks go on."
std::string impact_of(const std::vector<std::string>& blocked);

// A line for each file: where it is, what kind of conflict, whose lines.
std::string all_described(const std::vector<Conflict>& conflicts);

// Tasks among the sides, in the order they are first named, without the user.
std::vector<std::string> parties(const std::vector<Conflict>& conflicts, std::string_view but = {});

DecisionOption abort_option();

}  // namespace gitplan
