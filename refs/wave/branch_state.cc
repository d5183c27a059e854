#include "refs/wave/branch_state.h"

#include "refs/fork/left_state.h"
#include "refs/git/git_processes.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

std::string short_name(const std::string& branch) {
  return branch.starts_with("refs/heads/") ? branch.substr(11) : branch;
}

std::string with_article(const std::string& operation) { return "a " + operation; }

}  // namespace

Result<std::vector<Worktree>> holders_of(const Repository& repository, const std::string& branch) {
  GITPLAN_TRY_ASSIGN(auto trees, list_worktrees(repository));
  std::erase_if(trees,
                [&branch](const Worktree& tree) { return tree.head != branch || !tree.present(); });
  return trees;
}

Result<std::optional<std::string>> reason_to_wait(const Repository& repository,
                                                  const std::string& branch) {
  using Reason = std::optional<std::string>;
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository));
  for (const Worktree& tree : trees) {
    if (!tree.present()) continue;
    if (tree.head != branch) {
      if (tree.held_branch() == branch)
        return Reason("the branch '" + short_name(branch) + "' is in the middle of " +
                      with_article(tree.operation().value_or("rebase")) + " in '" + tree.path +
                      "'");
      continue;
    }
    if (const auto operation = tree.operation())
      return Reason("'" + tree.path + "' is in the middle of " + with_article(*operation));
    const auto processes = git_processes_in(tree.path);
    if (!processes.empty())
      return Reason("'git " + processes.front().command + "' (process " +
                    std::to_string(processes.front().pid) + ") is at work in '" + tree.path + "'");
    for (const char* file : {"/index.lock", "/HEAD.lock"})
      if (const std::string lock = tree.admin + file; exists(lock))
        return Reason("'" + lock +
                      "' exists: a git is at work there, or was killed (then remove it)");
    // As 'git stash pop' leaves them: git moves no branch over them.
    GITPLAN_TRY_ASSIGN(const auto unmerged, unmerged_files(tree));
    if (!unmerged.empty())
      return Reason("in '" + tree.path +
                    "' are files with conflicts that are not resolved: " + some_of(unmerged));
  }
  return Reason();
}

}  // namespace gitplan
