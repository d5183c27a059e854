// One run a plan: an exclusive lock that the kernel drops when its holder dies.
//
// On disk: <plan dir>/run.held, JSON {"run","pid","host","since"} for people; only the lock itself
// counts. It is a lock of the open file description (fcntl): unlike flock it can be asked for
// without being taken, so that a look never stands in the way of a run that starts.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/timestamp.h"

namespace gitplan {

struct RunHolder {
  std::string run, host;
  int pid = 0;
  Millis since = 0;
};

class RunLock {
 public:
  // kBusy: the message says who and since when, the hint how to watch. Makes the directory.
  static Result<RunLock> take(const std::string& plan_dir, const RunHolder& self);
  static std::optional<RunHolder> holder(const std::string& plan_dir);  // nobody: nothing
  RunLock(RunLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace gitplan
