// The text of a plan from a file or from standard input. `create`, `update` and `import` call this.
#pragma once

#include <string>

#include "core/base/error.h"

namespace gitplan {

struct InputText {
  std::string text;
  std::string name;  // for diagnostics: what the user wrote, or "standard input"
};

// "-" is standard input. A folder, what cannot be read and what is too large are kInvalid, with the
// name in the message; nothing beyond the largest plan is read.
Result<InputText> read_input(const std::string& file);

}  // namespace gitplan
