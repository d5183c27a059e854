// The state of a working tree, remembered for as long as nothing in it changes: a task that changes
// nothing needs no staging.
//
// An executor keeps one over a run; begin_in_place() and collect_in_place() ask it. Several threads
// may. Nothing is on disk.
//
// Whether something has changed is told by stat data, as git tells it: of every file in the tree,
// ignored or not, of its index, and of the repository's settings and patterns. What is younger than
// kRacy could be changed again without a sign of it in a coarse clock, so a tree with such a file
// is not remembered; nor is one with a repository inside it, whose HEAD lies elsewhere, or with
// more than kMost entries, where looking at all of them costs what staging costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "refs/fork/staging.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

// Of all that decides what staging makes of a tree: two that are equal mean the same state.
struct TreeStamp {
  std::string digest;  // 32 hex
  bool racy = false;   // something was changed less than kRacy before
  bool operator==(const TreeStamp&) const = default;
};
constexpr std::int64_t kRacy = 2'000'000'000;  // nanoseconds; the coarsest file times are of 2 s
constexpr std::size_t kMost = 50'000;

// Nothing: it cannot be told by a stamp whether this tree changes. `now`: nanoseconds since 1970.
std::optional<TreeStamp> stamp_of(const Repository& repository, const Worktree& tree,
                                  std::int64_t now);

class TreeMemo {
 public:
  using Clock = std::int64_t (*)();  // nanoseconds since 1970
  explicit TreeMemo(Clock clock = system_clock) : clock_(clock) {}
  // Everything in the tree, whatever its index says, on top of the commit `head`; nothing of the
  // user's is changed. `aside`: path of a temporary index.
  Result<Staged> state(const Repository& repository, const Worktree& tree, const std::string& head,
                       const std::string& aside);

 private:
  static std::int64_t system_clock();
  struct Known {
    std::string path, head;
    TreeStamp stamp;
    Staged staged;
  };
  const Clock clock_;
  std::mutex mutex_;
  std::optional<Known> known_;
};

}  // namespace gitplan
