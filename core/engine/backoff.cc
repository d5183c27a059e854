#include "core/engine/backoff.h"

#include <algorithm>

namespace gitplan {

Millis backoff_delay(Backoff backoff, Millis unit, int failures, std::uint64_t random) {
  failures = std::max(failures, 1);
  Millis delay = unit;
  if (backoff == Backoff::kLinear) delay = unit * std::min(failures, 1000);
  if (backoff == Backoff::kExponential)
    for (int i = 1; i < failures && delay < kLongestBackoff; ++i) delay *= 2;
  delay = std::min(delay, kLongestBackoff);
  const Millis spread = delay / 2;
  return delay - delay / 4 +
         (spread > 0 ? static_cast<Millis>(random % static_cast<std::uint64_t>(spread + 1)) : 0);
}

}  // namespace gitplan
