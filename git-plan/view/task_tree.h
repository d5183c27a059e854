// A plan's tasks drawn as a graph, each once, below the dependency that it waits longest for.
//
// `list --tree` prints it. Lines are Unicode where the locale is, else ASCII.
#pragma once

#include <string>

#include "core/ledger/ledger.h"
#include "core/plan/definition.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

std::string task_tree(const Output& out, const Plan& plan, const Ledger& ledger);

}  // namespace gitplan
