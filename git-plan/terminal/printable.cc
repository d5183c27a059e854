// How wide a text is on a screen, and cutting it to a width.
#include <algorithm>
#include <array>

#include "git-plan/terminal/output.h"

namespace gitplan {
namespace {

struct Range {
  char32_t first, last;
};

// East Asian wide and fullwidth, and what terminals draw as emoji.
constexpr std::array<Range, 18> kWide{{{0x1100, 0x115F},
                                       {0x231A, 0x231B},
                                       {0x23E9, 0x23EC},
                                       {0x25FD, 0x25FE},
                                       {0x2614, 0x2615},
                                       {0x2705, 0x2705},
                                       {0x274C, 0x274C},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0x33FF},
                                       {0x3400, 0x4DBF},
                                       {0x4E00, 0x9FFF},
                                       {0xA000, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 9> kNoWidth{{{0x0300, 0x036F},
                                         {0x0483, 0x0489},
                                         {0x0591, 0x05BD},
                                         {0x064B, 0x065F},
                                         {0x200B, 0x200D},
                                         {0x20D0, 0x20FF},
                                         {0xFE00, 0xFE0F},
                                         {0xFE20, 0xFE2F},
                                         {0xFEFF, 0xFEFF}}};

template <std::size_t n>
bool in(const std::array<Range, n>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& r) { return point >= r.first && point <= r.last; });
}

int width_of(char32_t point) {
  if (point < 0x300) return point < 0x20 || (point >= 0x7F && point < 0xA0) ? 0 : 1;
  if (in(kNoWidth, point)) return 0;
  return in(kWide, point) ? 2 : 1;
}

}  // namespace

std::string printable_colored(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t at = text.find("\x1b[");
    if (at == std::string_view::npos) return clean + printable(text);
    std::size_t end = at + 2;
    while (end < text.size() && (text[end] == ';' || (text[end] >= '0' && text[end] <= '9'))) ++end;
    const bool color = end < text.size() && text[end] == 'm';
    clean += printable(text.substr(0, at));
    if (color) clean += text.substr(at, end + 1 - at);
    text.remove_prefix(color ? end + 1 : at + sequence_length(text.substr(at), 2, '['));
  }
  return clean;
}

std::string one_line(std::string_view text, int columns) {
  const std::string flat = one_line(text);
  if (display_width(flat) <= columns) return flat;
  std::string cut;
  int width = 1;  // of the ellipsis
  for (std::string_view rest = flat; !rest.empty();) {
    const Decoded next = decode_utf8(rest);
    width += width_of(next.point);
    if (width > columns) break;
    cut += rest.substr(0, next.length);
    rest.remove_prefix(next.length);
  }
  while (cut.ends_with(' ')) cut.pop_back();
  return columns > 0 ? cut + "…" : "";
}

int display_width(std::string_view text) {
  // Most of what is shown is plain ASCII, and tables have ten thousand rows.
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    return static_cast<int>(text.size());
  int width = 0;
  while (!text.empty()) {
    const Decoded next = decode_utf8(text);
    width += width_of(next.point);
    text.remove_prefix(next.length);
  }
  return width;
}

}  // namespace gitplan
