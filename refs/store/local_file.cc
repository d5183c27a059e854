#include "refs/store/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "refs/git/errno_error.h"
#include "refs/git/heap.h"

namespace gitplan {

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

Status make_directories(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0) return {};
  if (errno == ENOENT && path.find('/', 1) != std::string::npos) {
    GITPLAN_TRY(make_directories(path.substr(0, path.rfind('/'))));
    if (mkdir(path.c_str(), 0777) == 0) return {};
  }
  const int number = errno;
  struct stat info;
  if (number == EEXIST && stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return {};
  return errno_error("create the directory", path, number);
}

Result<std::string> read_all(int fd, const std::string& path, std::size_t from) {
  std::string text;
  struct stat info;
  if (fstat(fd, &info) == 0 && static_cast<std::size_t>(info.st_size) > from) {
    const std::size_t size = static_cast<std::size_t>(info.st_size) - from;
    expect_allocations(size);
    text.reserve(size);
  }
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count =
        pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(from + text.size()));
    if (count == 0) return text;
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return errno_error("read", path, errno);
  }
}

Result<std::optional<std::string>> read_file(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::string>();
    return errno_error("read", path, errno);
  }
  GITPLAN_TRY_ASSIGN(std::string text, read_all(file.get(), path));
  return std::optional(std::move(text));
}

Status write_all(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count >= 0)
      text.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return errno_error("write", path, errno);
  }
  return {};
}

Status replace_file(const std::string& path, std::string_view text, bool durable) {
  const std::string folder = path.substr(0, path.rfind('/'));
  std::string temporary = path + ".XXXXXX";
  FileDescriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.open() && errno == ENOENT) {
    GITPLAN_TRY(make_directories(folder));
    temporary = path + ".XXXXXX";
    file = FileDescriptor(mkostemp(temporary.data(), O_CLOEXEC));
  }
  if (!file.open()) return errno_error("write", path, errno);
  Status status = write_all(file.get(), text, path);
  if (status.ok() && fchmod(file.get(), 0644) != 0) status = errno_error("write", path, errno);
  if (status.ok() && durable && fsync(file.get()) != 0) status = errno_error("write", path, errno);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0)
    status = errno_error("write", path, errno);
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  if (durable) {
    const FileDescriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.open() && fsync(directory.get()) != 0) return errno_error("write", folder, errno);
  }
  return {};
}

}  // namespace gitplan
