// Noted paths as a tree, so that two commits are compared only where something is noted.
//
// Only .cc files of refs/history include this.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refs/history/trees.h"

namespace gitplan::history {

class Watch {
 public:
  void add(std::string_view path, std::size_t name);

  struct Touched {
    std::size_t name = 0;
    std::optional<Item> after;
  };
  // Those whose item is another one; false: a tree is not here, and `touched` is not complete.
  bool compare(Trees& trees, const git_oid& before, const git_oid& after,
               std::vector<Touched>& touched) const;

 private:
  struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> below;
    std::vector<std::size_t> names;
  };
  static bool compare(const Node& node, Trees& trees, const std::optional<git_oid>& before,
                      const std::optional<git_oid>& after, std::vector<Touched>& touched);
  Node root_;
};

}  // namespace gitplan::history
