// Findings as lines for people: in briefs and in the summaries of waves.
#pragma once

#include <string>
#include <vector>

#include "core/journal/finding.h"

namespace gitplan {

// "- completed: <notes>", with what was discovered below; empty where there is nothing to read.
std::string findings_text(const std::vector<Finding>& findings);

// One JSON object a line, as parse_findings() reads them.
std::string findings_lines(const std::vector<Finding>& findings);

}  // namespace gitplan
