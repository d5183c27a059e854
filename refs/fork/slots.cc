#include "refs/fork/slots.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {

Result<std::optional<Slot>> Slot::take(const std::string& local_dir, int limit) {
  const std::string folder = local_dir + "/slots";
  GITPLAN_TRY(make_directories(folder));
  for (int number = 0; number < limit; ++number) {
    const std::string path = folder + "/" + std::to_string(number);
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return errno_error("open", path, errno);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return std::optional<Slot>(Slot(number, fd));
    const int why = errno;
    ::close(fd);
    if (why != EWOULDBLOCK && why != EINTR) return errno_error("lock", path, why);
  }
  return std::optional<Slot>();
}

Slot& Slot::operator=(Slot&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(fd_, other.fd_);
  return *this;
}

Slot::~Slot() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace gitplan
