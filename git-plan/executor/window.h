// Windows of tmux for attempts whose agent has a terminal (`team`, plan.adaptiveExecution).
//
// A window runs `git-plan-attempt --window <attempt dir>`. The tmux server cannot inherit the
// locks, so the shim fetches them from here. Nothing is left of a window when its attempt ends.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "git-plan/executor/shim.h"

namespace gitplan {

// A socket that one shim comes to for its locks.
class LockOffer {
 public:
  static Result<LockOffer> make();
  LockOffer(LockOffer&& other) noexcept : fd_(other.fd_), address_(std::move(other.address_)) {
    other.fd_ = -1;
  }
  LockOffer& operator=(LockOffer&&) = delete;
  ~LockOffer();

  const std::string& address() const { return address_; }  // abstract; for the spec
  // Waits ten seconds for it.
  Status hand_over(const ShimLocks& locks) const;

 private:
  LockOffer(int fd, std::string address) : fd_(fd), address_(std::move(address)) {}
  int fd_;
  std::string address_;
};

struct WindowRequest {
  std::string shim, attempt_dir, task;
  std::string session;  // of its own, made where it is not there; empty: the one we are in
  std::int64_t log_limit = 0;
  ShimLocks locks;
};

// Opens it and hands the locks over, or leaves no window. Not on two threads at once.
Status open_window(const WindowRequest& request, const LockOffer& offer);

// "git-plan-<plan>", as tmux spells it.
std::string window_session(const std::string& plan);

}  // namespace gitplan
