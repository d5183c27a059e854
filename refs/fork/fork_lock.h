// One lock of the clone around everything that adds or removes worktrees.
//
// Without it two `git worktree add` at once lose a race for config.lock or pick the same number.
// On disk: <common>/git-plan/forks.held, an empty file whose flock counts.
#pragma once

#include <string>

#include "core/base/error.h"

namespace gitplan {

class ForkLock {
 public:
  // Waits until it is free. A worktree of a large repository takes its time, so there is no limit;
  // the kernel frees it when its holder dies.
  static Result<ForkLock> take(const std::string& local_dir);
  ForkLock(ForkLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  ForkLock& operator=(ForkLock&&) = delete;
  ~ForkLock();
  // For a git that outlives a killed executor: it holds the lock until it is done.
  int fd() const { return fd_; }

 private:
  explicit ForkLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace gitplan
