// What a plan's references are in a commit: the ids of their content.
//
// `create` and every change of a definition take one; `check` compares them with what is there
// later. Stored as a snapshot_taken event (core/journal/FORMAT.md).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "core/plan/definition.h"
#include "refs/git/repository.h"
#include "refs/store/store.h"

namespace gitplan {

// Whether a path is in HEAD's tree; each path is looked up once. An unborn HEAD has none.
std::function<bool(std::string_view)> exists_at_head(const Repository& repository);

// Commit and content ids of every reference of the plan, as HEAD has them; "" for a path that is
// not there. A folder has the id of its tree.
//
// `before`: the plan as it was. What of it is still named and would look right only because it is
// noted anew keeps what was noted (`since`): a path that HEAD has no more, lines that stand in the
// plan as before while their file has changed, and what `unsettled` names.
Result<SnapshotTaken> take_snapshot(const Repository& repository, const Plan& plan,
                                    const PlanView* before = nullptr,
                                    const std::set<std::string>& unsettled = {});

}  // namespace gitplan
