// The signals that the shim listens to, as a descriptor for poll().
#pragma once

namespace gitplan {

// Blocks SIGTERM and SIGCHLD in this process and ignores those that a terminal or a dead parent
// sends.
void take_over_signals();

class SignalSource {
 public:
  SignalSource();
  ~SignalSource();
  SignalSource(const SignalSource&) = delete;
  SignalSource& operator=(const SignalSource&) = delete;

  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  // Takes what has arrived; true where SIGTERM is among it.
  bool take_terminate();

 private:
  int fd_;
};

}  // namespace gitplan
