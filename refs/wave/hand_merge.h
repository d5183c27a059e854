// A merge that a person resolves in a tree of its own (Forks::hand_tree).
//
// The decision `hand` prepares it, `hand --done` takes it; the commit then is MergeChoice::commit,
// or Land::choice.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// Stands the tree at `ours` in the middle of merging `theirs`: conflict marks in the files,
// MERGE_HEAD set. A tree that is already there, or where the person has committed the merge, is
// left alone.
Status prepare_conflict(const Repository& repository, const std::string& tree,
                        const std::string& ours, const std::string& theirs);

// The commit of the resolved merge, made here where the person has not done so. kDecision with the
// names of the files where something is not resolved: marks are left, or one side deleted what the
// other changed and nobody has chosen by `git add` or `git rm`. Can be repeated. The caller keeps
// the commit alive.
//
// kWork: the commit is merged into a wave, which is committed later. kFinal: it lands as it is, so
// it is made by `git commit`, with the user's hooks and signature.
enum class HandCommit { kWork, kFinal };
Result<std::string> take_hand(const Repository& repository, const std::string& tree,
                              const std::string& message, HandCommit kind = HandCommit::kWork);

// Files of the tree that are in conflict.
Result<std::vector<std::string>> conflicts_in(const Repository& repository,
                                              const std::string& tree);

}  // namespace gitplan
