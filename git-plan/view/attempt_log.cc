#include "git-plan/view/attempt_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace gitplan {
namespace {

constexpr off_t kTail = 64 << 10;  // enough for the last lines that anybody wants to see

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::string read_from(int fd, off_t offset) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = pread(fd, buffer.data(), buffer.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    offset += count;
  }
}

}  // namespace

std::vector<std::string> last_log_lines(const std::string& attempt_dir, std::size_t count) {
  return last_lines(attempt_dir + "/log", count);
}

std::vector<std::string> last_lines(const std::string& path, std::size_t count) {
  const OpenFile log(path);
  struct stat info {};
  if (log.fd() < 0 || fstat(log.fd(), &info) != 0) return {};
  const std::string text = read_from(log.fd(), std::max<off_t>(0, info.st_size - kTail));
  std::vector<std::string> lines;
  std::size_t end = text.find_last_not_of("\r\n\t ");
  end = end == std::string::npos ? 0 : end + 1;
  while (end > 0 && lines.size() < count) {
    const std::size_t newline = text.rfind('\n', end - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    lines.push_back(text.substr(begin, end - begin));
    if (begin == 0) break;
    end = begin - 1;
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::optional<std::string> read_local_file(const std::string& path) {
  const OpenFile file(path);
  if (file.fd() < 0) return std::nullopt;
  return read_from(file.fd(), 0);
}

std::string attempt_tree(const std::string& attempt_dir) {
  std::string path = read_local_file(attempt_dir + "/tree").value_or("");
  while (path.ends_with('\n')) path.pop_back();
  struct stat info {};
  return !path.empty() && stat(path.c_str(), &info) == 0 ? path : std::string();
}

}  // namespace gitplan
