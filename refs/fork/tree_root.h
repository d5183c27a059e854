// Where the worktrees of forks lie, and under which names.
//
// plan.worktreeRoot, else `<repository>.plan` beside it; where that cannot be written or lies in
// another work tree: <common>/git-plan/trees. Names are numbers: paths stay short.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"

namespace gitplan {

// Made where it is missing. An error only where the configured one cannot be used.
Result<std::string> tree_root(const Repository& repository, const Settings& settings);

// Whether the configured one can be used, without making it.
Status check_tree_root(const Repository& repository, const Settings& settings);

// <root>/<n><suffix> with the smallest number that nothing on disk and no registered worktree has.
Result<std::string> free_tree_path(const Repository& repository, const std::string& root,
                                   std::string_view suffix = {});

// Removes the root where it is empty.
void drop_empty_root(const std::string& tree_path);

}  // namespace gitplan
