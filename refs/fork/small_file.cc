#include "refs/fork/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "refs/git/errno_error.h"

namespace gitplan {
namespace {

Status write_all(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno_error("write", path, errno);
  int number = 0;
  while (!content.empty() && number == 0) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count > 0)
      content.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      number = errno;
  }
  if (number == 0 && fdatasync(fd) != 0) number = errno;
  if (::close(fd) != 0 && number == 0) number = errno;
  if (number != 0) return errno_error("write", path, number);
  return {};
}

}  // namespace

bool exists(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

bool is_directory(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::optional<std::string> read_small_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return std::nullopt;
  std::string result = std::move(text).str();
  if (result.ends_with('\n')) result.pop_back();
  return result;
}

Status replace_file(const std::string& path, std::string_view content) {
  GITPLAN_TRY(make_directories(path.substr(0, path.rfind('/'))));
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  if (Status written = write_all(temporary, content); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int number = errno;
    ::unlink(temporary.c_str());
    return errno_error("write", path, number);
  }
  return {};
}

}  // namespace gitplan
