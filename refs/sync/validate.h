// Whether the commits of a plan that came from elsewhere may be taken: each of them looked at,
// before any ref of ours moves.
//
// Pull asks this of all that it fetched, fast-forwards too. What must hold is in
// refs/sync/FORMAT.md, "What is taken".
#pragma once

#include <string_view>

#include "refs/store/plan_tree.h"

namespace gitplan {

// `theirs` with all before it that `known` (our tip; null: we have nothing of the plan) has not.
// kInvalid: the message names the commit and what is wrong with it.
Status validate_arrival(const Repository& repository, std::string_view identity,
                        const git_oid* known, const git_oid& theirs);

}  // namespace gitplan
