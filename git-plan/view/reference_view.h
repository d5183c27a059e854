// Stale references for people and for programs, as `git plan check` prints them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/timestamp.h"
#include "git-plan/terminal/output.h"
#include "refs/snapshot/check.h"

namespace gitplan {

// "renamed to src/b.c (92 % the same) by 1a2b3c4, Ann, 2 days ago: Split the parser"
std::string what_became_of(const CheckedReference& reference, Millis now);

// A line for each that is stale.
std::string references_text(const Output& out, const CheckedReferences& found, Millis now);

nlohmann::ordered_json reference_json(std::string_view plan, const CheckedReference& reference);

}  // namespace gitplan
