// Questions on a terminal, in the manner of `git add -p`: "(1/2) Retry? [r,l,e,s,a,?]".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

// A yes/no question on the terminal; end of input counts as no.
Result<bool> ask_yes_no(Output& out, std::string_view question, bool yes_is_default);

struct Choice {
  std::string key;   // of the option
  std::string text;  // free text, where the option takes some
  int minutes = 0;
};
// Shows the options with one letter each ("?" explains), reads one. Nothing: end of input, "q"
// (later), or `give_up`, where one is given, became readable.
std::optional<Choice> ask_decision(Output& out, const DecisionAsked& decision, int give_up = -1);

// The user's editor (git var GIT_EDITOR) on a text; nothing: left unchanged or emptied.
Result<std::optional<std::string>> edit_text(const class Git& git, std::string_view text,
                                             std::string_view file_name);

}  // namespace gitplan
