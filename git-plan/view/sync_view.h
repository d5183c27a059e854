// What pull, push and fetch say of plans, in the manner of git fetch and git push: a line a plan,
// on standard output; what to do on standard error.
#pragma once

#include <string>
#include <vector>

#include "git-plan/command/context.h"
#include "refs/sync/push.h"

namespace gitplan {

// Names as the user gave them; a purge is asked about on a terminal, agreed to with `yes`.
PullOptions pull_options(Context& context, std::vector<std::string> plans, bool yes);

// These return the exit status: 6 where a definition does not merge, 1 where something was refused,
// 4 where a purge awaits a word.
Result<int> show_pulled(Context& context, const Remote& remote, const Pulled& pulled);
Result<int> show_pushed(Context& context, const Remote& remote, const Pushed& pushed);
// What was seen at the remote and is not here.
Result<int> show_seen(Context& context, const Remote& remote);

}  // namespace gitplan
