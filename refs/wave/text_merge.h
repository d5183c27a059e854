// Three texts merged as git merges them, one side preferred where they meet.
#pragma once

#include <optional>
#include <string>

#include "refs/git/repository.h"

namespace gitplan {

enum class Favor { kNone, kOurs, kTheirs };

// Blob ids; `base` may be empty (both sides added the file). Nothing: a conflict (with
// Favor::kNone), or not text.
std::optional<std::string> merge_texts(const Repository& repository, const std::string& base,
                                       const std::string& ours, const std::string& theirs,
                                       Favor favor);

}  // namespace gitplan
