// The short words that every view of a run uses: names of refs, states, times, places of merges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/branch_name.h"
#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "core/ledger/readiness.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

// The first 7 digits of an object id.
std::string short_id(std::string_view oid);
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");
// "1 task", "3 tasks".
std::string counted(std::size_t count, std::string_view noun);
// "merge conflict" for the kind merge_conflict.
std::string spoken(std::string_view key);
// The first line of a text, without a colon at its end.
std::string first_line(std::string_view text);
// "45-62 (parser), 120-135 (lexer)"; a side without lines is named alone.
std::string sides_text(const std::vector<Side>& sides);
// "src/a.cc: lines 45-62 (parser), 120-135 (lexer)".
std::string auto_merge_text(const AutoMerge& merge);
// How a run ended, for people.
std::string outcome_text(std::string_view outcome);
// "2.1 KB".
std::string size_text(std::size_t bytes);

// A task's status in one word, as `status` shows it: that of the ledger; and where that says less,
// its readiness: before it starts, in a conflict, or where its work is not in the base.
std::string status_word(TaskStatus status, Readiness readiness);
Style style_of(TaskStatus status, Readiness readiness);

Style style_of(PlanState state);
Style style_of(TaskStatus status);
Style style_of(Readiness readiness);

}  // namespace gitplan
