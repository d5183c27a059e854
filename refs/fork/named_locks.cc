#include "refs/fork/named_locks.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>

#include "refs/git/errno_error.h"

namespace gitplan {
namespace {

// Offsets are signed.
off_t place_of(const std::string& name) {
  return static_cast<off_t>(XXH3_64bits(name.data(), name.size()) >> 1);
}

}  // namespace

Result<std::optional<NamedLocks>> NamedLocks::take(const std::string& local_dir,
                                                   const std::vector<std::string>& names,
                                                   std::string& held) {
  const std::string path = local_dir + "/locks";
  GITPLAN_TRY(make_directories(local_dir));
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.open()) return errno_error("open", path, errno);
  for (const std::string& name : names) {
    struct flock one {};
    one.l_type = F_WRLCK;
    one.l_whence = SEEK_SET;
    one.l_start = place_of(name);
    one.l_len = 1;
    if (::fcntl(file.get(), F_OFD_SETLK, &one) == 0) continue;
    if (errno != EAGAIN && errno != EACCES) return errno_error("lock", path, errno);
    held = name;
    return std::optional<NamedLocks>();
  }
  return std::optional<NamedLocks>(NamedLocks(std::move(file)));
}

}  // namespace gitplan
