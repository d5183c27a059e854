#include "core/plan/slug.h"

#include <xxhash.h>

#include "core/plan/input_guard.h"

namespace gitplan {
namespace {

constexpr std::size_t kMaxSlug = 40;
constexpr std::size_t kShortestCut = 20;  // cutting at a word must not lose half of the slug

// U+00C0 to U+017F without their accents, one entry a letter; '-' where there is no Latin letter.
constexpr std::string_view kLatin[] = {
    "a", "a", "a",  "a",  "a", "a", "ae", "c",  "e",  "e", "e", "e", "i",  "i",  "i", "i", "d", "n",
    "o", "o", "o",  "o",  "o", "-", "o",  "u",  "u",  "u", "u", "y", "th", "ss", "a", "a", "a", "a",
    "a", "a", "ae", "c",  "e", "e", "e",  "e",  "i",  "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", "-", "o",  "u",  "u", "u", "u",  "y",  "th", "y", "a", "a", "a",  "a",  "a", "a", "c", "c",
    "c", "c", "c",  "c",  "c", "c", "d",  "d",  "d",  "d", "e", "e", "e",  "e",  "e", "e", "e", "e",
    "e", "e", "g",  "g",  "g", "g", "g",  "g",  "g",  "g", "h", "h", "h",  "h",  "i", "i", "i", "i",
    "i", "i", "i",  "i",  "i", "i", "ij", "ij", "j",  "j", "k", "k", "k",  "l",  "l", "l", "l", "l",
    "l", "l", "l",  "l",  "l", "n", "n",  "n",  "n",  "n", "n", "n", "n",  "n",  "o", "o", "o", "o",
    "o", "o", "oe", "oe", "r", "r", "r",  "r",  "r",  "r", "s", "s", "s",  "s",  "s", "s", "s", "s",
    "t", "t", "t",  "t",  "t", "t", "u",  "u",  "u",  "u", "u", "u", "u",  "u",  "u", "u", "u", "u",
    "w", "w", "y",  "y",  "y", "z", "z",  "z",  "z",  "z", "z", "s"};
static_assert(std::size(kLatin) == 0x180 - 0xC0);

char32_t decode(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]);
  const int lead_bits = character.size() == 2 ? 0x1F : character.size() == 3 ? 0x0F : 0x07;
  char32_t code = static_cast<unsigned char>(character[0]) & lead_bits;
  for (const char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
  return code;
}

// What a character adds to a slug: letters, nothing, or "-" for the end of a word.
std::string slug_part(char32_t code) {
  if ((code >= 'a' && code <= 'z') || (code >= '0' && code <= '9'))
    return {static_cast<char>(code)};
  if (code >= 'A' && code <= 'Z') return {static_cast<char>(code - 'A' + 'a')};
  const bool apostrophe = code == '\'' || code == 0x2019;
  const bool combining = code >= 0x300 && code <= 0x36F;
  if (apostrophe || combining) return "";
  if (code >= 0xC0 && code < 0x180) return std::string(kLatin[code - 0xC0]);
  return "-";
}

}  // namespace

std::string slug_of(std::string_view title) {
  std::string slug;
  while (!title.empty()) {
    const int length = utf8_length(title);
    const std::string part = length == 0 ? "-" : slug_part(decode(title.substr(0, length)));
    title.remove_prefix(length == 0 ? 1 : static_cast<std::size_t>(length));
    if (part == "-" && (slug.empty() || slug.back() == '-')) continue;
    slug += part;
    if (slug.size() > kMaxSlug) break;
  }
  if (slug.size() > kMaxSlug) {
    const auto word_end = slug.rfind('-', kMaxSlug);
    slug.resize(word_end != std::string::npos && word_end >= kShortestCut ? word_end : kMaxSlug);
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

std::string title_hash(std::string_view title) {
  static constexpr char kHex[] = "0123456789abcdef";
  const XXH64_hash_t hash = XXH3_64bits(title.data(), title.size());
  std::string hex;
  for (int shift = 60; shift >= 32; shift -= 4) hex += kHex[(hash >> shift) & 15];
  return hex;
}

}  // namespace gitplan
