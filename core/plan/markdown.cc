#include "core/plan/markdown.h"

#include <algorithm>

#include "core/base/plain_text.h"

namespace gitplan {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The line without up to three spaces; four would make it code.
std::string_view unindented(std::string_view line) {
  const auto spaces = line.find_first_not_of(' ');
  return spaces == std::string_view::npos || spaces > 3 ? std::string_view{} : line.substr(spaces);
}

std::size_t run_length(std::string_view text, char c) {
  return std::min(text.find_first_not_of(c), text.size());
}

// "## Text ##" as level and text; level 0: no heading.
std::pair<int, std::string_view> heading_of(std::string_view line) {
  line = unindented(line);
  const auto level = run_length(line, '#');
  if (level == 0 || level > 6) return {0, {}};
  std::string_view text = line.substr(level);
  if (!text.empty() && kBlank.find(text[0]) == std::string_view::npos) return {0, {}};
  text = trimmed(text);
  const auto end = text.find_last_not_of('#');
  if (end == std::string_view::npos) return {static_cast<int>(level), {}};
  if (end + 1 < text.size() && kBlank.find(text[end]) != std::string_view::npos)
    text = trimmed(text.substr(0, end));
  return {static_cast<int>(level), text};
}

std::string section_name(std::string_view heading) {
  std::string name(heading);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  while (!name.empty() && name.back() == ':') name.pop_back();
  return name;
}

// Follows fences and comments over lines; says whether a line is prose.
class Prose {
 public:
  bool is_prose(std::string_view line) {
    if (in_comment_) {
      in_comment_ = line.find("-->") == std::string_view::npos;
      return false;
    }
    const std::string_view text = unindented(line);
    const char mark = text.empty() ? ' ' : text[0];
    const std::size_t length = mark == '`' || mark == '~' ? run_length(text, mark) : 0;
    if (fence_length_ > 0) {
      if (mark == fence_ && length >= fence_length_ && trimmed(text.substr(length)).empty())
        fence_length_ = 0;
      return false;
    }
    const bool info_has_tick =
        mark == '`' && text.substr(length).find('`') != std::string_view::npos;
    if (length >= 3 && !info_has_tick) {
      fence_ = mark;
      fence_length_ = length;
      return false;
    }
    if (text.starts_with("<!--")) {
      in_comment_ = text.find("-->") == std::string_view::npos;
      return false;
    }
    return true;
  }

 private:
  bool in_comment_ = false;
  char fence_ = ' ';
  std::size_t fence_length_ = 0;
};

}  // namespace

void for_each_line(std::string_view body, int first_line,
                   const std::function<void(const MarkdownLine&)>& read) {
  Prose prose;
  MarkdownLine line;
  for (int number = first_line; !body.empty(); ++number) {
    const auto end = body.find('\n');
    line.text = body.substr(0, end);
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
    if (!line.text.empty() && line.text.back() == '\r') line.text.remove_suffix(1);
    if (!prose.is_prose(line.text)) continue;
    line.number = number;
    std::tie(line.heading, line.heading_text) = heading_of(line.text);
    if (line.heading == 1 || line.heading == 2) line.section = section_name(line.heading_text);
    read(line);
  }
}

std::string first_heading(std::string_view body) {
  std::string title, previous;
  for_each_line(body, 1, [&](const MarkdownLine& line) {
    if (!title.empty()) return;
    if (line.heading == 1) title = line.heading_text;
    const std::string_view underline = trimmed(unindented(line.text));
    const bool underlined = !underline.empty() && run_length(underline, '=') == underline.size();
    if (underlined) title = previous;
    previous = line.heading > 0 ? std::string_view{} : trimmed(unindented(line.text));
  });
  return one_line(title);  // of what the front matter refuses in a title nothing is taken
}

std::vector<CodeSpan> code_spans(std::string_view line) {
  std::vector<CodeSpan> spans;
  for (std::size_t at = line.find('`'); at != std::string_view::npos;) {
    const std::size_t ticks = run_length(line.substr(at), '`');
    const std::size_t start = at + ticks;
    std::size_t close = line.find('`', start);
    while (close != std::string_view::npos && run_length(line.substr(close), '`') != ticks)
      close = line.find('`', close + run_length(line.substr(close), '`'));
    if (close == std::string_view::npos) {
      at = line.find('`', start);
      continue;
    }
    std::string_view text = line.substr(start, close - start);
    std::size_t text_at = start;
    if (ticks > 1 && text.size() > 2 && text.front() == ' ' && text.back() == ' ') {
      text = text.substr(1, text.size() - 2);
      ++text_at;
    }
    spans.push_back({text, text_at});
    at = line.find('`', close + ticks);
  }
  return spans;
}

}  // namespace gitplan
