// plan.editMode: what happens between a new text and its being written.
//
// apply: nothing. confirm: the difference is shown and asked about; without a terminal `--yes` is
// the answer. iterate: the same, and the text can be edited again.
#pragma once

#include <string>
#include <string_view>

#include "git-plan/command/context.h"

namespace gitplan {

enum class EditMode { kApply, kConfirm, kIterate };
enum class Answer { kApply, kAgain, kDiscard };

// kInvalid where the mode asks and nobody can answer: said before anybody has typed a text.
Result<EditMode> edit_mode(Context& context, bool yes);

// `again`: whether a text can be edited again (`edit`), or only taken or not (`update`).
Result<Answer> confirm_text(Context& context, EditMode mode, std::string_view before,
                            std::string_view after, bool again);

}  // namespace gitplan
