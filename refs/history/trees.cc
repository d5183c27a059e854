#include "refs/history/trees.h"

#include <cstring>

namespace gitplan::history {
namespace {

constexpr std::size_t kKept = 4096;  // trees in memory

// As git orders names in a tree: a folder as if a slash followed.
int order(const git_tree_entry* a, const git_tree_entry* b) { return git_tree_entry_cmp(a, b); }

}  // namespace

Item item_of(const git_tree_entry* entry) {
  return {*git_tree_entry_id(entry), static_cast<unsigned>(git_tree_entry_filemode(entry))};
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::shared_ptr<git_tree> Trees::tree(const git_oid& id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  git_tree* raw = nullptr;
  if (git_tree_lookup(&raw, repository_, &id) != 0) {
    lacked_ = true;
    return nullptr;
  }
  if (known_.size() >= kKept) known_.clear();
  return known_.emplace(id, std::shared_ptr<git_tree>(raw, git_tree_free)).first->second;
}

std::optional<git_oid> Trees::tree_of(const git_oid& commit) {
  Handle<git_commit> found;
  if (git_commit_lookup(found.out(), repository_, &commit) != 0) return std::nullopt;
  return *git_commit_tree_id(found.get());
}

std::optional<Item> Trees::at(const git_oid& root, const std::string& path) {
  git_oid now = root;
  std::size_t begin = 0;
  while (true) {
    const auto folder = tree(now);
    if (folder == nullptr) return std::nullopt;
    const std::size_t slash = path.find('/', begin);
    const std::string part = path.substr(begin, slash - begin);
    const git_tree_entry* entry = git_tree_entry_byname(folder.get(), part.c_str());
    if (entry == nullptr) return std::nullopt;
    if (slash == std::string::npos) return item_of(entry);
    if (!item_of(entry).folder()) return std::nullopt;
    now = *git_tree_entry_id(entry);
    begin = slash + 1;
  }
}

bool Trees::list(const git_oid& root, const std::string& prefix, std::vector<PlacedItem>& into) {
  const auto folder = tree(root);
  if (folder == nullptr) return false;
  bool all = true;
  for (std::size_t i = 0; i < git_tree_entrycount(folder.get()); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(folder.get(), i);
    const std::string path = prefix + git_tree_entry_name(entry);
    if (item_of(entry).folder())
      all = list(*git_tree_entry_id(entry), path + '/', into) && all;
    else
      into.push_back({path, item_of(entry)});
  }
  return all;
}

bool Trees::compare(const git_oid& before, const git_oid& after, std::vector<Change>& into) {
  return compare_below(&before, &after, {}, into);
}

bool Trees::add_all(const git_tree_entry* entry, const std::string& path, bool is_before,
                    std::vector<Change>& into) {
  if (item_of(entry).folder()) {
    const git_oid* id = git_tree_entry_id(entry);
    return compare_below(is_before ? id : nullptr, is_before ? nullptr : id, path + '/', into);
  }
  Change change{path, std::nullopt, std::nullopt};
  (is_before ? change.before : change.after) = item_of(entry);
  into.push_back(std::move(change));
  return true;
}

bool Trees::compare_below(const git_oid* before, const git_oid* after, const std::string& prefix,
                          std::vector<Change>& into) {
  if (before != nullptr && after != nullptr && git_oid_equal(before, after) != 0) return true;
  std::shared_ptr<git_tree> one, other;
  if (before != nullptr && (one = tree(*before)) == nullptr) return false;
  if (after != nullptr && (other = tree(*after)) == nullptr) return false;
  const std::size_t one_size = one ? git_tree_entrycount(one.get()) : 0;
  const std::size_t other_size = other ? git_tree_entrycount(other.get()) : 0;
  bool all = true;
  for (std::size_t i = 0, j = 0; i < one_size || j < other_size;) {
    const git_tree_entry* a = i < one_size ? git_tree_entry_byindex(one.get(), i) : nullptr;
    const git_tree_entry* b = j < other_size ? git_tree_entry_byindex(other.get(), j) : nullptr;
    const int way = a == nullptr ? 1 : b == nullptr ? -1 : order(a, b);
    const std::string path = prefix + git_tree_entry_name(way <= 0 ? a : b);
    if (way == 0 && item_of(a).folder() && item_of(b).folder()) {
      all = compare_below(git_tree_entry_id(a), git_tree_entry_id(b), path + '/', into) && all;
    } else if (way == 0) {
      const Item was = item_of(a), is = item_of(b);
      if (!was.same(is)) into.push_back({path, was, is});
    } else {
      all = add_all(way < 0 ? a : b, path, way < 0, into) && all;
    }
    if (way <= 0) ++i;
    if (way >= 0) ++j;
  }
  return all;
}

}  // namespace gitplan::history
