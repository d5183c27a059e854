#include "refs/wave/in_the_way.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"
#include "refs/wave/line_diff.h"
#include "refs/wave/local_changes.h"
#include "refs/wave/provenance.h"
#include "refs/wave/tree_changes.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWithLines = 50;  // paths whose lines are looked up; the others are named

class Look {
 public:
  Look(const Repository& repository, const Worktree& tree, std::string from_tree)
      : repository_(repository), tree_(tree), from_tree_(std::move(from_tree)) {}

  Status prepare(const std::string& from, const std::string& to) {
    GITPLAN_TRY_ASSIGN(changes_, tree_changes(repository_, from, to));
    GITPLAN_TRY_ASSIGN(local_, local_changes(tree_));
    std::vector<std::string> listed;
    for (const auto& [path, change] : changes_)
      if (change.before) listed.push_back(path);
    GITPLAN_TRY_ASSIGN(const std::vector<Marked> marked, marked_entries(tree_, listed));
    if (marked.empty()) return {};
    const auto is_set = [this](const char* name, bool otherwise) {
      const auto value = tree_.git().read({"config", "--type=bool", name});
      return value ? *value == "true" : otherwise;
    };
    bits_ = is_set("core.fileMode", true);
    sparse_ = is_set("core.sparseCheckout", false);
    for (const Marked& one : marked) {
      if (!changed(one)) continue;
      Local& local = local_[one.path];
      if (!local.staged) local.index_id = one.id;
      local.in_files = true;
      local.skip_worktree = one.skip_worktree;
      local.assume_unchanged = one.assume_unchanged;
    }
    return {};
  }

  std::vector<Blocked> blocked() const {
    std::vector<Blocked> result;
    for (const auto& [path, change] : changes_) {
      Blocked one{path, change.before, change.after};
      const auto local = local_.find(path);
      if (local != local_.end()) {
        one.staged = local->second.staged;
        one.edited = local->second.in_files;
        one.unlisted = local->second.unlisted && exists(on_disk(path));
        one.skip_worktree = local->second.skip_worktree;
        one.assume_unchanged = local->second.assume_unchanged;
        one.files = untracked_at(path);
        if (one.files.empty()) one.files.push_back(path);
      } else if (!change.before) {
        one.files = untracked_at(path);
        for (const std::string& below : staged_below(path))
          if (std::find(one.files.begin(), one.files.end(), below) == one.files.end())
            one.files.push_back(below);
      }
      if (one.files.empty()) one.files = ancestor_of(path);
      if (one.files.empty()) continue;
      one.staged = one.staged || std::any_of(one.files.begin(), one.files.end(),
                                             [this](const auto& file) { return is_staged(file); });
      one.same = is_same(one, local == local_.end() ? nullptr : &local->second);
      result.push_back(std::move(one));
    }
    return result;
  }

 private:
  std::string on_disk(const std::string& path) const { return tree_.path + "/" + path; }

  // A file at the path, or all files below it where it is a directory.
  std::vector<std::string> untracked_at(const std::string& path) const {
    if (!exists(on_disk(path))) return {};
    if (!ancestor_of(path).empty()) return {};
    if (!is_directory(on_disk(path))) return {path};
    std::vector<std::string> result;
    std::error_code code;
    auto entry = fs::recursive_directory_iterator(on_disk(path), code);
    for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
      std::error_code ignored;
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) continue;
      std::string name = entry->path().string().substr(tree_.path.size() + 1);
      if (!entry_at(repository_, from_tree_, name)) result.push_back(std::move(name));
    }
    return result;
  }

  bool is_staged(const std::string& path) const {
    const auto local = local_.find(path);
    return local != local_.end() && local->second.staged;
  }

  // Entries of the index where the landing brings a file of the directory's name.
  std::vector<std::string> staged_below(const std::string& path) const {
    std::vector<std::string> result;
    for (auto it = local_.lower_bound(path + "/");
         it != local_.end() && it->first.starts_with(path + "/"); ++it)
      if (it->second.staged && !it->second.unlisted) result.push_back(it->first);
    return result;
  }

  // A file that its mark hides. What a sparse checkout leaves out is not there, and git leaves it
  // so; any other file it would write.
  bool changed(const Marked& marked) const {
    struct stat info;
    if (lstat(on_disk(marked.path).c_str(), &info) != 0) return !(marked.skip_worktree && sparse_);
    if (S_ISLNK(info.st_mode)) {
      std::error_code code;
      const std::string target = fs::read_symlink(on_disk(marked.path), code).string();
      return marked.mode != 0120000 || blob_text(repository_, marked.id) != target;
    }
    if (marked.mode == 0160000) return false;  // a submodule
    if (!S_ISREG(info.st_mode) || marked.mode == 0120000) return true;
    if (bits_ && ((info.st_mode & S_IXUSR) != 0) != (marked.mode == 0100755)) return true;
    const auto id = tree_.git().read({"hash-object", "--", marked.path});
    return !id || *id != marked.id;
  }

  // A file or link of the user's where a directory must be.
  std::vector<std::string> ancestor_of(const std::string& path) const {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const std::string above = path.substr(0, slash);
      if (is_directory(on_disk(above)) || !exists(on_disk(above))) continue;
      if (!entry_at(repository_, from_tree_, above) || local_.contains(above)) return {above};
    }
    return {};
  }

  bool is_same(const Blocked& blocked, const Local* local) const {
    const std::string& path = blocked.path;
    const bool only_staged = local != nullptr && local->staged && !local->unlisted;
    if (!blocked.target) return !exists(on_disk(path)) && !only_staged;
    if (local != nullptr && local->staged && !local->in_files)
      return local->index_id == blocked.target->id && same_mode(path, blocked.target->mode);
    if (blocked.files.size() != 1 || blocked.files.front() != path) return false;
    struct stat info;
    if (lstat(on_disk(path).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
    if (!blocked.target->regular() || !same_mode(path, blocked.target->mode)) return false;
    // What is staged and in no file would be lost.
    if (local != nullptr && local->staged && local->index_id != blocked.target->id) return false;
    const auto id = tree_.git().read({"hash-object", "--", path});
    return id && *id == blocked.target->id;
  }

  bool same_mode(const std::string& path, unsigned mode) const {
    struct stat info;
    if (lstat(on_disk(path).c_str(), &info) != 0) return false;
    if (mode == 0120000) return S_ISLNK(info.st_mode);
    return S_ISREG(info.st_mode) && ((info.st_mode & S_IXUSR) != 0) == (mode == 0100755);
  }

  const Repository& repository_;
  const Worktree& tree_;
  std::string from_tree_;
  TreeChanges changes_;
  std::map<std::string, Local> local_;
  bool bits_ = true, sparse_ = false;
};

// The new lines of "@@ -a,b +c,d @@" in a diff of one file.
std::vector<LineRange> lines_of_diff(const std::string& diff) {
  std::vector<LineRange> result;
  for (std::size_t at = diff.find("\n@@ "); at != std::string::npos;
       at = diff.find("\n@@ ", at + 1)) {
    const std::size_t plus = diff.find('+', at);
    if (plus == std::string::npos) break;
    Hunk hunk;
    hunk.new_count = 1;
    char* end = nullptr;
    hunk.new_first = static_cast<int>(std::strtol(diff.c_str() + plus + 1, &end, 10));
    if (*end == ',') hunk.new_count = static_cast<int>(std::strtol(end + 1, nullptr, 10));
    result.push_back(new_lines(hunk));
  }
  return joined(std::move(result));
}

// What the user's side of a path that is in the way looks like.
Conflict users_side(const Worktree& tree, const Blocked& one, bool with_lines) {
  Conflict conflict{one.path, "dirty", {{"user", {}}}};
  if (one.unlisted) conflict.kind = "rm --cached";
  if (one.assume_unchanged) conflict.kind = "assume-unchanged";
  if (one.skip_worktree) conflict.kind = "skip-worktree";
  Side& user = conflict.sides.front();
  user.deleted = one.before && !exists(tree.path + "/" + one.path);
  if (user.deleted || !with_lines) return conflict;
  // What the index does not have, or hides, is compared without it.
  const bool aside = one.before && conflict.kind != "dirty";
  const auto diff =
      tree.git().read({"diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv",
                       aside ? one.before->id : "HEAD", "--", ":(top,literal)" + one.path});
  if (diff) user.lines = lines_of_diff(*diff);
  return conflict;
}

}  // namespace

Result<std::vector<Blocked>> in_the_way(const Repository& repository, const Worktree& tree,
                                        const std::string& from, const std::string& to) {
  GITPLAN_TRY_ASSIGN(const std::string from_tree, tree_of_commit(repository, from));
  Look look(repository, tree, from_tree);
  GITPLAN_TRY(look.prepare(from, to));
  return look.blocked();
}

Result<std::vector<Conflict>> dirty_conflicts(const Repository& repository, const Worktree& tree,
                                              const std::vector<Blocked>& blocked,
                                              const std::string& from, const std::string& plan,
                                              const WorkOfTasks& done) {
  const bool all_same =
      std::all_of(blocked.begin(), blocked.end(), [](const Blocked& one) { return one.same; });
  if (all_same) return std::vector<Conflict>();
  GITPLAN_TRY_ASSIGN(const std::string base, repository.git().read({"merge-base", from, plan}));
  GITPLAN_TRY_ASSIGN(const std::string base_tree, tree_of_commit(repository, base));
  Provenance provenance(repository, base_tree);
  provenance.know(done);
  GITPLAN_TRY(provenance.add_commits(base, plan));
  std::vector<Conflict> result;
  for (const Blocked& one : blocked) {
    if (one.same) continue;
    Conflict conflict = users_side(tree, one, result.size() < kWithLines);
    std::vector<Side> sides = provenance.sides(one.path);
    if (sides.empty())
      for (const std::string& who : provenance.who_changed({one.path})) sides.push_back({who, {}});
    std::erase_if(sides, [](const Side& side) { return side.who == "user"; });
    for (Side& side : sides) side.deleted = !one.target;
    conflict.sides.insert(conflict.sides.end(), sides.begin(), sides.end());
    result.push_back(std::move(conflict));
  }
  return result;
}

}  // namespace gitplan
