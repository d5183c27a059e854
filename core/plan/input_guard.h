// What is refused before a plan file is parsed: too much, or bytes that no plan has.
//
// parse_plan() calls this first, so that everything after it may assume UTF-8 of a bounded size.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace gitplan {

// Empty, over kMaxPlanBytes, a NUL byte, bytes that are not UTF-8: the first of each.
std::vector<Diagnostic> check_bytes(std::string_view text);

// YAML allows no control characters but tab and line ends, and its parser reads one line ahead: a
// line that opens brackets without end is refused here. `first_line`: of `yaml` in the file.
std::vector<Diagnostic> check_yaml_bytes(std::string_view yaml, int first_line);

// The length of the UTF-8 character that starts `text`; 0: it is not UTF-8 (overlong, surrogate,
// cut off, beyond U+10FFFF).
int utf8_length(std::string_view text);

}  // namespace gitplan
