// The log of an attempt: what it wrote to standard output and error, never larger than its limit.
//
// One ordinary file that can be read at any time. When it is full, its first half stays, its last
// quarter moves behind one line that says how many bytes were left out, and writing goes on there.
// A follower sees that the file has become shorter, as with any log that is rotated in place.
#pragma once

#include <cstdint>
#include <string>

namespace gitplan {

class BoundedLog {
 public:
  BoundedLog(const std::string& path, std::int64_t limit);
  ~BoundedLog();
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  bool open() const { return fd_ >= 0; }
  // Never fails and never waits: what a full disk does not take is counted as left out.
  void append(const char* data, std::size_t size);

 private:
  void make_room();
  void write_marker();

  int fd_;
  std::int64_t limit_;
  std::int64_t size_ = 0;
  std::int64_t left_out_ = 0;
  bool marked_ = false;
};

}  // namespace gitplan
