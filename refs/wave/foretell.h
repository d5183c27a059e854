// Which branches will not merge with each other, told while they grow.
//
// The executor asks now and then, between two waves. Only pairs that changed the same paths are
// merged, on trial, and nothing of that stays in the repository.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "refs/git/repository.h"

namespace gitplan {

struct GrowingBranch {
  std::string task;
  std::string base, commit;  // where it started, how far it is
};

struct ForetoldConflict {
  std::string one, other;  // tasks
  std::vector<Conflict> conflicts;
};

// `directory`: of the caller's own, for the objects of the trials, made where it is not there. What
// a killed process left in it is the caller's to remove.
Result<std::vector<ForetoldConflict>> foretell(const Repository& repository,
                                               const std::vector<GrowingBranch>& branches,
                                               const std::string& directory);

}  // namespace gitplan
