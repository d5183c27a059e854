// run.log of a plan: what the executor did, one line each, for whoever looks for a fault. Bounded:
// when it is full it becomes run.log.1 and a new one begins.
#pragma once

#include <string>
#include <string_view>

#include "core/base/timestamp.h"

namespace gitplan {

class RunLog {
 public:
  explicit RunLog(std::string path) : path_(std::move(path)) {}
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  // Never fails: a run does not stop for its own log.
  void line(Millis now, std::string_view text);

 private:
  std::string path_;
  int fd_ = -1;
  long long size_ = 0;
};

}  // namespace gitplan
