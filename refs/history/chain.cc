#include "refs/history/chain.h"

#include <algorithm>
#include <map>
#include <queue>

#include "refs/history/trees.h"

namespace gitplan::history {
namespace {

enum : unsigned { kFrom = 1, kTarget = 2, kBelow = 4 };

struct Node {
  unsigned flags = 0;
  git_time_t when = 0;
  std::vector<git_oid> parents;
  bool read = false, here = false;
};

// What lies above the merge bases of two commits, as `git merge-base` finds them.
class Walk {
 public:
  explicit Walk(git_repository* repository) : repository_(repository) {}

  void run(const git_oid& from, const git_oid& target) {
    add(from, kFrom);
    add(target, kTarget);
    while (above_ > 0) {
      const git_oid id = queue_.top().second;
      queue_.pop();
      Node& node = nodes_[id];
      if (queued_[id]-- > 1) continue;  // its flags go on with the last of its entries
      if ((node.flags & kBelow) == 0) --above_;
      unsigned flags = node.flags;
      if ((flags & (kFrom | kTarget)) == (kFrom | kTarget)) {
        if ((flags & kBelow) == 0) bases_.push_back(id);
        flags |= kBelow;
      }
      const std::vector<git_oid> parents = node.parents;
      for (const git_oid& parent : parents)
        if (!add(parent, flags)) lost_at.push_back(id);
    }
  }

  Node& node(const git_oid& id) {
    Node& node = nodes_[id];
    if (node.read) return node;
    node.read = true;
    Handle<git_commit> commit;
    if (git_commit_lookup(commit.out(), repository_, &id) != 0) return node;
    node.here = true;
    node.when = git_commit_time(commit.get());
    for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i)
      node.parents.push_back(*git_commit_parent_id(commit.get(), i));
    return node;
  }

  // The newest of those that have no other below them.
  std::optional<git_oid> base() {
    std::optional<git_oid> best;
    for (const git_oid& id : bases_) {
      if ((nodes_[id].flags & kBelow) != 0) continue;
      if (!best || nodes_[id].when > nodes_[*best].when) best = id;
    }
    return best;
  }

  std::vector<git_oid> lost_at;

 private:
  bool add(const git_oid& id, unsigned flags) {
    Node& found = node(id);
    if (!found.here) return false;
    if ((found.flags & flags) == flags) return true;
    const bool waits = queued_[id] > 0;
    if (waits && (found.flags & kBelow) == 0) --above_;
    found.flags |= flags;
    if ((found.flags & kBelow) == 0) ++above_;
    ++queued_[id];
    queue_.emplace(found.when, id);
    return true;
  }

  struct Later {
    bool operator()(const std::pair<git_time_t, git_oid>& a,
                    const std::pair<git_time_t, git_oid>& b) const {
      return a.first < b.first;
    }
  };
  git_repository* repository_;
  std::map<git_oid, Node, IdLess> nodes_;
  std::map<git_oid, int, IdLess> queued_;
  std::priority_queue<std::pair<git_time_t, git_oid>, std::vector<std::pair<git_time_t, git_oid>>,
                      Later>
      queue_;
  std::vector<git_oid> bases_;
  int above_ = 0;  // commits in the queue that are not below a base
};

// Whether commits above `start` come from it; without recursion, as a history is deep.
class Descent {
 public:
  Descent(Walk& walk, const git_oid& start) : walk_(walk) { known_[start] = true; }

  bool of(const git_oid& id) {
    std::vector<git_oid> open{id};
    while (!open.empty()) {
      const git_oid now = open.back();
      if (known_.contains(now)) {
        open.pop_back();
        continue;
      }
      const Node& node = walk_.node(now);
      bool answer = false, waits = false;
      if ((node.flags & kFrom) == 0) {
        for (const git_oid& parent : node.parents) {
          const auto found = known_.find(parent);
          if (found == known_.end()) {
            open.push_back(parent);
            waits = true;
          } else {
            answer = answer || found->second;
          }
        }
      }
      if (waits) continue;
      known_[now] = answer;
      open.pop_back();
    }
    return known_[id];
  }

 private:
  Walk& walk_;
  std::map<git_oid, bool, IdLess> known_;
};

}  // namespace

Ancestry find_chain(git_repository* repository, const git_oid& from, const git_oid& target) {
  Ancestry result;
  Walk walk(repository);
  if (!walk.node(target).here) {
    result.target_is_here = false;
    return result;
  }
  if (!walk.node(from).here) return result;
  walk.run(from, target);
  const auto base = walk.base();
  if (!base) {
    result.lost_at = walk.lost_at;
    return result;
  }
  if (git_oid_equal(&*base, &from) == 0) {
    Ancestry above = find_chain(repository, *base, target);
    above.lost_at.insert(above.lost_at.end(), walk.lost_at.begin(), walk.lost_at.end());
    return above;
  }
  Chain chain;
  chain.start = from;
  Descent descends(walk, from);
  for (git_oid now = target; git_oid_equal(&now, &from) == 0;) {
    Chain::Step step;
    step.commit = now;
    bool found = false;
    for (const git_oid& parent : walk.node(now).parents) {
      if (!found && descends.of(parent)) {
        step.before = parent;
        found = true;
      } else {
        step.others.push_back(parent);
      }
    }
    if (!found) return result;
    now = step.before;
    chain.steps.push_back(std::move(step));
  }
  std::reverse(chain.steps.begin(), chain.steps.end());
  result.chain = std::move(chain);
  return result;
}

std::optional<git_oid> merge_base(git_repository* repository, const git_oid& one,
                                  const git_oid& other) {
  Walk walk(repository);
  if (!walk.node(one).here || !walk.node(other).here) return std::nullopt;
  walk.run(one, other);
  return walk.base();
}

}  // namespace gitplan::history
