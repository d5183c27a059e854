// Files below <common>/git-plan: made, read whole and replaced whole.
//
// The actor, the cache, pending texts and the run lock use this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace gitplan {

// A descriptor with an owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor();
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// With all parents; one that is there already is good.
Status make_directories(const std::string& path);

// Nothing where there is no such file.
Result<std::optional<std::string>> read_file(const std::string& path);
Result<std::string> read_all(int fd, const std::string& path, std::size_t from = 0);

// All or an error: goes on after interruptions and short writes.
Status write_all(int fd, std::string_view text, const std::string& path);

// Through a temporary file and rename, folders on the way made. `durable`: on the disk when it
// returns.
Status replace_file(const std::string& path, std::string_view text, bool durable);

}  // namespace gitplan
