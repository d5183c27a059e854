// One fault or remark about an input or an installation, for people and for JSON.
//
// The plan-file parser, the validator and `doctor` make them; all faults of one input are reported
// at once, in the order of the file.
#pragma once

#include <string>
#include <vector>

namespace gitplan {

enum class Severity { kError, kWarning, kNote };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;     // stable, for scripts: "unknown-dependency"
  std::string message;  // what is wrong, with the value that was seen
  std::string file;     // "plan.md", or what the user named; empty: not about a file
  int line = 0;         // 1-based; 0: the whole file
  int column = 0;       // 1-based, in bytes
  std::string target;   // the key or thing, as "orchestration.tasks[2].depends_on"; may be empty
  std::string fix;      // what would be right; may be empty
};

// "plan.md:12:5: error: … (…)", the form that editors jump to.
std::string to_string(const Diagnostic& diagnostic);

inline bool has_error(const std::vector<Diagnostic>& all) {
  for (const auto& d : all)
    if (d.severity == Severity::kError) return true;
  return false;
}

}  // namespace gitplan
