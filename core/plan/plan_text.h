// Cuts a plan file into front matter and body, without reading either.
//
// parse_plan() and the edits of plan_edit.h use it, so that both agree on where the parts are.
#pragma once

#include <string_view>

namespace gitplan {

// Views into the text that was cut. A UTF-8 BOM and blank lines may come before the first `---`.
struct PlanText {
  bool has_front_matter = false;
  bool closed = true;       // false: `---` at the start and no second one
  std::string_view yaml;    // between the two lines of `---`, with its last line end
  int yaml_line = 1;        // the line of the file at which `yaml` starts
  std::size_t yaml_at = 0;  // the byte at which it starts
  std::string_view body;    // after the second `---` line; without front matter, everything
  int body_line = 1;
  std::size_t body_at = 0;
  std::string_view line_end = "\n";  // what the first line ends with
};

PlanText split_plan(std::string_view text);

}  // namespace gitplan
