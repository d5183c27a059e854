#include "refs/wave/predict.h"

#include <set>

#include "refs/git/libgit2.h"
#include "refs/wave/objects.h"
#include "refs/wave/text_merge.h"

namespace gitplan {
namespace {

using Entry = std::optional<TreeEntry>;

class Prediction {
 public:
  explicit Prediction(const Repository& repository) : repository_(repository) {}

  // Merged entry (nothing inside: it is gone); nothing outside: unknown.
  std::optional<Entry> merge(const Entry& base, const Entry& ours, const Entry& theirs) const {
    if (ours == theirs || base == theirs) return ours;
    if (base == ours) return theirs;
    const auto is_tree = [](const Entry& entry) { return !entry || entry->mode == 0040000; };
    if (is_tree(base) && is_tree(ours) && is_tree(theirs) && ours && theirs)
      return merge_trees(base ? base->id : std::string(), ours->id, theirs->id);
    if (base && ours && theirs && base->regular() && ours->regular() && theirs->regular())
      return merge_files(*base, *ours, *theirs);
    return std::nullopt;
  }

 private:
  std::optional<Entry> merge_trees(const std::string& base, const std::string& ours,
                                   const std::string& theirs) const {
    Handle<git_tree> trees[3];
    const std::string* ids[3] = {&base, &ours, &theirs};
    std::set<std::string> names;
    for (int side = 0; side < 3; ++side) {
      if (ids[side]->empty()) continue;
      git_oid id;
      if (!parse_oid(*ids[side], id) ||
          git_tree_lookup(trees[side].out(), repository_.raw(), &id) != 0)
        return std::nullopt;
      for (std::size_t i = 0; i < git_tree_entrycount(trees[side].get()); ++i)
        names.insert(git_tree_entry_name(git_tree_entry_byindex(trees[side].get(), i)));
    }
    Handle<git_treebuilder> builder;
    if (git_treebuilder_new(builder.out(), repository_.raw(), trees[1].get()) != 0)
      return std::nullopt;
    for (const std::string& name : names) {
      Entry entries[3];
      for (int side = 0; side < 3; ++side) entries[side] = entry_in(trees[side].get(), name);
      const std::optional<Entry> merged = merge(entries[0], entries[1], entries[2]);
      if (!merged) return std::nullopt;
      if (*merged == entries[1]) continue;
      if (!put(builder.get(), name, *merged)) return std::nullopt;
    }
    if (git_treebuilder_entrycount(builder.get()) == 0) return Entry();
    git_oid id;
    if (git_treebuilder_write(&id, builder.get()) != 0) return std::nullopt;
    return Entry(TreeEntry{hex(id), 0040000});
  }

  std::optional<Entry> merge_files(const TreeEntry& base, const TreeEntry& ours,
                                   const TreeEntry& theirs) const {
    const auto text = merge_texts(repository_, base.id, ours.id, theirs.id, Favor::kNone);
    if (!text) return std::nullopt;
    auto id = write_blob(repository_, *text);
    if (!id) return std::nullopt;
    return Entry(TreeEntry{*id, base.mode == ours.mode ? theirs.mode : ours.mode});
  }

  static Entry entry_in(const git_tree* tree, const std::string& name) {
    const git_tree_entry* entry =
        tree == nullptr ? nullptr : git_tree_entry_byname(tree, name.c_str());
    if (entry == nullptr) return std::nullopt;
    return TreeEntry{hex(*git_tree_entry_id(entry)),
                     static_cast<unsigned>(git_tree_entry_filemode(entry))};
  }

  static bool put(git_treebuilder* builder, const std::string& name, const Entry& entry) {
    if (!entry) return git_treebuilder_remove(builder, name.c_str()) == 0;
    git_oid id;
    return parse_oid(entry->id, id) &&
           git_treebuilder_insert(nullptr, builder, name.c_str(), &id,
                                  static_cast<git_filemode_t>(entry->mode)) == 0;
  }

  const Repository& repository_;
};

}  // namespace

std::optional<std::string> predict_merge(const Repository& repository, const std::string& base,
                                         const std::string& ours, const std::string& theirs) {
  const auto tree = [](const std::string& id) { return Entry(TreeEntry{id, 0040000}); };
  const auto merged = Prediction(repository).merge(tree(base), tree(ours), tree(theirs));
  if (!merged || !*merged) return std::nullopt;
  return (*merged)->id;
}

}  // namespace gitplan
