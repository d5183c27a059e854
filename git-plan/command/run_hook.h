// What a hook of ours does, once there is something to do: `git plan hooks run <hook> <arguments>`.
//
// git-plan-hook (hooks/program) calls it, and so do the hooks of others that somebody joined it to.
#pragma once

#include <string>
#include <vector>

#include "git-plan/command/context.h"

namespace gitplan {

// Where git-plan-hook is installed: what an installation records.
std::string hook_program(const Context& context);

// The hook's name and git's arguments. Advisory hooks end with 0 whatever happens.
Result<int> run_hook(Context& context, const std::vector<std::string>& words);

}  // namespace gitplan
