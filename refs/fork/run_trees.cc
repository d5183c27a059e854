// The trees that belong to a run and not to an attempt: for integrating, and for resolving by hand.
#include <unistd.h>

#include "refs/fork/fork_lock.h"
#include "refs/fork/forks.h"
#include "refs/fork/tree_making.h"
#include "refs/fork/tree_root.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

std::string plan_of(const std::string& plan_dir) {
  return read_small_file(plan_dir + "/id").value_or(plan_dir.substr(plan_dir.rfind('/') + 1));
}

std::string hand_record(const std::string& plan_dir, std::string_view decision) {
  return plan_dir + "/hand/" + std::string(decision);
}

struct RunTree {
  std::string path;
  bool fresh = false;
};

// The tree that the record names, or a new one that stands at `commit`.
Result<RunTree> run_tree(const Repository& repository, const Settings& settings,
                         const ForkLock& lock, const std::string& record, const std::string& reason,
                         std::string_view suffix, const std::string& commit) {
  if (const auto path = read_small_file(record))
    if (const auto tree = worktree_at(repository, *path); tree && tree->present())
      return RunTree{tree->path, false};
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository));
  for (const Worktree& tree : trees)  // deleted by hand, or half made
    if (!tree.main && tree.lock_reason == reason)
      GITPLAN_TRY(remove_worktree(repository, tree, lock));
  GITPLAN_TRY_ASSIGN(const std::string root, tree_root(repository, settings));
  NewTree wanted;
  GITPLAN_TRY_ASSIGN(wanted.path, free_tree_path(repository, root, suffix));
  wanted.commit = commit;
  wanted.reason = reason;
  GITPLAN_TRY(make_tree(repository, wanted, lock));
  GITPLAN_TRY(replace_file(record, wanted.path + "\n", true));
  return RunTree{wanted.path, true};
}

Status release_run_tree(const Repository& repository, const ForkLock& lock,
                        const std::string& record) {
  const auto path = read_small_file(record);
  if (!path) return {};
  if (const auto tree = worktree_at(repository, *path))
    GITPLAN_TRY(remove_worktree(repository, *tree, lock));
  drop_empty_root(*path);  // also where the tree was gone: a killed process got no further
  ::unlink(record.c_str());
  return {};
}

}  // namespace

Result<std::string> Forks::integration_tree(const std::string& plan_dir, std::string_view commit) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  const std::string wanted(commit);
  GITPLAN_TRY_ASSIGN(const RunTree tree,
                     run_tree(repository_, settings_, lock, plan_dir + "/integration",
                              lock_reason(plan_of(plan_dir), "integration", {}), {}, wanted));
  if (tree.fresh) return tree.path;
  // A wave's commit that nobody has been told of yet would be lost by standing elsewhere.
  const auto found = worktree_at(repository_, tree.path);
  if (found && !found->on_branch() && found->head != wanted &&
      read_small_file(found->admin + "/plan-wave").value_or("").starts_with(wanted + " ") &&
      repository_.is_ancestor(wanted, found->head))
    return tree.path;
  GITPLAN_TRY(stand_at(repository_, tree.path, wanted));
  return tree.path;
}

Status Forks::release_integration_tree(const std::string& plan_dir) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  return release_run_tree(repository_, lock, plan_dir + "/integration");
}

Result<std::string> Forks::hand_tree(const std::string& plan_dir, std::string_view decision,
                                     std::string_view commit) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  GITPLAN_TRY_ASSIGN(
      RunTree tree,
      run_tree(repository_, settings_, lock, hand_record(plan_dir, decision),
               lock_reason(plan_of(plan_dir), "decision", decision), "-hand", std::string(commit)));
  return std::move(tree.path);
}

Status Forks::release_hand_tree(const std::string& plan_dir, std::string_view decision) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  GITPLAN_TRY(release_run_tree(repository_, lock, hand_record(plan_dir, decision)));
  ::rmdir((plan_dir + "/hand").c_str());
  return {};
}

}  // namespace gitplan
