// Plans from a remote: fetched beside ours, looked at commit by commit, and taken in.
//
// `git plan pull` and push_plans() call this; nothing here asks or prints. What is taken, and what
// becomes of two plans that have one name: refs/sync/FORMAT.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "refs/store/store.h"
#include "refs/sync/remote.h"

namespace gitplan {

struct PulledPlan {
  enum class What { kNothing, kNew, kForward, kUnited, kPurged, kRefused };
  std::string id;     // here
  std::string there;  // at the remote, where that is another
  What what = What::kNothing;
  std::string why;  // of kRefused; of a purge that nobody has agreed to, too
  std::string hint;
  std::string renamed;       // what the plan here that had this name is called now
  bool awaits_word = false;  // a purge that nobody has agreed to
};

struct Pulled {
  std::vector<PulledPlan> plans;  // those that something is to be said of, by name
  std::size_t same = 0;           // the others
  bool new_actor = false;         // an older state of this clone was put back
};

struct PullOptions {
  std::vector<std::string> plans;  // by id, there or here; empty: all
  // Whether the copy of a plan that was purged elsewhere shall go here, too.
  std::function<Result<bool>(const std::string& id)> agree_to_purge;
};

// After fetch_refs(). What cannot be taken is in the result, and hides nothing else.
Result<Pulled> take_seen(Repository& repository, Store& store, const Remote& remote,
                         const PullOptions& options);

Result<Pulled> pull_plans(Repository& repository, Store& store, const Remote& remote,
                          const PullOptions& options);

}  // namespace gitplan
