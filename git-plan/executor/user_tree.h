// The user's own checkout, as it looked at one moment: to notice what changes in it while a task
// runs elsewhere. With git's configuration and hooks, which an agent could leave its own in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// Path to what is known of its state: git's status letters, time and size; ".git/config" to its
// text, ".git/hooks/…" to time and size.
using TreeSnapshot = std::map<std::string, std::string>;

// Empty in a bare repository. Does not refresh the index.
Result<TreeSnapshot> snapshot_of(const Repository& repository);

std::vector<std::string> changed_between(const TreeSnapshot& before, const TreeSnapshot& after);

}  // namespace gitplan
