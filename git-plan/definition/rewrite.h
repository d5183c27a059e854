// A change of a plan's definition, from the new text to the events. `edit`, `update` and `undo`
// call this.
//
// The text is checked as by `create`; tasks that run or are done stay as they are; `## Outcome` is
// written once. A text that changes nothing writes nothing.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "git-plan/command/context.h"
#include "git-plan/definition/check.h"

namespace gitplan {

struct Rewrite {
  // The new text of the plan as it is now: called again where a faster writer came first.
  std::function<Result<std::string>(const PlanView&)> text;
  std::string reason;            // "edit", "update", "undo", "fix"
  std::string file = "plan.md";  // the name that diagnostics carry
  bool force = false;            // `## Outcome` may change
  bool read_whole = false;       // a person had the whole text in front of them: it is trusted here
  bool note_anew = false;        // what it refers to, also where the text stays as it is
  std::set<std::string> unsettled;  // as of take_snapshot()
};

struct Rewritten {
  PlanView view;
  std::vector<Diagnostic> warnings;
  bool changed = false;
};

// Everything that can be said against the text, without writing.
Result<CheckedDefinition> check_rewrite(const Store& store, const PlanView& view, std::string text,
                                        std::string_view file, bool force);

Result<Rewritten> rewrite(Context& context, std::string_view id, const Rewrite& change);

// The difference of two texts as git shows it, coloured where our output is.
Result<std::string> text_difference(Context& context, std::string_view before,
                                    std::string_view after);

}  // namespace gitplan
