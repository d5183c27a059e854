// What a definition must satisfy beyond its own text: ids, other plans, the repository.
//
// `create`, `edit`, `update` and `undo` pass every text through check_definition() before anything
// is written.
#pragma once

#include <string>
#include <vector>

#include "core/plan/definition.h"
#include "git-plan/command/context.h"

namespace gitplan {

// The plan that `waits_for` names exists or will, has the tasks that are named, and does not wait
// for this one in turn (the cycle is printed as a path). Adds a warning for a plan that is not
// here.
Status check_waits_for(const Store& store, const Plan& plan, std::string_view id,
                       std::string_view file, std::vector<Diagnostic>& warnings);

// One warning for each other active plan whose scope this one can touch.
Result<std::vector<Diagnostic>> overlaps(Context& context, const Plan& plan, std::string_view id,
                                         std::string_view file);

struct CheckedDefinition {
  std::string text;
  Plan plan;
  std::vector<Diagnostic> warnings;
};

// A new text of the plan `id`: parsed, and all that is said above but overlaps. An `id` in its
// front matter that differs is an error.
Result<CheckedDefinition> check_definition(const Store& store, std::string text,
                                           std::string_view file, std::string_view id);

// Warnings on standard error, one a line.
void print_warnings(Output& out, const std::vector<Diagnostic>& warnings);

}  // namespace gitplan
