// Writes values as YAML on one line, with quotes only where they are needed.
//
// The edits and compose_plan() use it; reading it back gives the same value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan/yaml_tree.h"

namespace gitplan {

// A text; quoted where it would read back as something else. `in_flow`: within brackets.
std::string write_text(std::string_view text, bool in_flow = false);
// [a, "b c, d"]
std::string write_list(const std::vector<std::string>& values);
// A value that is already read: {name: a, depends_on: [b]}
std::string write_flow(const YamlNode& node);
// YAML as a person gave it for one value: as it is where it is one value on one line, else quoted.
std::string write_given(std::string_view yaml, bool in_flow);

}  // namespace gitplan
