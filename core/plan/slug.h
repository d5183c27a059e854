// Titles as parts of names. slug_of() is declared in names.h, with the rules.
#pragma once

#include <string>
#include <string_view>

#include "core/plan/names.h"

namespace gitplan {

// 8 hex digits of the title's XXH3, for titles that have no slug.
std::string title_hash(std::string_view title);

}  // namespace gitplan
