// What of ours nobody needs any more: trees, branches, keep-alive refs, old logs. `gc` and `doctor`
// ask.
#pragma once

#include <string>
#include <vector>

#include "git-plan/command/context.h"

namespace gitplan {

struct Garbage {
  std::string what, why;
  // It was not removed: it holds changes that are in no commit, or may be wanted.
  bool left = false;
};

// Never the only copy of anything but logs older than plan.gcAge. `remove` false: only said.
Result<std::vector<Garbage>> collect_garbage(Context& context, bool remove);

}  // namespace gitplan
