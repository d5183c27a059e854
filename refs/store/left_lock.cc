#include "refs/store/left_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "refs/git/git_processes.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::time_t kSettled = 2;  // seconds
constexpr std::time_t kTooLong = 30;

bool is_left(const std::string& lock) {
  struct stat info;
  if (lstat(lock.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const std::time_t age = std::time(nullptr) - info.st_mtime;
  if (age <= kSettled || is_open_somewhere(lock)) return false;
  return age > kTooLong || !git_writes_somewhere();
}

}  // namespace

bool remove_left_lock(const std::string& lock) {
  if (!is_left(lock)) return false;
  // One cleaner at a time: the second would take a new lock for the one that it had looked at.
  const std::string folder = lock.substr(0, lock.rfind('/'));
  const FileDescriptor guard(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!guard.open() || flock(guard.get(), LOCK_EX) != 0) return false;
  return is_left(lock) && unlink(lock.c_str()) == 0;
}

}  // namespace gitplan
