#include "core/plan/input_guard.h"

#include <algorithm>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

// No plan nests so far; yaml-cpp would queue every bracket that follows before it reports the
// first. Brackets in texts count as well, so the limits are far beyond what texts have.
constexpr int kMaxOpenInLine = 1000;
constexpr int kMaxOpen = 10000;

Diagnostic fault_at(std::string_view text, std::size_t offset, int first_line, std::string code,
                    std::string message, std::string fix) {
  const auto before = text.substr(0, offset);
  const auto line_start = before.rfind('\n');
  Diagnostic d;
  d.code = std::move(code);
  d.message = std::move(message);
  d.fix = std::move(fix);
  d.line = first_line + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  d.column =
      static_cast<int>(line_start == std::string_view::npos ? offset + 1 : offset - line_start);
  return d;
}

std::string hex_byte(unsigned char byte) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  return {'0', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

int utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const int length = first >= 0xC2 && first <= 0xDF   ? 2
                     : (first & 0xF0) == 0xE0         ? 3
                     : first >= 0xF0 && first <= 0xF4 ? 4
                                                      : 0;
  for (int i = 1; i < length; ++i)
    if (!is_continuation(text, static_cast<std::size_t>(i))) return 0;
  if (length < 3) return length;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

std::vector<Diagnostic> check_bytes(std::string_view text) {
  std::vector<Diagnostic> found;
  if (text.size() > kMaxPlanBytes) {  // where the first byte too many stands
    found.push_back(fault_at(text, kMaxPlanBytes, 1, "too-large",
                             "the plan has " + std::to_string(text.size()) + " bytes, more than " +
                                 std::to_string(kMaxPlanBytes),
                             "keep long material in files of the repository and refer to them"));
    return found;
  }
  const auto content = text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (content.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    found.push_back(fault_at(text, 0, 1, "empty-input", "the plan is empty",
                             "write a title ('# Title') and what is to be done"));
    return found;
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    found.push_back(fault_at(text, nul, 1, "nul-byte", "a NUL byte", "a plan is UTF-8 text"));
  for (std::size_t at = 0; at < text.size();) {
    const int length = utf8_length(text.substr(at));
    if (length == 0) {
      found.push_back(
          fault_at(text, at, 1, "invalid-utf8",
                   "the byte " + hex_byte(static_cast<unsigned char>(text[at])) + " is not UTF-8",
                   "save the file as UTF-8"));
      break;
    }
    at += static_cast<std::size_t>(length);
  }
  return found;
}

std::vector<Diagnostic> check_yaml_bytes(std::string_view yaml, int first_line) {
  std::vector<Diagnostic> found;
  bool control_said = false;
  int open_in_line = 0, open = 0;
  for (std::size_t at = 0; at < yaml.size(); ++at) {
    const auto c = static_cast<unsigned char>(yaml[at]);
    const int opens = c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    open_in_line = c == '\n' ? 0 : open_in_line + opens;
    open += opens;
    if (open_in_line > kMaxOpenInLine || open > kMaxOpen) {
      found.push_back(
          fault_at(yaml, at, first_line, "too-deep",
                   "lists and mappings are nested more than " + std::to_string(kMaxDepth) + " deep",
                   "a plan needs five levels"));
      break;
    }
    const bool lone_return = c == '\r' && (at + 1 >= yaml.size() || yaml[at + 1] != '\n');
    const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    if ((control || lone_return) && !control_said) {
      control_said = true;
      found.push_back(fault_at(yaml, at, first_line, "control-character",
                               lone_return ? "a carriage return that ends no line"
                                           : "the control character " + hex_byte(c),
                               "remove it, or write it as an escape in a double-quoted text"));
    }
  }
  return found;
}

}  // namespace gitplan
