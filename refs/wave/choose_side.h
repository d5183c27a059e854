// A merge in conflict finished in favour of one side, as a decision said.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"
#include "refs/wave/merge_tree.h"

namespace gitplan {

using TakesTheirs = std::function<bool(const std::string& path)>;

// Where lines meet, those of the side win; of binary, renamed and deleted files the whole side.
// `ours` and `theirs` are tree ids; `take_theirs` says which side, by path. Nothing: it cannot be
// said so (a directory in the way of a file).
Result<std::optional<std::string>> resolve_for_side(const Repository& repository,
                                                    const MergeOutcome& outcome,
                                                    const std::string& ours,
                                                    const std::string& theirs,
                                                    const TakesTheirs& take_theirs);

}  // namespace gitplan
