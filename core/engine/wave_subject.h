// The subject of a wave's commit, by the setting plan.subject, and below it what a description says
// beyond its first line.
//
// The engine fills it in; refs/wave cuts it, says how many tasks more there are, and makes the rest
// the body.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan/definition.h"

namespace gitplan {

// What the setting may have: "{plan}" (its id), "{title}", "{wave}" (its number), "{task}" (the
// name of the first), "{description}" (of the first; its name where it has none).
const std::vector<std::string>& subject_tokens();

// An empty setting means "{description}".
std::string wave_subject(std::string_view setting, std::string_view plan_id, const Plan& plan,
                         int wave, const std::string& first_task);

}  // namespace gitplan
