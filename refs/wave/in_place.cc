#include "refs/wave/in_place.h"

#include <algorithm>

#include "core/base/branch_name.h"
#include "core/plan/references.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/staging.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "refs/wave/tree_changes.h"

namespace gitplan {
namespace {

struct Before {
  std::string head, branch, state, path;
};

std::optional<Before> read_before(const std::string& attempt_dir) {
  const std::string text = read_small_file(attempt_dir + "/before").value_or("") + "\n";
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  if (lines.size() != 4) return std::nullopt;
  return Before{lines[0], lines[1], lines[2], lines[3]};
}

Result<Worktree> user_tree(const Repository& repository, const std::string& path) {
  if (auto tree = worktree_at(repository, path); tree && tree->present()) return *std::move(tree);
  return error(ErrorCode::kRefused, "the working tree '" + path + "' is not there any more");
}

Result<std::string> with(const Repository& repository, const std::string& tree,
                         const TreeUpdates& updates) {
  if (updates.empty()) return tree;
  if (auto updated = updated_tree(repository, tree, updates)) return *std::move(updated);
  return failed("the tree " + tree.substr(0, 12) + " cannot be written with " +
                updates.begin()->first);
}

// What an earlier attempt left and nobody has touched since is taken back out of the state.
Result<std::string> without_leavings(const Repository& repository, std::string state,
                                     const std::vector<std::string>& earlier) {
  for (auto dir = earlier.rbegin(); dir != earlier.rend(); ++dir) {
    const auto before = read_before(*dir);
    const auto after = read_small_file(*dir + "/after");
    if (!before || !after || after->empty()) continue;  // empty: the machine went down
    GITPLAN_TRY_ASSIGN(const TreeChanges left, tree_changes(repository, before->state, *after));
    TreeUpdates back;
    for (const auto& [path, change] : left)
      if (entry_at(repository, state, path) == change.after) back[path] = change.before;
    GITPLAN_TRY_ASSIGN(state, with(repository, state, back));
  }
  return state;
}

bool matches(const std::vector<std::string>& specs, const std::string& path) {
  return std::any_of(specs.begin(), specs.end(),
                     [&](const std::string& spec) { return pathspec_matches(spec, path); });
}

// One attempt's change, sorted into what is its own and what may be somebody else's.
struct Sorted {
  TreeUpdates own, mixed;
  std::vector<Conflict> conflicts;
};

Result<Sorted> sort_out(const Repository& repository, const Before& before,
                        const std::string& head_tree, const std::string& after,
                        const InPlaceScope& scope, const std::string& task) {
  GITPLAN_TRY_ASSIGN(const TreeChanges changed, tree_changes(repository, before.state, after));
  GITPLAN_TRY_ASSIGN(const TreeChanges dirty, tree_changes(repository, head_tree, before.state));
  Sorted sorted;
  for (const auto& [path, change] : changed) {
    const bool outside = !scope.own.empty() && !matches(scope.own, path);
    if (outside && matches(scope.others, path)) continue;
    if (!outside && !dirty.contains(path)) {
      sorted.own[path] = change.after;
      continue;
    }
    sorted.mixed[path] = change.after;
    Conflict conflict{path, outside ? "outside" : "dirty", {{"user", {}}, {task, {}}}};
    conflict.sides.back().deleted = !change.after;
    sorted.conflicts.push_back(std::move(conflict));
  }
  return sorted;
}

std::string message_of(const ForkSpec& spec, std::string_view subject) {
  return std::string(subject) + "\n\nPlan: " + spec.plan + "\nPlan-Attempt: " + spec.task + "/" +
         spec.attempt + "\n";
}

}  // namespace

std::optional<InPlaceStart> begun_in_place(const std::string& attempt_dir) {
  const auto before = read_before(attempt_dir);
  if (!before) return std::nullopt;
  return InPlaceStart{before->path, before->head};
}

Result<InPlaceStart> begin_in_place(Repository& repository, const ForkSpec& spec,
                                    const std::string& actor, const std::string& branch,
                                    const std::vector<std::string>& earlier, TreeMemo& memo) {
  const std::string& path = repository.work_tree();
  GITPLAN_TRY_ASSIGN(const Worktree tree, user_tree(repository, path));
  if (tree.head != branch)
    return error(ErrorCode::kRefused,
                 "your working tree is not on '" + branch_name(branch) + "', where the plan lands" +
                     (tree.on_branch() ? ", but on '" + branch_name(tree.head) + "'" : ""),
                 "git switch " + branch_name(branch));
  GITPLAN_TRY_ASSIGN(const auto head, repository.ref(branch));
  if (!head)
    return error(ErrorCode::kRefused, "the branch '" + branch_name(branch) + "' has no commit yet");
  GITPLAN_TRY(make_directories(spec.attempt_dir));
  GITPLAN_TRY_ASSIGN(const Staged now,
                     memo.state(repository, tree, *head, spec.attempt_dir + "/index"));
  GITPLAN_TRY_ASSIGN(const std::string head_tree, tree_of_commit(repository, *head));
  GITPLAN_TRY_ASSIGN(const std::string state, without_leavings(repository, now.tree, earlier));
  // Both are needed later, also where git gc runs meanwhile.
  for (const std::string& tree_id : {now.tree, state}) {
    if (tree_id == head_tree) continue;
    GITPLAN_TRY_ASSIGN(const std::string kept,
                       write_commit(repository, tree_id, {*head},
                                    "Your working tree before '" + spec.task + "'\n", 0));
    GITPLAN_TRY(keep_commits(repository, spec.plan, actor, {kept}));
  }
  GITPLAN_TRY(replace_file(spec.attempt_dir + "/before",
                           *head + "\n" + branch + "\n" + state + "\n" + path + "\n", true));
  GITPLAN_TRY(replace_file(spec.attempt_dir + "/working-tree", path, false));
  return InPlaceStart{path, *head};
}

Result<InPlaceWork> collect_in_place(Repository& repository, const ForkSpec& spec,
                                     const std::string& actor, const InPlaceScope& scope,
                                     std::string_view subject, TreeMemo& memo) {
  const auto before = read_before(spec.attempt_dir);
  if (!before) return failed("nobody noted what was in the working tree before");
  GITPLAN_TRY_ASSIGN(const Worktree tree, user_tree(repository, before->path));
  InPlaceWork result;
  Work& work = result.work;
  work.commit = before->head;
  const auto remark_move = [&](const std::string& text) {
    work.remarks.push_back(text);
    work.missing.push_back(text + ": what it changed cannot be told from what the move did");
  };
  GITPLAN_TRY_ASSIGN(const auto head, repository.ref(before->branch));
  if (tree.head != before->branch)
    remark_move("your working tree left '" + branch_name(before->branch) + "' while it ran");
  else if (!head || !repository.is_ancestor(before->head, *head))
    remark_move("'" + branch_name(before->branch) + "' was rewritten while it ran");
  else if (const auto operation = tree.operation())
    remark_move("your working tree is in the middle of a " + *operation);

  GITPLAN_TRY_ASSIGN(const Staged after,
                     memo.state(repository, tree, before->head, spec.attempt_dir + "/index"));
  GITPLAN_TRY_ASSIGN(const std::string head_tree, tree_of_commit(repository, before->head));
  work.remarks.insert(work.remarks.end(), after.remarks.begin(), after.remarks.end());
  if (after.tree == before->state) return result;
  GITPLAN_TRY(replace_file(spec.attempt_dir + "/after", after.tree, false));
  // The whole state is kept whatever becomes of it.
  const std::string message = message_of(spec, subject);
  GITPLAN_TRY_ASSIGN(const std::string user,
                     write_commit(repository, before->state, {before->head},
                                  "Your working tree before '" + spec.task + "'\n", 0));
  const auto commit = [&](const std::string& state, const std::vector<std::string>& parents) {
    return Staging(repository, tree, before->head, spec.attempt_dir + "/index")
        .commit(state, parents, message);
  };
  GITPLAN_TRY_ASSIGN(const std::string whole, commit(after.tree, {user}));
  std::vector<std::string> kept{whole};
  if (work.missing.empty()) {
    GITPLAN_TRY_ASSIGN(Sorted sorted,
                       sort_out(repository, *before, head_tree, after.tree, scope, spec.task));
    GITPLAN_TRY_ASSIGN(const std::string own, with(repository, head_tree, sorted.own));
    if (own != head_tree) {
      GITPLAN_TRY_ASSIGN(work.commit, commit(own, {before->head}));
      kept.push_back(work.commit);
    }
    if (!sorted.mixed.empty()) {
      TreeUpdates all = sorted.own;
      all.merge(sorted.mixed);
      GITPLAN_TRY_ASSIGN(const std::string mixed, with(repository, head_tree, all));
      // Without what other tasks did meanwhile.
      GITPLAN_TRY_ASSIGN(const std::string theirs_tree, with(repository, before->state, all));
      GITPLAN_TRY_ASSIGN(const std::string theirs, commit(theirs_tree, {user}));
      GITPLAN_TRY_ASSIGN(result.with_mixed, commit(mixed, {work.commit, theirs}));
      kept.push_back(result.with_mixed);
      result.mixed = std::move(sorted.conflicts);
    }
    for (const auto& [path, entry] : sorted.own) work.paths.push_back(path);
    for (const Conflict& one : result.mixed) work.paths.push_back(one.path);
    std::sort(work.paths.begin(), work.paths.end());
    work.changed = !work.paths.empty();
  }
  GITPLAN_TRY(keep_commits(repository, spec.plan, actor, kept));
  return result;
}

Result<HandSides> hand_sides(const Repository& repository, const std::string& with_mixed) {
  const Git& git = repository.git();
  GITPLAN_TRY_ASSIGN(const std::string own, git.read({"rev-parse", with_mixed + "^1"}));
  GITPLAN_TRY_ASSIGN(const std::string theirs, git.read({"rev-parse", with_mixed + "^2"}));
  GITPLAN_TRY_ASSIGN(const std::string user, git.read({"rev-parse", theirs + "^1"}));
  GITPLAN_TRY_ASSIGN(const std::string start, git.read({"rev-parse", user + "^1"}));
  GITPLAN_TRY_ASSIGN(const std::string tree, tree_of_commit(repository, start));
  GITPLAN_TRY_ASSIGN(
      const std::string ours,
      write_commit(repository, tree, {user, own}, "Without what was not committed before\n", 0));
  return HandSides{ours, theirs};
}

}  // namespace gitplan
