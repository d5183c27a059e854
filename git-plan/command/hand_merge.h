// A conflict solved by hand: a worktree with both sides merged as far as git can, and its result.
//
// `resolve … hand` opens it, `resolve … hand --done` takes it. What belongs to a decision is found
// here; the tree is refs/fork/forks.h's, the merge in it refs/wave/hand_merge.h's.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "git-plan/command/context.h"
#include "git-plan/view/plan_facts.h"

namespace gitplan {

struct HandMerge {
  std::string tree;                    // its path
  std::vector<std::string> conflicts;  // files that are still in conflict
  bool opened = true;                  // false: it was open already, and is left as it was
};

Result<HandMerge> open_hand_merge(Context& context, const PlanView& view, const PlanFacts& facts,
                                  const DecisionAsked& asked);

// Commits what was merged there, keeps it alive, and returns its id. The tree stays.
Result<std::string> finish_hand_merge(Context& context, const PlanView& view,
                                      const PlanFacts& facts, const DecisionAsked& asked);

// Removes the tree, once the answer is recorded.
Status close_hand_merge(Context& context, const PlanFacts& facts, const DecisionAsked& asked);

}  // namespace gitplan
