// Reads an attempt's log from its beginning and goes on as it grows.
//
// The log is cut in place when it reaches its limit (git-plan/attempt); a reader that notices goes
// on behind the cut.
#pragma once

#include <sys/types.h>

#include <string>

namespace gitplan {

class LogReader {
 public:
  explicit LogReader(std::string path) : path_(std::move(path)) {}
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;
  ~LogReader();

  // What is new, at most 1 MiB; empty: nothing more now.
  std::string next();
  bool cut() const { return cut_; }  // the log became shorter since the last call

 private:
  std::string path_;
  int fd_ = -1;
  off_t offset_ = 0;
  bool cut_ = false;
};

// Text in pieces made fit for people: whole lines pass printable(), the last piece waits for its
// end.
class PrintableLines {
 public:
  std::string take(std::string_view piece);
  std::string rest();

 private:
  std::string partial_;
};

}  // namespace gitplan
