// reset_time() of failure.h.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "core/agent/failure.h"

namespace gitplan {
namespace {

constexpr Millis kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr Millis kFarthest = 8 * kDay;  // weekly limits, and a day's difference of clocks

// A line in words and numbers: "2h5m" is 2 h 5 m, "3:30pm" is 3 : 30 pm.
struct Token {
  std::string_view text;
  bool number = false;
  std::size_t at = 0;  // in the line
};

std::vector<Token> tokens_of(std::string_view line) {
  const auto kind = [](unsigned char c) { return std::isdigit(c) ? 1 : std::isalpha(c) ? 2 : 3; };
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const unsigned char first = static_cast<unsigned char>(line[at]);
    std::size_t end = at + 1;
    if (kind(first) != 3)
      while (end < line.size() && kind(static_cast<unsigned char>(line[end])) == kind(first)) ++end;
    if (!std::isspace(first)) tokens.push_back({line.substr(at, end - at), kind(first) == 1, at});
    at = end;
  }
  return tokens;
}

std::optional<Millis> value(const Token& token) {
  Millis number = 0;
  const char* const end = token.text.data() + token.text.size();
  if (!token.number || std::from_chars(token.text.data(), end, number).ptr != end ||
      number > 100000000000000)
    return std::nullopt;
  return number;
}

Millis unit(std::string_view word) {
  if (word == "ms" || word.starts_with("millisecond")) return 1;
  if (word == "s" || word.starts_with("sec")) return kSecond;
  if (word == "m" || word.starts_with("min")) return kMinute;
  if (word == "h" || word == "hr" || word == "hrs" || word.starts_with("hour")) return kHour;
  if (word == "d" || word.starts_with("day")) return kDay;
  return 0;
}

// "30 seconds", "1h 2m", "2 hours and 5 minutes", "7.5s"; a bare number is seconds. 0: none, or too
// long.
Millis duration(std::span<const Token> tokens) {
  Millis sum = 0;
  bool any = false;
  for (std::size_t i = 0; i < tokens.size();) {
    if (any && (tokens[i].text == "and" || tokens[i].text == ",")) {
      ++i;
      continue;
    }
    const auto number = value(tokens[i]);
    if (!number) break;
    std::size_t next = i + 1;
    Millis tenths = 0;
    if (next + 1 < tokens.size() && tokens[next].text == "." && value(tokens[next + 1])) {
      tenths = tokens[next + 1].text[0] - '0';
      next += 2;
    }
    const Millis each = next < tokens.size() ? unit(tokens[next].text) : 0;
    if (each == 0) {
      if (!any && *number < kFarthest / kSecond) return *number * kSecond;
      break;
    }
    if (*number > kFarthest / each) return 0;
    sum += *number * each + tenths * each / 10;
    if (sum > kFarthest) return 0;
    any = true;
    i = next + 1;
  }
  return sum;
}

// "3pm", "3:30 pm", "15:30", local, in the next 24 hours.
std::optional<Millis> time_of_day(std::span<const Token> tokens, const LocalTime& time) {
  const auto hour = tokens.empty() ? std::nullopt : value(tokens[0]);
  if (!hour || *hour > 23) return std::nullopt;
  std::size_t next = 1;
  Millis minute = 0;
  bool colon = false;
  if (tokens.size() > 2 && tokens[1].text == ":" && value(tokens[2])) {
    minute = *value(tokens[2]);
    colon = true;
    next = 3;
  }
  const std::string_view half = next < tokens.size() ? tokens[next].text : "";
  const bool am = half == "am", pm = half == "pm";
  if ((!colon && !am && !pm) || minute > 59 || ((am || pm) && (*hour < 1 || *hour > 12)))
    return std::nullopt;
  const Millis local = time.now + time.offset;
  Millis then = local - local % kDay + minute * kMinute +
                (am || pm ? *hour % 12 + (pm ? 12 : 0) : *hour) * kHour;
  if (then <= local) then += kDay;
  return then - time.offset;
}

// A date and time of RFC 3339 that begins here.
std::optional<Millis> date(std::string_view line) {
  const std::size_t end = line.find_first_not_of("0123456789-:.TZtz+");
  std::string_view text = line.substr(0, end);
  while (!text.empty() && text.back() == '.') text.remove_suffix(1);
  return text.size() < 16 ? std::nullopt : from_rfc3339(text);
}

// Seconds or milliseconds since 1970.
std::optional<Millis> epoch(const Token& token) {
  const auto number = value(token);
  if (!number || token.text.size() < 10) return std::nullopt;
  return token.text.size() >= 13 ? *number : *number * kSecond;
}

// Words after which a time comes: a duration after the first kind, a point in time after both.
bool lasts(std::string_view word) { return word == "after" || word == "in"; }
bool ends(std::string_view word) {
  return word == "at" || word == "resets" || word == "reset" || word == "until" || word == "|";
}
bool about_time(std::string_view line) {
  for (const std::string_view word : {"retry", "try again", "reset", "wait", "available", "|"})
    if (line.find(word) != std::string_view::npos) return true;
  return false;
}

std::optional<Millis> after(std::string_view line, std::span<const Token> rest,
                            std::string_view word, const LocalTime& time) {
  while (!rest.empty() && !rest[0].number &&
         (rest[0].text == ":" || rest[0].text == "\"" || rest[0].text == "=" ||
          rest[0].text == "at" || rest[0].text == "in" || rest[0].text == "~" ||
          rest[0].text == "about"))
    rest = rest.subspan(1);
  if (rest.empty() || !rest[0].number) return std::nullopt;
  if (const auto then = date(line.substr(rest[0].at))) return then;
  if (const auto then = epoch(rest[0])) return then;
  if (const auto then = time_of_day(rest, time)) return then;
  const bool has_unit = rest.size() > 1 && (unit(rest[1].text) != 0 || rest[1].text == ".");
  if (lasts(word) || has_unit)
    if (const Millis wait = duration(rest); wait > 0) return time.now + wait;
  return std::nullopt;
}

}  // namespace

std::optional<Millis> reset_time(std::string_view line, const LocalTime& time) {
  std::string folded(line);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!about_time(folded)) return std::nullopt;
  const std::vector<Token> tokens = tokens_of(folded);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!lasts(tokens[i].text) && !ends(tokens[i].text)) continue;
    const auto then = after(line, std::span(tokens).subspan(i + 1), tokens[i].text, time);
    if (then && *then > time.now && *then - time.now <= kFarthest) return then;
  }
  return std::nullopt;
}

}  // namespace gitplan
