#include "core/plan/yaml_scan.h"

#include <algorithm>

namespace gitplan {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// A '#' starts a comment only after a blank or at the start of a line.
bool starts_comment(std::string_view yaml, std::size_t at) {
  return yaml[at] == '#' && (at == 0 || is_blank(yaml[at - 1]));
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

std::size_t line_start(std::string_view yaml, std::size_t at) {
  if (at == 0) return 0;
  const auto before = yaml.rfind('\n', at - 1);
  return before == kNone ? 0 : before + 1;
}

std::size_t line_end(std::string_view yaml, std::size_t at) {
  auto end = std::min(yaml.find('\n', at), yaml.size());
  if (end > at && end < yaml.size() && yaml[end - 1] == '\r') --end;
  return end;
}

std::size_t next_line(std::string_view yaml, std::size_t at) {
  const auto end = yaml.find('\n', at);
  return end == kNone ? yaml.size() : end + 1;
}

std::size_t skip_blanks(std::string_view yaml, std::size_t at) {
  while (at < yaml.size()) {
    if (is_blank(yaml[at]))
      ++at;
    else if (starts_comment(yaml, at))
      at = next_line(yaml, at);
    else
      break;
  }
  return at;
}

std::size_t skip_properties(std::string_view yaml, std::size_t at) {
  while (at < yaml.size() && (yaml[at] == '&' || yaml[at] == '!')) {
    while (at < yaml.size() && !is_blank(yaml[at])) ++at;
    at = skip_blanks(yaml, at);
  }
  return at;
}

std::size_t quoted_end(std::string_view yaml, std::size_t at) {
  const char quote = yaml[at];
  for (++at; at < yaml.size(); ++at) {
    if (quote == '"' && yaml[at] == '\\') {
      ++at;
    } else if (yaml[at] == quote) {
      if (quote == '"' || at + 1 >= yaml.size() || yaml[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return kNone;
}

std::size_t plain_end(std::string_view yaml, std::size_t at, std::size_t limit, bool in_flow) {
  std::size_t end = at;
  for (; at < limit; ++at) {
    const char c = yaml[at];
    if (is_blank(c)) continue;
    if (at > end && starts_comment(yaml, at)) break;
    if (in_flow) {
      const bool last = at + 1 >= limit;
      if (c == ',' || c == '[' || c == ']' || c == '{' || c == '}') break;
      if (c == ':' && (last || is_blank(yaml[at + 1]) || yaml[at + 1] == ',' ||
                       yaml[at + 1] == ']' || yaml[at + 1] == '}'))
        break;
    }
    end = at + 1;
  }
  return end;
}

std::size_t block_scalar_end(std::string_view yaml, std::size_t at, std::size_t limit,
                             int parent_column) {
  const std::string_view header = yaml.substr(at, line_end(yaml, at) - at);
  const bool keeps_blank_lines = header.substr(0, 3).find('+') != kNone;
  std::size_t end = at + header.size();
  if (const auto comment = header.find(" #"); comment != kNone) end = at + comment;
  for (std::size_t line = next_line(yaml, at); line < limit; line = next_line(yaml, line)) {
    const std::string_view text = yaml.substr(line, line_end(yaml, line) - line);
    const bool blank = text.find_first_not_of(" \t") == kNone;
    if (!blank && static_cast<int>(indentation(text)) <= parent_column) break;
    if (!blank || keeps_blank_lines) end = line + text.size();
  }
  return end;
}

}  // namespace gitplan
