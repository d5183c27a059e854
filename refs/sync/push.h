// Plans to a remote: what is ahead, never forced; what is there and not here is pulled first.
// The one push that takes something away is that of a purge, to the place where the purged plan
// stands, if it still stands as it was seen.
//
// `git plan push`, the pre-push hook and `next --claim --remote` call this; nothing here asks or
// prints.
#pragma once

#include <string>
#include <vector>

#include "refs/sync/pull.h"

namespace gitplan {

struct PushedPlan {
  enum class What { kNew, kForward, kPurged, kKept, kBranch, kRefused };
  std::string id;     // of a keep-alive ref or a branch: its name
  std::string there;  // at the remote, where that is another
  What what = What::kForward;
  std::string why;  // of kRefused: git's or the server's words
};

struct Pushed {
  std::vector<PushedPlan> refs;  // but for those where nothing was to do
  std::size_t same = 0;
  Pulled pulled;  // what had to be taken first
};

struct PushOptions {
  std::vector<std::string> plans;  // by id; empty: all
  bool branches = false;           // plan/<id>/… go along
  bool atomic = false;             // all or nothing, where the server can
  PullOptions pull;
};

Result<Pushed> push_plans(Repository& repository, Store& store, const Remote& remote,
                          const PushOptions& options);

}  // namespace gitplan
