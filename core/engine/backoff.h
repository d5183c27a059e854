// How long a transient failure waits before the next try.
#pragma once

#include <cstdint>

#include "core/base/timestamp.h"
#include "core/plan/definition.h"

namespace gitplan {

inline constexpr Millis kLongestBackoff = 60 * 60 * 1000;

// `failures`: how many there have been, 1 for the first. fixed: unit; linear: unit * failures;
// exponential: unit * 2^(failures-1); at most an hour; then jittered by the random bits to 75-125
// %.
Millis backoff_delay(Backoff backoff, Millis unit, int failures, std::uint64_t random);

}  // namespace gitplan
