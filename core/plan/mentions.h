// Where the text of a plan names its references, byte by byte, and the same text with others there.
//
// For whoever shows where a reference stands, or writes another path there: nothing but these bytes
// changes. What counts as a reference is references.h's to say. Pure, and nothing of it is on disk.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/plan/references.h"

namespace gitplan {

struct Mention {
  Reference reference;     // its position is that of the path where `length` > 0, else of the key
  std::size_t at = 0;      // the byte in the text of path and lines
  std::size_t length = 0;  // 0: written in a form in which it can only be changed in an editor
  bool yaml = false;       // an item of a task's `files`, with its quotes
  bool in_flow = false;    // of such an item: within brackets
};

// Every mention in the order of the text. `text` is what `plan` was read from.
std::vector<Mention> mentions_of(std::string_view text, const Plan& plan, const PathExists& exists);

struct Replacement {
  std::size_t mention = 0;  // its index
  std::string path;
  int first_line = 0, last_line = 0;  // 0: without lines
};

// The text with other paths and lines. An error (kInvalid) where a mention cannot be changed by
// itself, or where the text would then name anything else than what was asked for.
Result<std::string> replace_mentions(std::string_view text, const std::vector<Mention>& mentions,
                                     const std::vector<Replacement>& replacements);

}  // namespace gitplan
