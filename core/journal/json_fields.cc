#include "core/journal/json_fields.h"

namespace gitplan {

bool nests_deeper(std::string_view text, int depth) {
  int level = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++level > depth) return true;
    } else if (c == '}' || c == ']') {
      --level;
    }
  }
  return false;
}

}  // namespace gitplan
