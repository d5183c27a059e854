#include "refs/store/durable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "refs/git/errno_error.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr long kExt4 = 0xEF53, kXfs = 0x58465342, kTmpfs = 0x01021994;
constexpr std::size_t kAtOnce = 64;  // open files

// One journal of the file system holds the objects and the ref, and commits them in order.
bool keeps_order(int object, const std::string& common_dir) {
  struct statfs info;
  struct stat here, refs;
  return fstatfs(object, &info) == 0 &&
         (info.f_type == kExt4 || info.f_type == kXfs || info.f_type == kTmpfs) &&
         fstat(object, &here) == 0 && stat((common_dir + "/refs").c_str(), &refs) == 0 &&
         here.st_dev == refs.st_dev;
}

Status flush_disk(int fd, const std::string& path) {
  if (fsync(fd) != 0) return errno_error("write", path, errno);
  return {};
}

// Hands the file's pages to the disk, or waits for them, as the flags say.
Status write_out(int fd, const std::string& path, unsigned flags) {
  if (sync_file_range(fd, 0, 0, flags) == 0) return {};
  if (errno == ESPIPE || errno == EINVAL || errno == ENOSYS) return flush_disk(fd, path);
  return errno_error("write", path, errno);
}

}  // namespace

Status write_out_objects(const std::string& common_dir, std::span<const git_oid> objects) {
  while (objects.size() > kAtOnce) {
    GITPLAN_TRY(write_out_objects(common_dir, objects.first(kAtOnce)));
    objects = objects.subspan(kAtOnce);
  }
  std::vector<std::pair<FileDescriptor, std::string>> under_way;
  for (const git_oid& object : objects) {
    const std::string name = hex(object);
    std::string path = common_dir + "/objects/" + name.substr(0, 2) + "/" + name.substr(2);
    FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) {
      if (errno == ENOENT) continue;
      return errno_error("write", path, errno);
    }
    if (under_way.empty() && !keeps_order(file.get(), common_dir)) {
      GITPLAN_TRY(flush_disk(file.get(), path));
      continue;
    }
    GITPLAN_TRY(write_out(file.get(), path, SYNC_FILE_RANGE_WRITE));
    under_way.emplace_back(std::move(file), std::move(path));
  }
  // All are on their way before the first is waited for.
  for (const auto& [file, path] : under_way)
    GITPLAN_TRY(write_out(
        file.get(), path,
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER));
  return {};
}

Status flush_ref(const std::string& common_dir, const std::string& name) {
  for (const std::string& path : {common_dir + "/" + name, common_dir + "/packed-refs"}) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open() && errno == ENOENT) continue;  // packed in the meantime
    if (!file.open()) return errno_error("write", path, errno);
    GITPLAN_TRY(flush_disk(file.get(), path));
    if (keeps_order(file.get(), common_dir)) return {};
    const std::string folder = path.substr(0, path.rfind('/'));
    const FileDescriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return directory.open() ? flush_disk(directory.get(), folder) : Status();
  }
  return {};
}

}  // namespace gitplan
