// Several definitions of one plan, made apart in two clones, as one text with conflict markers.
// `edit` shows it and replaces them all.
#pragma once

#include <string>
#include <vector>

#include "git-plan/command/context.h"

namespace gitplan {

// The text of the one head; of several, merged by git with markers where they differ.
Result<std::string> text_of_heads(Context& context, const PlanView& view);

// kInvalid where a conflict marker is left.
Status check_markers(std::string_view text, std::string_view file);

}  // namespace gitplan
