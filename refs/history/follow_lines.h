// Where lines of a text are after it was edited.
//
// Only .cc files of refs/history include this.
#pragma once

#include <string_view>

namespace gitplan::history {

struct FollowedLines {
  int first = 0, last = 0;  // 0: they are gone
  bool certain = true;      // both ends are lines that stayed, or were edited line by line
};

// `first` and `last`: 1-based, of `before`.
FollowedLines follow_lines(std::string_view before, std::string_view after, int first, int last);

// Lines of a text with their ends; "" where there are none.
std::string_view lines_between(std::string_view text, int first, int last);

}  // namespace gitplan::history
