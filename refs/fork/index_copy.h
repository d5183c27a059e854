// A copy of a tree's index file, for Staging and for putting an index back.
//
// Where a file is as young as the index itself, git looks at its content, whatever its stat data
// says: within one second a file can change and look the same. So the time of an index is part of
// what it says, and a copy has to have it (git's Documentation/technical/racy-git.txt).
#pragma once

#include <string>

#include "core/base/error.h"

namespace gitplan {

// Overwrites `to`. What fails may leave an incomplete file there.
Status copy_index(const std::string& from, const std::string& to);

}  // namespace gitplan
