// Points in time as the journal stores them: milliseconds since 1970, UTC. No clock is read here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gitplan {

using Millis = std::int64_t;

// "2026-03-03T10:00:00.123Z"; the fraction is left out where it is zero.
std::string to_rfc3339(Millis time);

// Accepts what to_rfc3339 writes, offsets (+02:00), and a bare date; nothing for anything else.
std::optional<Millis> from_rfc3339(std::string_view text);

// "2026-03-03", "10:00:00", UTC.
std::string date_of(Millis time);
std::string time_of(Millis time);

// "10:00:00" where `time` is of the same day (UTC) as `now`, else with the date.
std::string moment(Millis time, Millis now);

// "8 s", "3 m 20 s", "2 h 5 m", "4 d": short, for people.
std::string short_duration(Millis duration);

}  // namespace gitplan
