#include <algorithm>
#include <cctype>

#include "core/base/plain_text.h"
#include "refs/wave/wave_commit.h"

namespace gitplan {
namespace {

constexpr std::size_t kWidth = 72;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// At most `width` characters, cut at a word where there is one in the second half.
std::string cut(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  std::size_t end = 0, seen = 0;
  for (; end < text.size(); ++end)
    if (starts_character(text[end]) && ++seen == width) break;  // one less: room for the ellipsis
  std::string_view head = text.substr(0, end);
  const std::size_t space = head.rfind(' ');
  const auto next = static_cast<unsigned char>(text[end]);
  const bool in_word = next >= 0x80 || std::isalnum(next) != 0;
  if (in_word && space != std::string_view::npos && space >= head.size() / 2)
    head = head.substr(0, space);
  while (!head.empty() && (head.back() == ' ' || head.back() == ',' || head.back() == ';'))
    head.remove_suffix(1);
  return std::string(head) + "…";
}

std::string number_of(int wave) {
  const std::string digits = std::to_string(wave);
  return digits.size() < 3 ? std::string(3 - digits.size(), '0') + digits : digits;
}

// "Key: value", as git takes trailers.
bool is_trailer(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
         });
}

bool is_ours(std::string_view line) {
  return line.starts_with("Plan: ") || line.starts_with("Wave: ") ||
         line.starts_with("Plan-Run: ") || line.starts_with("Task: ");
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string line = printable(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Behind such a line git looks for a patch, and for no trailers before it.
    if (line.starts_with("---") && (line.size() == 3 || line[3] == ' ')) line.insert(0, " ");
    result.push_back(std::move(line));
  }
  while (!result.empty() && result.back().find_first_not_of(' ') == std::string::npos)
    result.pop_back();
  return result;
}

// A message that a person wrote, ready for our trailers: those that it has stay one block with
// them.
std::string given(std::string_view text) {
  std::vector<std::string> lines = lines_of(text);
  std::size_t block = lines.size();
  while (block > 0 && is_trailer(lines[block - 1])) --block;
  const bool has_block = block < lines.size() && block > 1 && lines[block - 1].empty();
  if (has_block) {
    lines.erase(
        std::remove_if(lines.begin() + static_cast<std::ptrdiff_t>(block), lines.end(), is_ours),
        lines.end());
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
  }
  std::string result;
  for (const std::string& line : lines) result += line + "\n";
  if (!has_block || lines.size() <= block) result += "\n";
  return result;
}

std::string_view without_blank_lines(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n\r\t"), text.size()));
  return text;
}

}  // namespace

std::string wave_message(const Commit& effect, const WaveCommitOptions& options) {
  std::string text;
  if (effect.message.find_first_not_of(" \n\r\t") != std::string::npos) {
    text = given(effect.message);
  } else {
    std::string_view rest = without_blank_lines(effect.subject);
    std::string subject = one_line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
    if (subject.empty()) subject = "Wave " + number_of(effect.wave) + " of plan " + options.plan;
    std::string more;
    if (effect.tasks.size() > 1) more = " (+" + std::to_string(effect.tasks.size() - 1) + ")";
    if (!more.empty() && subject.ends_with(more)) subject.resize(subject.size() - more.size());
    text = cut(subject, kWidth - more.size()) + more + "\n\n";
    if (const std::string_view body = without_blank_lines(rest); !body.empty())
      text = given(text + std::string(body));
  }
  for (const std::string& trailer : wave_trailers(effect, options)) text += trailer + "\n";
  return text;
}

std::vector<std::string> wave_trailers(const Commit& effect, const WaveCommitOptions& options) {
  std::vector<std::string> result{"Plan: " + options.plan, "Wave: " + number_of(effect.wave),
                                  "Plan-Run: " + effect.run};
  for (const std::string& task : effect.tasks) result.push_back("Task: " + task);
  return result;
}

}  // namespace gitplan
