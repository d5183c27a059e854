#include "refs/wave/hand_merge.h"

#include <unistd.h>

#include <map>
#include <sstream>

#include "refs/fork/left_state.h"
#include "refs/fork/staging.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

Result<Worktree> tree_at(const Repository& repository, const std::string& path) {
  auto tree = worktree_at(repository, path);
  if (!tree || !tree->present())
    return error(ErrorCode::kNotFound, "'" + path + "' is not there any more",
                 "choose 'hand' again to have it made again");
  return std::move(*tree);
}

Result<std::string> head_of(const Repository& repository, const Worktree& tree) {
  if (!tree.on_branch()) return tree.head;
  GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(tree.head));
  return tip.value_or("");
}

// Unmerged, and only one side has the file.
Result<std::vector<std::string>> one_sided(const Worktree& tree) {
  GITPLAN_TRY_ASSIGN(const std::string entries, tree.git().read({"ls-files", "-u", "-z"}));
  std::map<std::string, int> sides;
  for (const std::string& entry : split_nul(entries)) {
    const std::size_t tab = entry.find('\t');
    if (tab != std::string::npos && tab > 0 && entry[tab - 1] != '1')
      ++sides[entry.substr(tab + 1)];
  }
  GITPLAN_TRY_ASSIGN(std::vector<std::string> open, unmerged_files(tree));
  std::erase_if(open, [&](const std::string& path) { return sides[path] == 2; });
  return open;
}

Error not_resolved(const Worktree& tree, const std::vector<std::string>& files) {
  return error(ErrorCode::kDecision, "not resolved in '" + tree.path + "': " + some_of(files),
               "edit them there; a file that one side deleted: git -C '" + tree.path +
                   "' add <file>, or rm <file>");
}

}  // namespace

Status prepare_conflict(const Repository& repository, const std::string& tree,
                        const std::string& ours, const std::string& theirs) {
  GITPLAN_TRY_ASSIGN(const Worktree found, tree_at(repository, tree));
  GITPLAN_TRY_ASSIGN(const std::string head, head_of(repository, found));
  if (read_small_file(found.admin + "/MERGE_HEAD").value_or("") == theirs) return {};
  if (repository.is_ancestor(ours, head) && repository.is_ancestor(theirs, head)) return {};
  GITPLAN_TRY(stand_at(repository, tree, ours));
  GitCall call;
  call.args = {"-c",      "core.hooksPath=/dev/null",
               "-c",      "merge.verifySignatures=false",
               "-c",      "merge.ff=true",
               "merge",   "--no-commit",
               "--no-ff", "-q",
               theirs};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, found.git().call(call));
  if (exists(found.admin + "/MERGE_HEAD")) return {};
  return failed("git merge in '" + tree + "': " + outcome.output + outcome.error);
}

Result<std::string> take_hand(const Repository& repository, const std::string& tree,
                              const std::string& message, HandCommit kind) {
  GITPLAN_TRY_ASSIGN(const Worktree found, tree_at(repository, tree));
  GITPLAN_TRY(restore_link(found));
  GITPLAN_TRY(clear_stale_locks(repository, found));
  if (const auto operation = found.operation(); operation && *operation != "merge")
    return error(ErrorCode::kDecision, "'" + tree + "' is in the middle of a " + *operation,
                 "finish it there first");
  GITPLAN_TRY_ASSIGN(std::vector<std::string> open, one_sided(found));
  if (!open.empty()) return not_resolved(found, open);
  const std::string merging = read_small_file(found.admin + "/MERGE_HEAD").value_or("");
  if (!merging.empty()) {
    GITPLAN_TRY_ASSIGN(open, files_with_marks(found));
    if (!open.empty()) return not_resolved(found, open);
  }
  GITPLAN_TRY_ASSIGN(std::string head, head_of(repository, found));
  GITPLAN_TRY_ASSIGN(const auto unsaved, unsaved_paths(found));
  if (merging.empty() && unsaved.empty()) return head;
  if (kind == HandCommit::kFinal) {
    GITPLAN_TRY(found.git().check({"add", "-A"}));
    GITPLAN_TRY(found.git().check({"commit", "-q", "-m", message}));
    return found.git().read({"rev-parse", "HEAD"});
  }
  Staging staging(repository, found, head);
  GITPLAN_TRY_ASSIGN(const Staged staged, staging.stage(head));
  std::vector<std::string> parents{head};
  std::istringstream heads(merging);
  for (std::string line; std::getline(heads, line);)
    if (!line.empty()) parents.push_back(line);
  GITPLAN_TRY_ASSIGN(std::string commit, staging.commit(staged.tree, parents, message));
  GITPLAN_TRY(found.git().check({"update-ref", "-m", "plan: resolved by hand", "HEAD", commit}));
  for (const char* state : {"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE"})
    ::unlink((found.admin + "/" + state).c_str());
  return commit;
}

Result<std::vector<std::string>> conflicts_in(const Repository& repository,
                                              const std::string& tree) {
  GITPLAN_TRY_ASSIGN(const Worktree found, tree_at(repository, tree));
  return unmerged_files(found);
}

}  // namespace gitplan
