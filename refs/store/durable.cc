#include "refs/store/durable.h"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "refs/git/errno_error.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr long kExt4 = 0xEF53, kXfs = 0x58465342, kTmpfs = 0x01021994;

bool keeps_order(int fd) {
  struct statfs info;
  return fstatfs(fd, &info) == 0 &&
         (info.f_type == kExt4 || info.f_type == kXfs || info.f_type == kTmpfs);
}

Status flush_disk(int fd, const std::string& path) {
  if (fsync(fd) != 0) return errno_error("write", path, errno);
  return {};
}

}  // namespace

Status sync_objects(const std::string& common_dir, const std::vector<git_oid>& objects) {
  FileDescriptor last;
  std::string last_path;
  bool batch = false;
  for (const git_oid& object : objects) {
    const std::string name = hex(object);
    const std::string path = common_dir + "/objects/" + name.substr(0, 2) + "/" + name.substr(2);
    FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) {
      if (errno == ENOENT) continue;
      return errno_error("write", path, errno);
    }
    if (!last.open()) batch = keeps_order(file.get());
    if (!batch) {
      GITPLAN_TRY(flush_disk(file.get(), path));
    } else if (sync_file_range(file.get(), 0, 0,
                               SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                                   SYNC_FILE_RANGE_WAIT_AFTER) != 0 &&
               errno != ESPIPE && errno != EINVAL && errno != ENOSYS) {
      return errno_error("write", path, errno);
    }
    last = std::move(file);
    last_path = path;
  }
  if (batch) GITPLAN_TRY(flush_disk(last.get(), last_path));
  return {};
}

Status sync_ref(const std::string& common_dir, const std::string& name) {
  const std::string path = common_dir + "/" + name;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return errno == ENOENT ? Status() : errno_error("write", path, errno);
  GITPLAN_TRY(flush_disk(file.get(), path));
  if (!keeps_order(file.get())) {
    const std::string folder = path.substr(0, path.rfind('/'));
    const FileDescriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.open()) GITPLAN_TRY(flush_disk(directory.get(), folder));
  }
  return {};
}

}  // namespace gitplan
