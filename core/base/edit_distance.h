// "Did you mean": the candidate nearest to a mistyped word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

// Optimal string alignment distance (insert, delete, replace, swap of neighbours).
int edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough to be a typing error: at most a third of the length.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

}  // namespace gitplan
