#include "refs/git/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gitplan {

bool exists(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

bool is_directory(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::optional<std::string> read_small_file(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return std::nullopt;  // to open a FIFO would wait for a writer
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string result;
  std::array<char, 4096> block;
  ssize_t count = 0;
  while ((count = ::read(file, block.data(), block.size())) > 0 || (count < 0 && errno == EINTR))
    if (count > 0) result.append(block.data(), static_cast<std::size_t>(count));
  ::close(file);
  if (count < 0) return std::nullopt;
  if (result.ends_with('\n')) result.pop_back();
  return result;
}

}  // namespace gitplan
