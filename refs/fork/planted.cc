#include "refs/fork/planted.h"

#include <git2.h>
#include <sys/stat.h>

#include <map>
#include <set>

#include "refs/fork/tree_making.h"
#include "refs/git/libgit2.h"

namespace gitplan {
namespace {

constexpr std::size_t kShort = 16;  // what is shorter is found by chance

struct Blob {
  std::string id, path;
};

// New blobs by size, so that only files of such a size are read.
Result<std::multimap<std::size_t, Blob>> new_blobs(const Repository& repository,
                                                   const std::string& base,
                                                   const std::string& work) {
  // The base's tree by itself: where the work is a tree there is no commit to walk from.
  GITPLAN_TRY_ASSIGN(
      const std::string lines,
      repository.git().read({"rev-list", "--objects", work, "--not", base, base + "^{tree}"}));
  Handle<git_odb> odb;
  if (const int code = git_repository_odb(odb.out(), repository.raw()); code != 0)
    return libgit2_error("cannot open the object database", code);
  std::multimap<std::size_t, Blob> result;
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    const std::string line = lines.substr(start, end - start);
    start = end + 1;
    git_oid id;
    if (line.size() < 42 || !parse_oid(std::string_view(line).substr(0, 40), id)) continue;
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (git_odb_read_header(&size, &type, odb.get(), &id) != 0 || type != GIT_OBJECT_BLOB) continue;
    if (size > kShort) result.emplace(size, Blob{line.substr(0, 40), line.substr(41)});
  }
  return result;
}

}  // namespace

Result<std::vector<Planted>> planted_in(const Repository& repository, const std::string& base,
                                        const std::string& work) {
  std::vector<Planted> result;
  if (repository.bare()) return result;
  GITPLAN_TRY_ASSIGN(const auto blobs, new_blobs(repository, base, work));
  if (blobs.empty()) return result;
  GITPLAN_TRY_ASSIGN(
      const std::string ignored,
      repository.git().read({"ls-files", "-z", "--others", "--ignored", "--exclude-standard"}));
  std::set<std::string> named;
  for (const std::string& name : split_nul(ignored)) {
    if (name.starts_with(".git-plan/")) continue;
    const std::string path = repository.work_tree() + "/" + name;
    struct stat info;
    if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const auto [first, last] = blobs.equal_range(static_cast<std::size_t>(info.st_size));
    if (first == last) continue;
    git_oid id;
    if (git_odb_hashfile(&id, path.c_str(), GIT_OBJECT_BLOB) != 0) continue;
    for (auto blob = first; blob != last; ++blob)
      if (blob->second.id == hex(id) && named.insert(blob->second.path).second)
        result.push_back({blob->second.path, name});
  }
  return result;
}

std::string to_string(const Planted& planted) {
  return planted.path == planted.from ? planted.path
                                      : planted.path + " (the content of " + planted.from + ")";
}

}  // namespace gitplan
