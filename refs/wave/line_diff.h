// Lines that changed between two texts, and how such changes meet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/journal/event.h"

namespace gitplan {

// As in a diff without context: `first` is 1-based; with no lines it is the line before the place.
struct Hunk {
  int old_first = 0, old_count = 0;
  int new_first = 0, new_count = 0;
};

// Binary texts have none.
std::vector<Hunk> diff_lines(std::string_view before, std::string_view after);

// They change the same or neighbouring lines of the text that both come from: git does not merge
// them.
bool meet(const Hunk& one, const Hunk& other);

// The new lines of a hunk; where it only removed some, the line before (the first at the top).
LineRange new_lines(const Hunk& hunk);

int count_lines(std::string_view text);

// Sorted, neighbours joined.
std::vector<LineRange> joined(std::vector<LineRange> ranges);

}  // namespace gitplan
