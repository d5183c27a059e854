// Follows paths through a history step by step.
//
// Only .cc files of refs/history include this: trace.cc, and at a merge follow.cc itself for the
// side that the chain does not come from.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "refs/history/chain.h"
#include "refs/history/contents.h"
#include "refs/history/trace.h"
#include "refs/history/trees.h"

namespace gitplan::history {

struct Step {
  git_oid before{}, after{};      // trees
  std::optional<git_oid> commit;  // nothing: to an index or a work tree, or back to a merge base
  std::optional<git_oid> parent;
  std::vector<git_oid> others;  // the other parents of a merge
};

struct Track {
  std::string path;
  std::optional<Item> item;  // nothing: it is not there
  bool gone = false;         // it was there
  int first = 0, last = 0;   // lines; 0: none
  bool lines_gone = false;
  bool certain = true;
  std::vector<OtherPlace> others;
  std::optional<git_oid> by, changed_by;  // moved, deleted or made it; changed it
  // The paths that it had: from which step on.
  std::vector<std::pair<std::size_t, std::string>> paths;
};

// The lines of the track, which are those of `was`, are where `is` has them afterwards.
void carry_lines(Contents& contents, const Item& was, const Item& is, Track& track);

// A commit of which a tree is not here is left out; false: there was one.
bool follow(Trees& trees, Contents& contents, const std::vector<Step>& steps,
            std::vector<Track>& tracks, int depth = 0);

std::vector<Step> steps_of(Trees& trees, const Chain& chain);

}  // namespace gitplan::history
