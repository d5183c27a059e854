// What a merge will very likely give, found in process.
//
// `git merge-tree --stdin` answers only at its end, yet each merge of a wave starts from the one
// before. So the results are predicted, one git process merges the whole chain, and a wrong
// prediction only costs another process: what counts is always what git said.
#pragma once

#include <optional>
#include <string>

#include "refs/git/repository.h"

namespace gitplan {

// Tree ids in, tree id out. Nothing: a conflict, a rename, or something else that only git can
// tell.
std::optional<std::string> predict_merge(const Repository& repository, const std::string& base,
                                         const std::string& ours, const std::string& theirs);

}  // namespace gitplan
