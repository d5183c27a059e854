#include "core/base/diagnostic.h"

namespace gitplan {

std::string to_string(const Diagnostic& d) {
  std::string text;
  if (!d.file.empty()) {
    text = d.file;
    if (d.line > 0) text += ":" + std::to_string(d.line);
    if (d.line > 0 && d.column > 0) text += ":" + std::to_string(d.column);
    text += ": ";
  }
  switch (d.severity) {
    case Severity::kError: text += "error: "; break;
    case Severity::kWarning: text += "warning: "; break;
    case Severity::kNote: text += "note: "; break;
  }
  text += d.message;
  if (!d.fix.empty()) text += " (" + d.fix + ")";
  return text;
}

}  // namespace gitplan
