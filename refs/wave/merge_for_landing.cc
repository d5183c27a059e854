#include <algorithm>
#include <set>

#include "refs/fork/worktrees.h"
#include "refs/wave/choose_side.h"
#include "refs/wave/integrate.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/objects.h"
#include "refs/wave/overlap.h"
#include "refs/wave/provenance.h"
#include "refs/wave/quarantine.h"

namespace gitplan {
namespace {

using Answers = std::map<std::string, std::string>;

// The paths of the plan's side: those of the conflicts that were answered so. A conflict is named
// by one path and can be about several, as where a file was renamed.
std::set<std::string> paths_of_theirs(const MergeOutcome& outcome, const Answers& answers) {
  std::set<std::string> result;
  for (const auto& [path, side] : answers)
    if (side == "theirs") result.insert(path);
  const std::set<std::string> named = result;
  for (const MergeMessage& message : outcome.messages)
    if (message.type.starts_with("CONFLICT") && !message.paths.empty() &&
        named.contains(message.paths.front()))
      result.insert(message.paths.begin(), message.paths.end());
  return result;
}

}  // namespace

Result<LandMerge> merge_for_landing(Repository& repository, std::string_view ours,
                                    std::string_view theirs, const Answers& answers,
                                    const std::string& tree_dir, const WorkOfTasks& done) {
  const std::string tip(ours), plan(theirs);
  const auto tree = worktree_at(repository, tree_dir);
  if (!tree) return error(ErrorCode::kNotFound, "'" + tree_dir + "' is not a worktree any more");
  GITPLAN_TRY_ASSIGN(const Quarantine quarantine, Quarantine::make(repository, tree->admin));
  const Repository& inside = quarantine.inside();
  GITPLAN_TRY_ASSIGN(const MergeRun run, merge_trees(quarantine.git(tree->git()), {{tip, plan}}));
  if (run.outcomes.empty()) return failed("merging the plan's work: " + run.fault);
  const MergeOutcome& outcome = run.outcomes.front();
  LandMerge result;
  const auto take = [&](std::string merged) -> Result<LandMerge> {
    GITPLAN_TRY(quarantine.keep(merged));
    result.tree = std::move(merged);
    return std::move(result);
  };
  if (outcome.clean) return take(outcome.tree);
  GITPLAN_TRY_ASSIGN(const std::string our_tree, tree_of_commit(inside, tip));
  GITPLAN_TRY_ASSIGN(const std::string their_tree, tree_of_commit(inside, plan));
  GITPLAN_TRY_ASSIGN(const std::string base, inside.git().read({"merge-base", tip, plan}));
  GITPLAN_TRY_ASSIGN(const std::string base_tree, tree_of_commit(inside, base));
  Provenance provenance(inside, base_tree);
  provenance.know(done);
  GITPLAN_TRY(provenance.add_commits(base, plan));
  result.conflicts = conflicts_of(inside, outcome, base_tree, our_tree, their_tree,
                                  SideNames("user", our_tree), SideNames(provenance));
  const bool answered =
      std::all_of(result.conflicts.begin(), result.conflicts.end(),
                  [&](const Conflict& conflict) { return answers.contains(conflict.path); });
  if (!answered) return result;
  const std::set<std::string> of_plan = paths_of_theirs(outcome, answers);
  GITPLAN_TRY_ASSIGN(auto resolved, resolve_for_side(inside, outcome, our_tree, their_tree,
                                                     [&of_plan](const std::string& path) {
                                                       return of_plan.contains(path);
                                                     }));
  if (!resolved) return result;
  result.conflicts.clear();
  return take(std::move(*resolved));
}

}  // namespace gitplan
