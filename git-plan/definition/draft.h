// A plan's text in the user's editor, never lost: it lies in a file of its own until it was taken.
//
// `create` and `edit` call this. On disk: <common>/git-plan/edit/<name>.md.
#pragma once

#include <string>
#include <string_view>

#include "git-plan/command/context.h"

namespace gitplan {

// Shown below a line that cuts off all that follows it, as `git commit` does.
extern const std::string_view kNewPlanHelp;
extern const std::string_view kEditPlanHelp;

struct Draft {
  std::string text;  // without the help
  std::string path;
  bool changed = false;
};

// Opens the editor on `text`, with `help` below it.
Result<Draft> edit_draft(Context& context, std::string_view name, std::string_view text,
                         std::string_view help);

// The error, with the place where the text lies as its hint. The file gets the text.
Error keep_draft(const std::string& path, std::string_view text, Error error);
void drop_draft(const std::string& path);

}  // namespace gitplan
