#include "refs/wave/foretell.h"

#include <algorithm>
#include <set>

#include "refs/store/local_file.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/overlap.h"
#include "refs/wave/predict.h"
#include "refs/wave/quarantine.h"
#include "refs/wave/tree_changes.h"

namespace gitplan {
namespace {

struct Grown {
  const GrowingBranch* branch;
  std::string base_tree, tree;
  std::set<std::string> paths;
};

// It, or a folder above it, is among them.
bool meets(const std::string& path, const std::set<std::string>& others) {
  for (std::size_t end = path.size(); end != std::string::npos; end = path.rfind('/', end - 1)) {
    if (others.contains(path.substr(0, end))) return true;
    if (end == 0) break;
  }
  return false;
}

// The same path, or one of them made a file of a folder that the other changed something in.
bool paths_meet(const Grown& one, const Grown& other) {
  const auto any = [](const std::set<std::string>& paths, const std::set<std::string>& others) {
    return std::ranges::any_of(paths, [&](const std::string& path) { return meets(path, others); });
  };
  return any(one.paths, other.paths) || any(other.paths, one.paths);
}

Result<Grown> grown_from(const Repository& repository, const GrowingBranch& branch) {
  Grown side{&branch, {}, {}, {}};
  GITPLAN_TRY_ASSIGN(side.base_tree, tree_of_commit(repository, branch.base));
  GITPLAN_TRY_ASSIGN(side.tree, tree_of_commit(repository, branch.commit));
  GITPLAN_TRY_ASSIGN(const TreeChanges changes,
                     tree_changes(repository, side.base_tree, side.tree));
  for (const auto& [path, change] : changes) side.paths.insert(path);
  return side;
}

}  // namespace

Result<std::vector<ForetoldConflict>> foretell(const Repository& repository,
                                               const std::vector<GrowingBranch>& branches,
                                               const std::string& directory) {
  std::vector<Grown> sides;
  for (const GrowingBranch& branch : branches) {
    GITPLAN_TRY_ASSIGN(Grown side, grown_from(repository, branch));
    if (!side.paths.empty()) sides.push_back(std::move(side));
  }
  GITPLAN_TRY(make_directories(directory));
  GITPLAN_TRY_ASSIGN(const Quarantine quarantine, Quarantine::make(repository, directory));
  const Repository& inside = quarantine.inside();
  std::vector<std::pair<const Grown*, const Grown*>> unclear;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      const Grown &one = sides[i], &other = sides[j];
      if (!paths_meet(one, other)) continue;
      if (one.base_tree == other.base_tree &&
          predict_merge(inside, one.base_tree, one.tree, other.tree))
        continue;
      unclear.emplace_back(&one, &other);
      pairs.emplace_back(one.branch->commit, other.branch->commit);
    }
  std::vector<ForetoldConflict> found;
  if (pairs.empty()) return found;
  GITPLAN_TRY_ASSIGN(const MergeRun merged, merge_trees(quarantine.git(repository.git()), pairs));
  for (std::size_t i = 0; i < merged.outcomes.size(); ++i) {
    if (merged.outcomes[i].clean) continue;
    const auto& [one, other] = unclear[i];
    const SideNames ours(one->branch->task, one->tree), theirs(other->branch->task, other->tree);
    found.push_back({one->branch->task, other->branch->task,
                     conflicts_of(inside, merged.outcomes[i], one->base_tree, one->tree,
                                  other->tree, ours, theirs)});
  }
  return found;
}

}  // namespace gitplan
