// A merge that a person resolves in a tree of its own (Forks::hand_tree).
//
// The decision `hand` prepares it, `hand --done` takes it; the commit then is MergeChoice::commit,
// or Land::choice.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// Stands the tree at `ours` in the middle of merging `theirs`: conflict marks in the files,
// MERGE_HEAD set. A tree that is already there, or where the person has committed the merge, is
// left alone.
Status prepare_conflict(const Repository& repository, const std::string& tree,
                        const std::string& ours, const std::string& theirs);

// The commit of the resolved merge, made here where the person has not done so. kDecision with the
// names of the files where something is not resolved. Can be repeated. The caller keeps the commit
// alive.
Result<std::string> take_hand(const Repository& repository, const std::string& tree,
                              const std::string& message);

}  // namespace gitplan
