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

// Fills in actor, clock, time and the id: the first 20 hex digits of SHA-256 over the actor's previous
// event id and the canonical JSON (sorted keys, no spaces) without the id.
Event stamp(EventBody body, std::string_view actor, std::string_view previous_id, std::uint64_t clock,
            Millis time);

// One line without the newline.
std::string to_line(const Event& event);

// Total but for shape: unknown types become UnknownEvent, unknown keys are passed over, missing keys
// take their defaults. An error where the line is no JSON object with id, actor, clock, time and type.
Result<Event> from_line(std::string_view line);

// True when the id follows from the line's own content and the previous id.
bool id_fits(std::string_view line, std::string_view previous_id);

// All lines of a segment, in order. The error names the line.
Result<std::vector<Event>> parse_segment(std::string_view text);

// The order in which a journal is folded: (clock, id).
bool before(const Event& a, const Event& b);

}  // namespace gitplan
