// An index or a work tree as a tree object, so that it is the last step of a history.
//
// Only trace.cc calls this. The objects lie in a temporary directory and go with it; the user's
// index stays as it is, and git alone says what changed (filters, line ends, sparse checkouts).
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/history/trace.h"
#include "refs/wave/quarantine.h"

namespace gitplan::history {

class LookedAt {
 public:
  static Result<LookedAt> make(const Repository& repository, const TraceTarget& target);

  // Which has the objects.
  const Repository& repository() const { return objects_.inside(); }
  // The id of a tree. `untracked`: with files that are not in the index.
  Result<std::string> tree(bool untracked) const;

 private:
  LookedAt(const Repository& outside, const TraceTarget& target, Quarantine objects)
      : outside_(outside), target_(target), objects_(std::move(objects)) {}

  Result<Outcome> call(const std::string& index, std::vector<std::string> words,
                       const std::string& input = {}) const;
  Status settle(const std::string& index) const;

  const Repository& outside_;
  const TraceTarget& target_;
  Quarantine objects_;
};

}  // namespace gitplan::history
