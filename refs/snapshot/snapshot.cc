#include "refs/snapshot/snapshot.h"

#include <map>
#include <memory>
#include <set>
#include <tuple>

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

// "src/" is the folder that git calls "src".
std::string without_slash(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

// What a plan had noted before it was changed.
class NotedBefore {
 public:
  explicit NotedBefore(const PlanView* view) : view_(view) {}

  // Null: it was not noted, or was not there.
  const std::string* id_of(std::string_view path) const {
    if (view_ == nullptr) return nullptr;
    const auto& references = view_->ledger.snapshot.references;
    const auto found = references.find(without_slash(path));
    return found != references.end() && !found->second.empty() ? &found->second : nullptr;
  }

  std::string commit_of(const std::string& path) const {
    const SnapshotTaken& snapshot = view_->ledger.snapshot;
    const auto since = snapshot.since.find(path);
    return since == snapshot.since.end() ? snapshot.commit : since->second;
  }

  // The paths of which lines are named, all of them as before.
  std::set<std::string> with_the_same_lines(const std::vector<Reference>& now) const {
    std::set<std::string> same, other;
    if (view_ == nullptr) return same;
    std::set<std::tuple<std::string, int, int>> known;
    for (const Reference& one :
         references_of(view_->plan, [this](auto path) { return id_of(path) != nullptr; }))
      known.emplace(one.path, one.first_line, one.last_line);
    for (const Reference& one : now) {
      if (one.first_line == 0) continue;
      const bool as_before = known.contains({one.path, one.first_line, one.last_line});
      (as_before ? same : other).insert(one.path);
    }
    for (const std::string& path : other) same.erase(path);
    return same;
  }

 private:
  const PlanView* view_;
};

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

Result<SnapshotTaken> take_snapshot(const Repository& repository, const Plan& plan,
                                    const PlanView* before,
                                    const std::set<std::string>& unsettled) {
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
  const NotedBefore noted(before);
  const std::vector<Reference> references = references_of(
      plan, [&](std::string_view path) { return exists(path) || noted.id_of(path) != nullptr; });
  const std::set<std::string> same_lines = noted.with_the_same_lines(references);
  for (const Reference& reference : references) {
    const std::string& path = reference.path;
    std::string& content = snapshot.references[path];
    if (!content.empty()) continue;
    if (exists(path)) {
      GITPLAN_TRY_ASSIGN(content, content_id(repository, tree.get(), snapshot.commit, path));
    }
    const std::string* id = noted.id_of(path);
    if (id == nullptr || *id == content) continue;
    if (!content.empty() && !unsettled.contains(path) && !same_lines.contains(path)) continue;
    content = *id;
    snapshot.since[path] = noted.commit_of(path);
  }
  return snapshot;
}

}  // namespace gitplan
