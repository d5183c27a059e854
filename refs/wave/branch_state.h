// Who has a branch, and why it cannot be moved just now.
//
// Landing asks before it touches anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

// The worktrees that have the branch checked out. Usually one or none; `--force` allows more.
Result<std::vector<Worktree>> holders_of(const Repository& repository, const std::string& branch);

// Somebody is in the middle of something with it: a sentence for the user. Nothing: go on.
Result<std::optional<std::string>> reason_to_wait(const Repository& repository,
                                                  const std::string& branch);

}  // namespace gitplan
