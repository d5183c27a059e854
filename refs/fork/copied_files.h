// Ignored files that forks need, such as .env: copied from the user's work tree into a fork's.
//
// The executor calls it when a fork was made. Which files: those that the plan's `copy` names, and
// those that .worktreeinclude (patterns as in .gitignore) names, as far as git ignores them and
// does not track them. On disk: <admin>/plan-copied, the paths that were copied, each with a NUL:
// what stands there never enters a commit of ours (refs/fork/staging.h).
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

// `patterns`: git pathspecs from the root of the work tree. Returns the paths, sorted. A file that
// the fork has already is replaced; one below a link is an error.
Result<std::vector<std::string>> copy_ignored_files(const Repository& repository,
                                                    const Worktree& fork,
                                                    const std::vector<std::string>& patterns);

// What was copied into this tree; empty: nothing.
std::vector<std::string> copied_files(const Worktree& fork);

}  // namespace gitplan
