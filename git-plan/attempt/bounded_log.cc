#include "git-plan/attempt/bounded_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gitplan {
namespace {

constexpr std::int64_t kSmallest = 4096;  // below, the marker would be most of the log
constexpr std::size_t kMarker = 64;       // of fixed width, so that it can be renewed in place

}  // namespace

BoundedLog::BoundedLog(const std::string& path, std::int64_t limit)
    : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      limit_(std::max(limit, kSmallest)) {}

BoundedLog::~BoundedLog() {
  if (fd_ >= 0) ::close(fd_);
}

void BoundedLog::append(const char* data, std::size_t size) {
  while (size > 0 && fd_ >= 0) {
    if (size_ >= limit_) make_room();
    const std::size_t part =
        std::min(size, static_cast<std::size_t>(std::max<std::int64_t>(limit_ - size_, 1)));
    const ssize_t n = ::pwrite(fd_, data, part, size_);
    if (n <= 0) {
      left_out_ += static_cast<std::int64_t>(size);
      return;
    }
    size_ += n;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

void BoundedLog::make_room() {
  const std::int64_t head = limit_ / 2;
  const std::int64_t keep = limit_ / 4;
  const std::int64_t marker = static_cast<std::int64_t>(kMarker);
  // The first time nothing stands between head and tail; later a marker does.
  const std::int64_t tail = size_ - keep;
  left_out_ += tail - head - (marked_ ? marker : 0);
  char buffer[65536];
  std::int64_t moved = 0;
  while (moved < keep) {
    const ssize_t n = ::pread(fd_, buffer,
                              static_cast<std::size_t>(std::min<std::int64_t>(
                                  keep - moved, static_cast<std::int64_t>(sizeof buffer))),
                              tail + moved);
    if (n <= 0 || ::pwrite(fd_, buffer, static_cast<std::size_t>(n), head + marker + moved) != n)
      break;
    moved += n;
  }
  write_marker();
  marked_ = true;
  size_ = head + marker + moved;
  if (::ftruncate(fd_, size_) != 0) return;
}

void BoundedLog::write_marker() {
  char text[kMarker + 1];
  std::snprintf(text, sizeof text, "\n[git plan: %lld bytes left out here]",
                static_cast<long long>(left_out_));
  const std::size_t length = std::strlen(text);
  std::memset(text + length, ' ', kMarker - length);
  text[kMarker - 1] = '\n';
  if (::pwrite(fd_, text, kMarker, limit_ / 2) < 0) return;
}

}  // namespace gitplan
