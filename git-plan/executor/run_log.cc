#include "git-plan/executor/run_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace gitplan {
namespace {

constexpr long long kLimit = 2 << 20;
constexpr std::size_t kLongest = 1000;

}  // namespace

RunLog::~RunLog() {
  if (fd_ >= 0) ::close(fd_);
}

void RunLog::line(Millis now, std::string_view text) {
  if (fd_ >= 0 && size_ > kLimit) {
    ::close(fd_);
    fd_ = -1;
    if (::rename(path_.c_str(), (path_ + ".1").c_str()) != 0) ::unlink(path_.c_str());
  }
  if (fd_ < 0) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat info;
    size_ = fd_ >= 0 && ::fstat(fd_, &info) == 0 ? static_cast<long long>(info.st_size) : 0;
  }
  std::string full = to_rfc3339(now) + " ";
  for (const char c : text.substr(0, kLongest)) full += c == '\n' ? ' ' : c;
  full += '\n';
  const ssize_t n = fd_ >= 0 ? ::write(fd_, full.data(), full.size()) : 0;
  size_ += n > 0 ? n : 0;
}

}  // namespace gitplan
