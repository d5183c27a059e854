#include "git-plan/attempt/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

namespace gitplan {
namespace {

std::int64_t clock_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

std::int64_t monotonic_ms() { return clock_ms(CLOCK_MONOTONIC); }
std::int64_t utc_ms() { return clock_ms(CLOCK_REALTIME); }

bool read_small_file(const std::string& path, std::string* text) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[16384];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) > 0)
    text->append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return n == 0;
}

std::int64_t file_size(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<std::int64_t>(info.st_size) : 0;
}

bool write_by_rename(const std::string& path, const std::string& text, bool durable) {
  const std::string temporary = path + ".new";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const bool good = write_all(fd, text) && (!durable || ::fsync(fd) == 0);
  if (::close(fd) == 0 && good && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
  ::unlink(temporary.c_str());
  return false;
}

bool write_exit(const std::string& attempt_dir, const Exit& exit) {
  std::string text = "{\"exit_code\":" + std::to_string(exit.exit_code) + ",\"stopped_by\":\"" +
                     exit.stopped_by + "\",\"started\":" + std::to_string(exit.started) +
                     ",\"ended\":" + std::to_string(exit.ended);
  if (!exit.error.empty()) text += ",\"error\":\"" + exit.error + "\"";
  // A sync costs what a short task costs in all, and what it saves is repeating that task.
  const bool durable = exit.ended - exit.started >= 1000;
  return write_by_rename(attempt_dir + "/exit.json", text + "}\n", durable);
}

}  // namespace gitplan
