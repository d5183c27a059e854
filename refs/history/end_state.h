// A look at the two ends of a history alone, for what following it step by step lost.
//
// Only trace.cc calls this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refs/history/follow.h"

namespace gitplan::history {

// What was noted: content, and the lines of it.
struct Origin {
  std::optional<Item> item;  // nothing: it was not there
  int first = 0, last = 0;
};

struct Ends {
  std::optional<git_oid> from;  // trees; nothing: not here
  git_oid target{};
};

// `tracks` were followed through `steps`. Those that are gone, or hold less than half of what was
// noted, are looked for anew. `noted`: their paths at first.
void look_at_ends(Trees& trees, Contents& contents, const Ends& ends,
                  const std::vector<Step>& steps, const std::vector<std::string>& noted,
                  const std::vector<Origin>& origins, std::vector<Track>& tracks);

}  // namespace gitplan::history
