// Tells somebody who waits for input on another thread that the answer is not wanted any more.
#pragma once

namespace gitplan {

class GiveUp {
 public:
  GiveUp();
  ~GiveUp();
  GiveUp(const GiveUp&) = delete;
  GiveUp& operator=(const GiveUp&) = delete;

  int fd() const { return reader_; }  // readable once it is said
  void say();

 private:
  int reader_ = -1, writer_ = -1;
};

}  // namespace gitplan
