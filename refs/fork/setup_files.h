// What `setup` changed in a fork's tree without being ignored: it is not the task's work.
//
// The executor notes it when `setup` has run; Staging (refs/fork/staging.h) leaves it out of the
// attempt's commit as long as it is as it was. On disk: <admin>/plan-setup, the changes as
// `git diff-tree --raw -z` says them, against the commit that the fork was made from.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct RawChange {
  std::string what;  // modes, ids and status: ":100644 100644 <id> <id> M"
  std::string path;
  auto operator<=>(const RawChange&) const = default;
};
// Of what `git diff-… --raw -z --no-renames --no-abbrev` printed.
std::vector<RawChange> raw_changes(const std::string& printed);

// Replaces what was noted before.
Status note_setup_files(const Repository& repository, const Worktree& fork);

// Empty: nothing was noted.
std::vector<RawChange> setup_files(const Worktree& fork);

}  // namespace gitplan
