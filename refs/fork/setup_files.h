// What `setup` changed in a fork's tree without being ignored: it is not the task's work.
//
// The executor notes it when `setup` has run; Staging (refs/fork/staging.h) leaves it out of the
// attempt's commit as long as it is as it was. On disk: <admin>/plan-setup, the changes as
// `git diff-tree --raw -z` says them, against the commit that the fork was made from.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/raw_changes.h"
#include "refs/git/repository.h"

namespace gitplan {

// Replaces what was noted before.
Status note_setup_files(const Repository& repository, const Worktree& fork);

// Empty: nothing was noted.
std::vector<RawChange> setup_files(const Worktree& fork);

}  // namespace gitplan
