#include "core/base/timestamp.h"

#include <chrono>

namespace gitplan {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;

struct Parts {
  int year, month, day, hour, minute, second, millis;
};

Parts split(Millis time) {
  const std::chrono::sys_time<milliseconds> point{milliseconds(time)};
  const auto day = std::chrono::floor<days>(point);
  const std::chrono::year_month_day date(day);
  const auto rest = static_cast<int>((point - day).count());
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          rest / 3600000,
          rest / 60000 % 60,
          rest / 1000 % 60,
          rest % 1000};
}

std::string padded(int value, int width) {
  std::string digits = std::to_string(value);
  return std::string(digits.size() < static_cast<std::size_t>(width) ? width - digits.size() : 0,
                     '0') +
         digits;
}

// Reads exactly `count` digits at `at` and moves it on; nothing where there are fewer.
std::optional<int> digits(std::string_view text, std::size_t& at, int count) {
  int value = 0;
  for (int i = 0; i < count; ++i, ++at) {
    if (at >= text.size() || text[at] < '0' || text[at] > '9') return std::nullopt;
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

bool literal(std::string_view text, std::size_t& at, char expected) {
  if (at >= text.size() || text[at] != expected) return false;
  ++at;
  return true;
}

}  // namespace

std::string to_rfc3339(Millis time) {
  const Parts p = split(time);
  std::string text = date_of(time) + "T" + time_of(time);
  if (p.millis != 0) text += "." + padded(p.millis, 3);
  return text + "Z";
}

std::string date_of(Millis time) {
  const Parts p = split(time);
  return padded(p.year, 4) + "-" + padded(p.month, 2) + "-" + padded(p.day, 2);
}

std::string time_of(Millis time) {
  const Parts p = split(time);
  return padded(p.hour, 2) + ":" + padded(p.minute, 2) + ":" + padded(p.second, 2);
}

std::optional<Millis> from_rfc3339(std::string_view text) {
  std::size_t at = 0;
  const auto year = digits(text, at, 4);
  if (!year || !literal(text, at, '-')) return std::nullopt;
  const auto month = digits(text, at, 2);
  if (!month || !literal(text, at, '-')) return std::nullopt;
  const auto day = digits(text, at, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  Millis result =
      std::chrono::duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count();
  if (at == text.size()) return result;

  if (text[at] != 'T' && text[at] != 't' && text[at] != ' ') return std::nullopt;
  ++at;
  const auto hour = digits(text, at, 2);
  if (!hour || *hour > 23 || !literal(text, at, ':')) return std::nullopt;
  const auto minute = digits(text, at, 2);
  if (!minute || *minute > 59 || !literal(text, at, ':')) return std::nullopt;
  const auto second = digits(text, at, 2);
  if (!second || *second > 60) return std::nullopt;
  result += ((*hour * 60LL + *minute) * 60 + *second) * 1000;
  if (at < text.size() && text[at] == '.') {
    ++at;
    int scale = 100;
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      result += (text[at++] - '0') * scale;
      scale /= 10;
    }
    if (at == start) return std::nullopt;
  }
  if (at == text.size()) return std::nullopt;
  if ((text[at] == 'Z' || text[at] == 'z') && at + 1 == text.size()) return result;
  const int sign = text[at] == '+' ? 1 : text[at] == '-' ? -1 : 0;
  if (sign == 0) return std::nullopt;
  ++at;
  const auto offset_hours = digits(text, at, 2);
  if (!offset_hours || !literal(text, at, ':')) return std::nullopt;
  const auto offset_minutes = digits(text, at, 2);
  if (!offset_minutes || at != text.size()) return std::nullopt;
  return result - sign * (*offset_hours * 60LL + *offset_minutes) * 60000;
}

std::string moment(Millis time, Millis now) {
  const std::string day = date_of(time);
  return day == date_of(now) ? time_of(time) : day + " " + time_of(time);
}

std::string short_duration(Millis duration) {
  const Millis seconds = duration < 0 ? 0 : duration / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) {
    const Millis rest = seconds % 60;
    return std::to_string(seconds / 60) + " m" + (rest ? " " + std::to_string(rest) + " s" : "");
  }
  if (seconds < 48 * 3600) {
    const Millis rest = seconds / 60 % 60;
    return std::to_string(seconds / 3600) + " h" + (rest ? " " + std::to_string(rest) + " m" : "");
  }
  return std::to_string(seconds / 86400) + " d";
}

}  // namespace gitplan
