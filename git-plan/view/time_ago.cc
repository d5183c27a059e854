#include "git-plan/view/time_ago.h"

#include <algorithm>

#include "git-plan/view/words.h"

namespace gitplan {

std::string time_ago(Millis then, Millis now) {
  struct Unit {
    Millis length, below;  // a value below `below` is said in this unit
    const char* noun;
  };
  constexpr Millis kMinute = 60'000, kHour = 60 * kMinute, kDay = 24 * kHour;
  // git's steps: each unit goes on a little beyond the next larger one.
  static constexpr Unit kUnits[] = {{kMinute, 90 * kMinute, "minute"},
                                    {kHour, 36 * kHour, "hour"},
                                    {kDay, 14 * kDay, "day"},
                                    {7 * kDay, 70 * kDay, "week"},
                                    {30 * kDay, 365 * kDay, "month"}};
  const Millis age = now - then;
  if (age < kMinute) return "just now";
  for (const Unit& unit : kUnits) {
    if (age >= unit.below) continue;
    const Millis count = std::max<Millis>(1, (age + unit.length / 2) / unit.length);
    return counted(static_cast<std::size_t>(count), unit.noun) + " ago";
  }
  return date_of(then);
}

}  // namespace gitplan
