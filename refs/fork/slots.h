// Slots: how many forked attempts run at once over all runs of the clone (plan.maxForks).
//
// On disk: <common>/git-plan/slots/<n>, empty files whose flock says that slot n is taken. The
// attempt's shim inherits the locked descriptor, so a slot stays taken for as long as its process
// lives, whoever started it.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"

namespace gitplan {

class Slot {
 public:
  // The lowest free slot below `limit`; nothing: all are taken.
  static Result<std::optional<Slot>> take(const std::string& local_dir, int limit);
  Slot(Slot&& other) noexcept : number_(other.number_), fd_(other.fd_) { other.fd_ = -1; }
  Slot& operator=(Slot&& other) noexcept;
  ~Slot();
  int number() const { return number_; }
  int fd() const { return fd_; }  // close-on-exec; the spawner hands it to the shim

 private:
  Slot(int number, int fd) : number_(number), fd_(fd) {}
  int number_, fd_;
};

}  // namespace gitplan
