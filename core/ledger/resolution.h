// What the answer to a decision does to the ledger. Part of the fold; the answers are those that
// core/engine/questions.h offers.
#pragma once

#include "core/ledger/ledger.h"

namespace gitplan {

// "keep:parser" -> {"keep", "parser"}; "retry" -> {"retry", ""}.
struct OptionKey {
  std::string verb, argument;
};
OptionKey split_option(std::string_view option);

// Applies the resolved decision (its option, text and minutes are set). Total: what cannot be
// applied changes nothing.
void apply_resolution(Ledger& ledger, const Decision& decision);

}  // namespace gitplan
