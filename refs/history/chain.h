// The way through the history from one commit to a later one: a commit after the other, each a
// child of the one before.
//
// Only .cc files of refs/history include this. The walk is our own, as libgit2's fails where a
// shallow clone ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refs/git/libgit2.h"

namespace gitplan::history {

struct Chain {
  // From the commit after the start to the target; empty: they are the same.
  struct Step {
    git_oid commit{};
    git_oid before{};             // the parent that the chain comes from
    std::vector<git_oid> others;  // of a merge
  };
  std::vector<Step> steps;
  git_oid start{};  // `from`, or the merge base where that is no ancestor of the target
};

struct Ancestry {
  std::optional<Chain> chain;  // nothing: they have nothing in common that is here
  bool target_is_here = true;
  std::vector<git_oid> lost_at;  // commits a parent of which is not here
};

Ancestry find_chain(git_repository* repository, const git_oid& from, const git_oid& target);
std::optional<git_oid> merge_base(git_repository* repository, const git_oid& one,
                                  const git_oid& other);

}  // namespace gitplan::history
