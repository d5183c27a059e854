#include "refs/fork/fork_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {

Result<ForkLock> ForkLock::take(const std::string& local_dir) {
  GITPLAN_TRY(make_directories(local_dir));
  const std::string path = local_dir + "/forks.held";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return errno_error("open", path, errno);
  while (flock(fd, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int number = errno;
    ::close(fd);
    return errno_error("lock", path, number);
  }
  return ForkLock(fd);
}

ForkLock::~ForkLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace gitplan
