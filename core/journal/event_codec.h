// Events as lines of JSON and back. On disk: core/journal/FORMAT.md.
//
// The store writes and reads journal segments and the write-ahead file with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"

namespace gitplan {

inline constexpr std::size_t kMaxEventBytes = 4u << 20;
inline constexpr int kMaxEventDepth = 64;                // of nested lists and objects
inline constexpr std::uint64_t kMaxClock = 1ull << 53;   // what every JSON reader keeps exact
inline constexpr Millis kMaxTime = 253'402'300'799'999;  // the end of the year 9999

// Fills in actor, clock, time and the id: the first 20 hex digits of SHA-256 over the actor's
// previous event id and the canonical JSON (sorted keys, no spaces) without the id. The event is
// what a reader will find: bytes that are not UTF-8 have become U+FFFD, and a body that would not
// fit into kMaxEventBytes is shortened (long texts and lists, at their ends).
Event stamp(EventBody body, std::string_view actor, std::string_view previous_id,
            std::uint64_t clock, Millis time);

// One line without the newline.
std::string to_line(const Event& event);

// Total but for shape: unknown types become UnknownEvent, unknown keys are passed over; a key that
// is missing or holds a value of another type or out of its type's range takes its default, such an
// entry of a list is left out. An error where the line is no JSON object with id (20 hex digits),
// actor (12), clock (up to kMaxClock), time (0 to kMaxTime) and type.
Result<Event> from_line(std::string_view line);

// True when the line is canonical and its id follows from its own content and the previous id: no
// byte of it can be another.
bool id_fits(std::string_view line, std::string_view previous_id);

// All lines of a segment, in order. The error names the line.
Result<std::vector<Event>> parse_segment(std::string_view text);

// The order in which a journal is folded: (clock, id).
bool before(const Event& a, const Event& b);

}  // namespace gitplan
