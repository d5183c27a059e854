// Trees of a history as they are compared here: nothing but tree objects is read, nothing fetched.
//
// Only .cc files of refs/history include this.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "refs/git/libgit2.h"

namespace gitplan::history {

struct Item {
  git_oid id{};
  unsigned mode = 0;

  bool folder() const { return mode == 040000; }
  bool submodule() const { return mode == 0160000; }
  // Files, executable or not, are of one kind.
  bool like(const Item& other) const { return (mode & 0170000) == (other.mode & 0170000); }
  bool same(const Item& other) const { return like(other) && git_oid_equal(&id, &other.id) != 0; }
};

struct PlacedItem {
  std::string path;
  Item item;
};

// No folders: files, links and submodules.
struct Change {
  std::string path;
  std::optional<Item> before, after;
};

struct IdLess {
  bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_cmp(&a, &b) < 0; }
};

class Trees {
 public:
  explicit Trees(git_repository* repository) : repository_(repository) {}

  // Nothing: it is not here.
  std::shared_ptr<git_tree> tree(const git_oid& id);
  std::optional<git_oid> tree_of(const git_oid& commit);
  // Nothing: no such path, or a tree on the way is not here.
  std::optional<Item> at(const git_oid& root, const std::string& path);
  // Everything below, with `prefix` in front; false: a tree is not here.
  bool list(const git_oid& root, const std::string& prefix, std::vector<PlacedItem>& into);
  bool compare(const git_oid& before, const git_oid& after, std::vector<Change>& into);

  bool lacked_one() const { return lacked_; }
  git_repository* repository() const { return repository_; }

 private:
  bool compare_below(const git_oid* before, const git_oid* after, const std::string& prefix,
                     std::vector<Change>& into);
  bool add_all(const git_tree_entry* entry, const std::string& path, bool is_before,
               std::vector<Change>& into);

  git_repository* repository_;
  std::map<git_oid, std::shared_ptr<git_tree>, IdLess> known_;
  bool lacked_ = false;
};

Item item_of(const git_tree_entry* entry);
std::string_view folder_of(std::string_view path);  // "" at the top
std::string_view name_of(std::string_view path);

}  // namespace gitplan::history
