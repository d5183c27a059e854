// Words that several questions use.
//
// Only questions.cc and landing_questions.cc include this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/journal/event.h"

namespace gitplan {

inline constexpr const char* kNothingLost =
    "Nothing is lost: the result stays on the plan's integration branch until it lands.";

std::string quoted(std::string_view word);
std::string branch_name(std::string_view ref);              // without refs/heads/
std::string listed(const std::vector<std::string>& names);  // "'a', 'b' and 'c'"

// A line for each file: where it is, what kind of conflict, whose lines.
std::string all_described(const std::vector<Conflict>& conflicts);

// Tasks among the sides, in the order they are first named, without the user.
std::vector<std::string> parties(const std::vector<Conflict>& conflicts, std::string_view but = {});

DecisionOption abort_option();

}  // namespace gitplan
