#include "refs/wave/tree_changes.h"

#include <vector>

#include "refs/git/libgit2.h"
#include "refs/git/raw_changes.h"

namespace gitplan {
namespace {

bool find_tree(const Repository& repository, const std::string& name, Handle<git_object>& tree) {
  git_oid id;
  Handle<git_object> object;
  return parse_oid(name, id) &&
         git_object_lookup(object.out(), repository.raw(), &id, GIT_OBJECT_ANY) == 0 &&
         git_object_peel(tree.out(), object.get(), GIT_OBJECT_TREE) == 0;
}

std::optional<TreeEntry> entry_of(const git_diff_file& file) {
  if ((file.flags & GIT_DIFF_FLAG_EXISTS) == 0) return std::nullopt;
  return TreeEntry{hex(file.id), file.mode};
}

// Nothing: an object is not here.
std::optional<TreeChanges> in_process(const Repository& repository, const std::string& from,
                                      const std::string& to) {
  Handle<git_object> before, after;
  if (!find_tree(repository, from, before) || !find_tree(repository, to, after))
    return std::nullopt;
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_NONE;
  Handle<git_diff> diff;
  if (git_diff_tree_to_tree(diff.out(), repository.raw(), reinterpret_cast<git_tree*>(before.get()),
                            reinterpret_cast<git_tree*>(after.get()), &options) != 0)
    return std::nullopt;
  TreeChanges changes;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta& delta = *git_diff_get_delta(diff.get(), i);
    // A file in place of a folder comes as two deltas of the same path.
    if (auto entry = entry_of(delta.old_file)) changes[delta.old_file.path].before = entry;
    if (auto entry = entry_of(delta.new_file)) changes[delta.new_file.path].after = entry;
  }
  return changes;
}

std::optional<TreeEntry> entry_of(const std::string& mode, const std::string& id) {
  if (mode == "000000") return std::nullopt;
  return TreeEntry{id, static_cast<unsigned>(std::stoul(mode, nullptr, 8))};
}

Result<TreeChanges> by_git(const Repository& repository, const std::string& from,
                           const std::string& to) {
  GITPLAN_TRY_ASSIGN(const std::string raw,
                     repository.git().read({"diff-tree", "-r", "-z", "--raw", "--no-renames",
                                            "--no-abbrev", from, to}));
  TreeChanges changes;
  for (const RawChange& change : raw_changes(raw))
    changes[change.path] = {entry_of(change.mode_before(), change.id_before()),
                            entry_of(change.mode(), change.id())};
  return changes;
}

}  // namespace

Result<TreeChanges> tree_changes(const Repository& repository, const std::string& from,
                                 const std::string& to) {
  if (from == to) return TreeChanges();
  if (auto changes = in_process(repository, from, to)) return *std::move(changes);
  return by_git(repository, from, to);
}

}  // namespace gitplan
