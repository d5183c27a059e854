#include "core/plan/plan_text.h"

namespace gitplan {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlank = " \t\r\n";

struct Line {
  std::string_view text;  // with its line end
  std::size_t at = 0;
};

Line line_at(std::string_view text, std::size_t at) {
  const auto end = text.find('\n', at);
  return {text.substr(at, end == std::string_view::npos ? end : end + 1 - at), at};
}

bool is_delimiter(std::string_view line) {
  return line.substr(0, 3) == "---" &&
         line.substr(3).find_first_not_of(kBlank) == std::string_view::npos;
}

}  // namespace

PlanText split_plan(std::string_view text) {
  PlanText parts;
  std::size_t at = text.substr(0, 3) == kByteOrderMark ? 3 : 0;
  const auto first_end = text.find('\n', at);
  if (first_end != std::string_view::npos && first_end > at && text[first_end - 1] == '\r')
    parts.line_end = "\r\n";
  parts.body = text.substr(at);
  parts.body_at = at;

  int number = 1;
  Line line = line_at(text, at);
  while (!line.text.empty() && line.text.find_first_not_of(kBlank) == std::string_view::npos) {
    line = line_at(text, line.at + line.text.size());
    ++number;
  }
  if (!is_delimiter(line.text)) return parts;

  parts.has_front_matter = true;
  parts.closed = false;
  parts.yaml_at = line.at + line.text.size();
  parts.yaml_line = number + 1;
  for (at = parts.yaml_at; at < text.size(); at = line.at + line.text.size()) {
    line = line_at(text, at);
    ++number;
    if (!is_delimiter(line.text)) continue;
    parts.closed = true;
    parts.yaml = text.substr(parts.yaml_at, line.at - parts.yaml_at);
    parts.body_at = line.at + line.text.size();
    parts.body = text.substr(parts.body_at);
    parts.body_line = number + 1;
    return parts;
  }
  parts.yaml = text.substr(parts.yaml_at);
  parts.body = {};
  parts.body_at = text.size();
  return parts;
}

}  // namespace gitplan
