// Escape sequences as ECMA-48 and terminals have them: CSI, and the strings OSC, DCS, APC, PM, SOS.
#include "core/base/plain_text.h"

#include <algorithm>
#include <array>

namespace gitplan {
namespace {

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

// Most of what is shown, and tables have ten thousand rows.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Nothing that flattening would change.
bool is_plain_line(std::string_view text) {
  return is_plain(text) && !text.starts_with(' ') && !text.ends_with(' ') &&
         text.find("  ") == std::string_view::npos;
}

}  // namespace

Decoded decode_utf8(std::string_view text) {
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

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode_utf8(text);
    std::size_t taken = next.length;
    if (next.point == 0x1B) {
      taken = escape_length(text);
    } else if (const char kind = c1_kind(next.point)) {
      taken = sequence_length(text, next.length, kind);
    } else if (next.point == kNotUtf8 && next.length == 1) {
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

std::string one_line(std::string_view text) {
  if (is_plain_line(text)) return std::string(text);
  std::string flat;
  for (const char c : printable(text)) {
    const bool space = c == '\n' || c == '\t' || c == ' ';
    if (space && (flat.empty() || flat.back() == ' ')) continue;
    flat += space ? ' ' : c;
  }
  if (flat.ends_with(' ')) flat.pop_back();
  return flat;
}

}  // namespace gitplan
