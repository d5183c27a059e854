// The user's own checkout, as it looked at one moment: to notice what changes in it while a task
// runs elsewhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/git.h"

namespace gitplan {

// Path to what is known of its state: git's status letters, time and size.
using TreeSnapshot = std::map<std::string, std::string>;

// Empty in a bare repository. Does not refresh the index.
Result<TreeSnapshot> snapshot_of(const Git& git);

std::vector<std::string> changed_between(const TreeSnapshot& before, const TreeSnapshot& after);

}  // namespace gitplan
