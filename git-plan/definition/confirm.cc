#include "git-plan/definition/confirm.h"

#include "git-plan/definition/rewrite.h"
#include "git-plan/terminal/prompt.h"

namespace gitplan {

Result<EditMode> edit_mode(Context& context, bool yes) {
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const std::string word, settings->text("plan.editMode"));
  if (yes || word == "apply") return EditMode::kApply;
  if (!context.interactive())
    return error(ErrorCode::kInvalid,
                 "plan.editMode is '" + word + "', and there is no terminal to ask on",
                 "'--yes' applies the change without asking");
  return word == "iterate" ? EditMode::kIterate : EditMode::kConfirm;
}

Result<Answer> confirm_text(Context& context, EditMode mode, std::string_view before,
                            std::string_view after, bool again) {
  if (mode == EditMode::kApply) return Answer::kApply;
  GITPLAN_TRY_ASSIGN(const std::string difference, text_difference(context, before, after));
  Output& out = context.out();
  out.print(printable_colored(difference));
  GITPLAN_TRY_ASSIGN(const bool yes, ask_yes_no(out, "Apply this change?", true));
  if (yes) return Answer::kApply;
  if (mode != EditMode::kIterate || !again) return Answer::kDiscard;
  GITPLAN_TRY_ASSIGN(const bool more, ask_yes_no(out, "Edit again?", true));
  return more ? Answer::kAgain : Answer::kDiscard;
}

}  // namespace gitplan
