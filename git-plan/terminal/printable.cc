// Text from plans and agents, made safe for a screen, and how wide it is there.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "git-plan/terminal/output.h"

namespace gitplan {
namespace {

constexpr char32_t kInvalid = 0xFFFD;

// The next code point and its length in bytes; kInvalid with length 1 where the bytes are no UTF-8.
struct Decoded {
  char32_t point = kInvalid;
  std::size_t length = 1;
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = (point << 6) | (byte(i) & 0x3F);
  }
  static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (point < kSmallest[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
    return {};
  return {point, length};
}

// An escape sequence that begins at text[0] == ESC, or at a C1 introducer of `introducer` bytes.
// CSI ends at its final byte; OSC, DCS, APC, PM and SOS at BEL or ST, or at the end of the line,
// so that an open one cannot swallow what follows.
std::size_t sequence_length(std::string_view text, std::size_t introducer, char kind) {
  std::size_t at = introducer;
  if (kind == '[') {
    while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3F) ++at;
    return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : at;
  }
  while (at < text.size() && text[at] != '\n') {
    if (text[at] == '\a') return at + 1;
    if (text[at] == '\x1b') return at + 1 < text.size() && text[at + 1] == '\\' ? at + 2 : at;
    if (text.substr(at).starts_with("\xC2\x9C")) return at + 2;
    ++at;
  }
  return at;
}

std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 1;
  const char kind = text[1];
  if (kind == '[' || kind == ']' || kind == 'P' || kind == '_' || kind == '^' || kind == 'X')
    return sequence_length(text, 2, kind);
  std::size_t at = 1;  // ESC, intermediate bytes, one final byte
  while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x2F) ++at;
  return at < text.size() && text[at] >= 0x30 && text[at] <= 0x7E ? at + 1 : at;
}

char c1_kind(char32_t point) {
  switch (point) {
    case 0x9B: return '[';
    case 0x90:
    case 0x98:
    case 0x9D:
    case 0x9E:
    case 0x9F: return ']';
    default: return 0;
  }
}

// Marks that reorder or hide what is on the line.
bool reorders(char32_t point) {
  return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
         point == 0x200E || point == 0x200F || point == 0x061C || point == 0x2028 ||
         point == 0x2029 || (point >= 0xE0000 && point <= 0xE007F);
}

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

// Most of what is shown is plain ASCII, and tables have ten thousand rows.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_plain_line(std::string_view text) {
  return is_plain(text) && !text.starts_with(' ') && !text.ends_with(' ') &&
         text.find("  ") == std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    std::size_t taken = next.length;
    if (next.point == 0x1B) {
      taken = escape_length(text);
    } else if (const char kind = c1_kind(next.point)) {
      taken = sequence_length(text, next.length, kind);
    } else if (next.point == kInvalid && next.length == 1) {
      clean += "\xEF\xBF\xBD";
    } else if (next.point == '\n' || next.point == '\t' ||
               (next.point >= 0x20 && next.point < 0x7F) ||
               (next.point >= 0xA0 && !reorders(next.point))) {
      clean += text.substr(0, next.length);
    }
    text.remove_prefix(taken);
  }
  return clean;
}

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
  if (std::cmp_less_equal(text.size(), columns) && is_plain_line(text)) return std::string(text);
  std::string flat;
  for (const char c : printable(text)) {
    const bool space = c == '\n' || c == '\t' || c == ' ';
    if (space && (flat.empty() || flat.back() == ' ')) continue;
    flat += space ? ' ' : c;
  }
  while (flat.ends_with(' ')) flat.pop_back();
  if (display_width(flat) <= columns) return flat;
  std::string cut;
  int width = 1;  // of the ellipsis
  for (std::string_view rest = flat; !rest.empty();) {
    const Decoded next = decode(rest);
    width += width_of(next.point);
    if (width > columns) break;
    cut += rest.substr(0, next.length);
    rest.remove_prefix(next.length);
  }
  while (cut.ends_with(' ')) cut.pop_back();
  return columns > 0 ? cut + "…" : "";
}

int display_width(std::string_view text) {
  if (is_plain(text)) return static_cast<int>(text.size());
  int width = 0;
  while (!text.empty()) {
    const Decoded next = decode(text);
    width += width_of(next.point);
    text.remove_prefix(next.length);
  }
  return width;
}

}  // namespace gitplan
