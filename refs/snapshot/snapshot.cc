#include "refs/snapshot/snapshot.h"

#include <map>
#include <memory>

#include "core/plan/references.h"
#include "refs/git/libgit2.h"

namespace gitplan {
namespace {

// The id of a path's content in a tree; "": not there.
Result<std::string> content_id(const Repository& repository, git_tree* tree,
                               const std::string& commit, const std::string& path) {
  Handle<git_tree_entry> entry;
  const int code = git_tree_entry_bypath(entry.out(), tree, path.c_str());
  if (code == 0) return hex(*git_tree_entry_id(entry.get()));
  if (code == GIT_ENOTFOUND && !repository.path_at(commit, path)) return std::string();
  // A partial clone: git fetches the tree that libgit2 lacks.
  return repository.git().read({"rev-parse", "--verify", "-q", commit + ":" + path});
}

}  // namespace

std::function<bool(std::string_view)> exists_at_head(const Repository& repository) {
  struct Known {
    std::string commit;
    std::map<std::string, bool, std::less<>> paths;
  };
  auto known = std::make_shared<Known>();
  if (const auto head = repository.head_commit(); head && *head) known->commit = **head;
  return [known, &repository](std::string_view path) {
    if (known->commit.empty() || path.empty()) return false;
    const auto found = known->paths.find(path);
    if (found != known->paths.end()) return found->second;
    const bool there = repository.path_at(known->commit, path);
    known->paths.emplace(path, there);
    return there;
  };
}

Result<SnapshotTaken> take_snapshot(const Repository& repository, const Plan& plan) {
  SnapshotTaken snapshot;
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository.head_commit());
  const auto exists = exists_at_head(repository);
  Handle<git_tree> tree;
  if (head) {
    snapshot.commit = *head;
    git_oid id;
    Handle<git_commit> commit;
    if (!parse_oid(*head, id)) return failed("HEAD is no commit: " + *head);
    int code = git_commit_lookup(commit.out(), repository.raw(), &id);
    if (code == 0) code = git_commit_tree(tree.out(), commit.get());
    if (code != 0) return libgit2_error("reading the tree of HEAD", code);
  }
  for (const Reference& reference : references_of(plan, exists)) {
    std::string& content = snapshot.references[reference.path];
    if (!content.empty() || !exists(reference.path)) continue;
    GITPLAN_TRY_ASSIGN(content,
                       content_id(repository, tree.get(), snapshot.commit, reference.path));
  }
  return snapshot;
}

}  // namespace gitplan
