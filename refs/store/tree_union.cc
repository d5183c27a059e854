#include "refs/store/tree_union.h"

#include <cstring>
#include <string>

#include "refs/git/repository.h"

namespace gitplan {
namespace {

bool same(const git_tree_entry* a, const git_tree_entry* b) {
  return git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) &&
         git_tree_entry_filemode_raw(a) == git_tree_entry_filemode_raw(b);
}

bool is_tree(const git_tree_entry* entry) { return git_tree_entry_type(entry) == GIT_OBJECT_TREE; }

const git_tree_entry* entry_of(const Handle<git_tree>& tree, const char* name) {
  return tree.get() == nullptr ? nullptr : git_tree_entry_byname(tree.get(), name);
}

class Union {
 public:
  Union(git_repository* repository, std::vector<git_oid>& made)
      : repository_(repository), made_(made) {}

  Result<git_oid> trees(const std::vector<git_oid>& bases, const git_oid& ours,
                        const git_oid& theirs) {
    if (git_oid_equal(&ours, &theirs)) return ours;
    Handle<git_tree> mine, other;
    int code = git_tree_lookup(mine.out(), repository_, &ours);
    if (code == 0) code = git_tree_lookup(other.out(), repository_, &theirs);
    std::vector<Handle<git_tree>> before(bases.size());
    for (std::size_t i = 0; code == 0 && i < bases.size(); ++i)
      code = git_tree_lookup(before[i].out(), repository_, &bases[i]);
    Handle<git_treebuilder> builder;
    if (code == 0) code = git_treebuilder_new(builder.out(), repository_, mine.get());
    if (code != 0) return libgit2_error("cannot read the plan's tree", code);
    const std::size_t count = git_tree_entrycount(other.get());
    for (std::size_t i = 0; code == 0 && i < count; ++i) {
      const git_tree_entry* theirs_now = git_tree_entry_byindex(other.get(), i);
      const char* name = git_tree_entry_name(theirs_now);
      const git_tree_entry* ours_now = entry_of(mine, name);
      if (ours_now != nullptr && same(ours_now, theirs_now)) continue;
      git_oid id = *git_tree_entry_id(theirs_now);
      git_filemode_t mode = git_tree_entry_filemode_raw(theirs_now);
      if (ours_now != nullptr) {
        std::vector<const git_tree_entry*> base;
        for (const auto& tree : before)
          if (const git_tree_entry* entry = entry_of(tree, name)) base.push_back(entry);
        if (is_tree(ours_now) && is_tree(theirs_now)) {
          GITPLAN_TRY_ASSIGN(id, below(base, ours_now, theirs_now));
          mode = GIT_FILEMODE_TREE;
        } else if (keeps_ours(base, ours_now, theirs_now)) {
          continue;
        }
      }
      code = git_treebuilder_insert(nullptr, builder.get(), name, &id, mode);
    }
    git_oid united;
    if (code == 0) code = git_treebuilder_write(&united, builder.get());
    if (code != 0) return libgit2_error("cannot write the plan's tree", code);
    made_.push_back(united);
    return united;
  }

 private:
  Result<git_oid> below(const std::vector<const git_tree_entry*>& base, const git_tree_entry* ours,
                        const git_tree_entry* theirs) {
    std::vector<git_oid> trees_before;
    for (const git_tree_entry* entry : base)
      if (is_tree(entry)) trees_before.push_back(*git_tree_entry_id(entry));
    return trees(trees_before, *git_tree_entry_id(ours), *git_tree_entry_id(theirs));
  }

  static bool keeps_ours(const std::vector<const git_tree_entry*>& base, const git_tree_entry* ours,
                         const git_tree_entry* theirs) {
    bool ours_is_old = false, theirs_is_old = false;
    for (const git_tree_entry* entry : base) {
      ours_is_old = ours_is_old || same(entry, ours);
      theirs_is_old = theirs_is_old || same(entry, theirs);
    }
    if (ours_is_old != theirs_is_old) return theirs_is_old;
    return git_oid_cmp(git_tree_entry_id(ours), git_tree_entry_id(theirs)) > 0;
  }

  git_repository* repository_;
  std::vector<git_oid>& made_;
};

}  // namespace

Result<git_oid> unite_trees(git_repository* repository, const std::vector<git_oid>& bases,
                            const git_oid& ours, const git_oid& theirs,
                            std::vector<git_oid>& made) {
  return Union(repository, made).trees(bases, ours, theirs);
}

}  // namespace gitplan
