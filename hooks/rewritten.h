// After an amend or a rebase: which commits of waves are others now.
//
// post-rewrite calls it. Each is one event, wave_rewritten, in its plan's journal: a task stays
// completed where the commit of its wave was rebased.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "hooks/quick/watch.h"
#include "refs/store/store.h"

namespace gitplan {

// Lines "old SP new" of post-rewrite's input, in their order.
std::vector<std::pair<std::string, std::string>> rewritten_commits(std::string_view input);

// How many were recorded. A plan that cannot be written is passed over.
Result<int> record_rewritten(Store& store, const Watch& watch,
                             const std::vector<std::pair<std::string, std::string>>& commits);

}  // namespace gitplan
