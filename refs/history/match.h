// Which of the paths that appeared in a step holds what another path held before it.
//
// Only .cc files of refs/history include this.
#pragma once

#include <string>
#include <vector>

#include "refs/history/contents.h"
#include "refs/history/trace.h"
#include "refs/history/trees.h"

namespace gitplan::history {

constexpr int kMoved = 48;  // percent of common text from which a path counts as moved
constexpr int kPart = 25;   // and from which it is named as a part of a content

struct Match {
  int to = -1;  // in `appeared`; -1: none
  int similarity = 0;
  bool certain = false;
  std::vector<OtherPlace> others;  // without that one, best first
};

// `lost`: what is looked for. `rivals`: other paths that vanished, to which an appeared path may
// belong just as well. All are compared, exact ids first; no limit ends the search.
std::vector<Match> match(Contents& contents, const std::vector<PlacedItem>& lost,
                         const std::vector<PlacedItem>& rivals,
                         const std::vector<PlacedItem>& appeared);

}  // namespace gitplan::history
