// Waiting for somebody else's lock: short random sleeps that grow, up to a limit in all.
#pragma once

#include <chrono>
#include <random>

namespace gitplan {

class LockWait {
 public:
  explicit LockWait(std::chrono::milliseconds patience);
  // Sleeps a little; false when the patience is used up.
  bool wait();

 private:
  std::chrono::steady_clock::time_point until_;
  std::minstd_rand random_;
  double most_ms_ = 1;
};

}  // namespace gitplan
