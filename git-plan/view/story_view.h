// The plan behind a commit or a line, for people and for programs, as `git plan blame` prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "git-plan/blame/origin_story.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

std::string story_text(const Output& out, const Story& story, Millis now);
nlohmann::ordered_json story_json(const Story& story);

// "12-40, 60"; of many the first three and how many more.
std::string ranges_text(const std::vector<LineRange>& ranges);

}  // namespace gitplan
