// Two trees of one plan as one: every file of either.
//
// store_merge.cc alone uses this. A path is written by one clone, named by its content, or rendered
// from the fold afterwards; so where both sides have a path and differ, one is older, and that one
// stands in a commit that both come from.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "refs/git/libgit2.h"

namespace gitplan {

// `bases`: the trees of the newest commits that both come from. Files that differ and are in no
// base as either side has them (two clones wrote the same path) are taken from the side whose blob
// id is greater, so that every clone takes the same. `made`: the trees that were written.
Result<git_oid> unite_trees(git_repository* repository, const std::vector<git_oid>& bases,
                            const git_oid& ours, const git_oid& theirs, std::vector<git_oid>& made);

}  // namespace gitplan
