#include "refs/history/watch.h"

namespace gitplan::history {
namespace {

std::optional<Item> child(const git_tree* tree, const std::string& name) {
  const git_tree_entry* entry =
      tree == nullptr ? nullptr : git_tree_entry_byname(tree, name.c_str());
  return entry == nullptr ? std::nullopt : std::optional(item_of(entry));
}

std::optional<git_oid> folder_id(const std::optional<Item>& item) {
  return item && item->folder() ? std::optional(item->id) : std::nullopt;
}

}  // namespace

void Watch::add(std::string_view path, std::size_t name) {
  Node* node = &root_;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    auto found = node->below.find(part);
    if (found == node->below.end())
      found = node->below.emplace(part, std::make_unique<Node>()).first;
    node = found->second.get();
  }
  node->names.push_back(name);
}

bool Watch::compare(Trees& trees, const git_oid& before, const git_oid& after,
                    std::vector<Touched>& touched) const {
  if (git_oid_equal(&before, &after) != 0) return true;
  return compare(root_, trees, before, after, touched);
}

bool Watch::compare(const Node& node, Trees& trees, const std::optional<git_oid>& before,
                    const std::optional<git_oid>& after, std::vector<Touched>& touched) {
  std::shared_ptr<git_tree> one, other;
  if (before && (one = trees.tree(*before)) == nullptr) return false;
  if (after && (other = trees.tree(*after)) == nullptr) return false;
  for (const auto& [name, next] : node.below) {
    const std::optional<Item> was = child(one.get(), name), is = child(other.get(), name);
    if (!was && !is) continue;
    if (was && is && was->same(*is)) continue;
    for (const std::size_t touch : next->names) touched.push_back({touch, is});
    if (next->below.empty()) continue;
    const auto below_was = folder_id(was), below_is = folder_id(is);
    if ((below_was || below_is) && !compare(*next, trees, below_was, below_is, touched))
      return false;
  }
  return true;
}

}  // namespace gitplan::history
