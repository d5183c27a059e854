#include "refs/store/lock_wait.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

namespace gitplan {

LockWait::LockWait(std::chrono::milliseconds patience)
    : until_(std::chrono::steady_clock::now() + patience),
      random_(static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
              static_cast<unsigned>(getpid()) * 2654435761U) {}

bool LockWait::wait() {
  if (std::chrono::steady_clock::now() >= until_) return false;
  std::uniform_real_distribution<double> sleep(most_ms_ / 4, most_ms_);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(sleep(random_)));
  most_ms_ = std::min(most_ms_ * 1.5, 50.0);
  return true;
}

}  // namespace gitplan
