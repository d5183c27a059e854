// The time that one call of a hook has.
//
// `git plan hooks run` sets it: a hook that takes long is worse than one that says nothing. Past it
// the process says so in one line and ends with 0, so that git goes on.
#pragma once

#include <chrono>

namespace gitplan {

class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds time);
  ~Deadline();  // all was done in time
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};

}  // namespace gitplan
