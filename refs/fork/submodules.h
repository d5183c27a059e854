// Submodules of a fork: those that the user has initialised are there in each fork as well.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

// Checks them out at the commits that the fork's HEAD names, from the user's own clones of them.
// Nested ones come from where they belong: only for those the network is asked.
Status check_out_submodules(const Repository& repository, const Worktree& fork);

// Makes sure that a submodule's commit outlives the fork: in the user's clone of the submodule,
// kept by refs/plan-keep/<commit> there. False where the user has none, or it cannot be written.
bool keep_submodule_commit(const Repository& repository, const Worktree& fork,
                           const std::string& path, const std::string& commit);

}  // namespace gitplan
