#include "refs/wave/tree_memo.h"

#include <fmt/format.h>
#include <fts.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <array>
#include <chrono>
#include <cstring>
#include <memory>

namespace gitplan {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

class Digest {
 public:
  explicit Digest(std::int64_t now) : now_(now), state_(XXH3_createState()) {
    XXH3_128bits_reset(state_.get());
  }
  void name(const char* path) { XXH3_128bits_update(state_.get(), path, std::strlen(path) + 1); }
  void directory(const struct stat& info) { number(info.st_mode); }
  void file(const struct stat& info) {
    const std::int64_t modified = nanoseconds(info.st_mtim);
    const std::int64_t changed = nanoseconds(info.st_ctim);
    for (const std::int64_t one :
         {static_cast<std::int64_t>(info.st_mode), static_cast<std::int64_t>(info.st_ino),
          static_cast<std::int64_t>(info.st_size), modified, changed})
      number(one);
    if (std::max(modified, changed) > now_ - kRacy) racy_ = true;
  }
  // A file that need not be there.
  void outside(const std::string& path) {
    name(path.c_str());
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) file(info);
  }
  TreeStamp stamp() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {fmt::format("{:016x}{:016x}", hash.high64, hash.low64), racy_};
  }

 private:
  struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  void number(std::int64_t value) { XXH3_128bits_update(state_.get(), &value, sizeof value); }

  std::int64_t now_;
  bool racy_ = false;
  std::unique_ptr<XXH3_state_t, FreeState> state_;
};

struct CloseWalk {
  void operator()(FTS* walk) const { ::fts_close(walk); }
};

int by_name(const FTSENT** left, const FTSENT** right) {
  return std::strcmp((*left)->fts_name, (*right)->fts_name);
}

// False: this tree cannot be told by stat data.
bool add_tree(Digest& digest, const std::string& path) {
  std::string root = path;
  const std::array<char*, 2> roots{root.data(), nullptr};
  const std::unique_ptr<FTS, CloseWalk> walk(
      ::fts_open(roots.data(), FTS_PHYSICAL | FTS_NOCHDIR, by_name));
  if (!walk) return false;
  std::size_t entries = 0;
  errno = 0;
  while (FTSENT* entry = ::fts_read(walk.get())) {
    if (entry->fts_info == FTS_DP) continue;
    if (++entries > kMost) return false;
    const std::string_view name = entry->fts_name;
    if (entry->fts_level == 1 && (name == ".git" || name == ".git-plan")) {
      ::fts_set(walk.get(), entry, FTS_SKIP);
      continue;
    }
    if (name == ".git" && entry->fts_level > 1) return false;
    switch (entry->fts_info) {
      case FTS_D:
        digest.name(entry->fts_path);
        digest.directory(*entry->fts_statp);
        break;
      case FTS_DNR:  // unreadable, or gone meanwhile
      case FTS_ERR:
      case FTS_NS:
      case FTS_DC: return false;
      default: digest.name(entry->fts_path); digest.file(*entry->fts_statp);
    }
  }
  return errno == 0;
}

}  // namespace

std::optional<TreeStamp> stamp_of(const Repository& repository, const Worktree& tree,
                                  std::int64_t now) {
  Digest digest(now);
  for (const char* file : {"/index", "/config.worktree", "/info/sparse-checkout"})
    digest.outside(tree.admin + file);
  for (const char* file : {"/config", "/info/exclude", "/info/attributes"})
    digest.outside(repository.common_dir() + file);
  if (!add_tree(digest, tree.path)) return std::nullopt;
  return digest.stamp();
}

std::int64_t TreeMemo::system_clock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<Staged> TreeMemo::state(const Repository& repository, const Worktree& tree,
                               const std::string& head, const std::string& aside) {
  const auto before = stamp_of(repository, tree, clock_());
  if (before) {
    const std::lock_guard lock(mutex_);
    if (known_ && known_->path == tree.path && known_->head == head &&
        known_->stamp.digest == before->digest)
      return known_->staged;
  }
  GITPLAN_TRY_ASSIGN(Staged staged, Staging(repository, tree, head, aside).stage(head));
  // What changed while it was staged may be in it or not.
  if (before && !before->racy && stamp_of(repository, tree, clock_()) == before) {
    const std::lock_guard lock(mutex_);
    known_ = Known{tree.path, head, *before, staged};
  }
  return staged;
}

}  // namespace gitplan
