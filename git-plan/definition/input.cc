#include "git-plan/definition/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

Error unreadable(const std::string& name, int fault) {
  return error(ErrorCode::kInvalid, "cannot read " + name + ": " + std::strerror(fault));
}

Result<std::string> read_all(int fd, const std::string& name) {
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(name, errno);
    if (got == 0) return text;
    text.append(block, static_cast<std::size_t>(got));
    if (text.size() > kMaxPlanBytes)
      return error(ErrorCode::kInvalid,
                   name + " is larger than " + std::to_string(kMaxPlanBytes >> 20) + " MiB",
                   "a plan is a text for people; keep data in files of the repository");
  }
}

}  // namespace

Result<InputText> read_input(const std::string& file) {
  InputText input;
  input.name = file == "-" ? "standard input" : file;
  const std::string quoted = file == "-" ? input.name : "'" + file + "'";
  const int fd = file == "-" ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return unreadable(quoted, errno);
  struct stat about {};
  Result<std::string> text = std::string();
  if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
    text = error(ErrorCode::kInvalid, quoted + " is a directory, not a plan file");
  else
    text = read_all(fd, quoted);
  if (fd != STDIN_FILENO) close(fd);
  if (!text) return text.error();
  input.text = std::move(*text);
  return input;
}

}  // namespace gitplan
