#include "refs/fork/worktrees.h"
#include "refs/wave/choose_side.h"
#include "refs/wave/integrate.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/objects.h"
#include "refs/wave/overlap.h"
#include "refs/wave/provenance.h"

namespace gitplan {

Result<LandMerge> merge_for_landing(Repository& repository, std::string_view ours,
                                    std::string_view theirs, std::string_view choice,
                                    const std::string& tree_dir, const WorkOfTasks& done) {
  const std::string tip(ours), plan(theirs);
  const auto tree = worktree_at(repository, tree_dir);
  if (!tree) return error(ErrorCode::kNotFound, "'" + tree_dir + "' is not a worktree any more");
  GITPLAN_TRY_ASSIGN(const MergeRun run, merge_trees(tree->git(), {{tip, plan}}));
  if (run.outcomes.empty()) return failed("merging the plan's work: " + run.fault);
  const MergeOutcome& outcome = run.outcomes.front();
  LandMerge result;
  if (outcome.clean) {
    result.tree = outcome.tree;
    return result;
  }
  GITPLAN_TRY_ASSIGN(const std::string our_tree, tree_of_commit(repository, tip));
  GITPLAN_TRY_ASSIGN(const std::string their_tree, tree_of_commit(repository, plan));
  if (choice == "mine" || choice.starts_with("keep:")) {
    GITPLAN_TRY_ASSIGN(auto resolved, resolve_for_side(repository, outcome, our_tree, their_tree,
                                                       choice != "mine"));
    if (resolved) {
      result.tree = std::move(*resolved);
      return result;
    }
  }
  GITPLAN_TRY_ASSIGN(const std::string base, repository.git().read({"merge-base", tip, plan}));
  GITPLAN_TRY_ASSIGN(const std::string base_tree, tree_of_commit(repository, base));
  Provenance provenance(repository, base_tree);
  provenance.know(done);
  GITPLAN_TRY(provenance.add_commits(base, plan));
  result.conflicts = conflicts_of(repository, outcome, base_tree, our_tree, their_tree,
                                  SideNames("user", our_tree), SideNames(provenance));
  return result;
}

}  // namespace gitplan
