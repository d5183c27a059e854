#include "refs/fork/forks.h"

#include <git2.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "refs/fork/fork_lock.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/tree_making.h"
#include "refs/fork/tree_reuse.h"
#include "refs/fork/tree_root.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"
#include "refs/store/left_lock.h"
#include "refs/store/local_file.h"
#include "refs/store/lock_wait.h"

namespace gitplan {
namespace {

constexpr std::chrono::seconds kPatience{40};  // longer than a lock that was left can look held

std::string record_of(const ForkSpec& spec) { return spec.attempt_dir + "/tree"; }

std::string short_name(const std::string& branch) { return branch.substr(11); }  // refs/heads/

Status leave_branch(const Worktree& tree, const std::string& commit) {
  for (const char* state : {"/rebase-merge/head-name", "/rebase-apply/head-name"})
    if (exists(tree.admin + state))
      GITPLAN_TRY(replace_file(tree.admin + state, "detached HEAD\n", true));
  if (exists(tree.admin + "/BISECT_START") && !commit.empty())
    GITPLAN_TRY(replace_file(tree.admin + "/BISECT_START", commit + "\n", true));
  if (!tree.on_branch() || commit.empty()) return {};
  return tree.git().check({"update-ref", "--no-deref", "-m", "plan: detach", "HEAD", commit});
}

// No attempt of the task has been here before.
bool is_first(const ForkSpec& spec) {
  if (exists(record_of(spec))) return false;  // itself has, and its tree is gone
  std::error_code code;
  const std::filesystem::path own = spec.attempt_dir;
  for (const auto& entry : std::filesystem::directory_iterator(own.parent_path(), code))
    if (entry.path().filename() != own.filename()) return false;
  return true;
}

void remove_empty_upwards(std::string folder, const std::string& stop) {
  while (folder.size() > stop.size() && ::rmdir(folder.c_str()) == 0)
    folder.resize(folder.rfind('/'));
}

}  // namespace

Forks::Forks(Repository& repository, const Settings& settings, std::string actor)
    : repository_(repository), settings_(settings), actor_(std::move(actor)) {}

std::optional<Worktree> Forks::recorded(const ForkSpec& spec) const {
  const auto path = read_small_file(record_of(spec));
  if (!path || path->empty()) return std::nullopt;
  auto tree = worktree_at(repository_, *path);
  // Where an agent removed its tree, the next fork may lie in the same place.
  if (tree && tree->lock_reason.starts_with(kLockPrefix) &&
      tree->lock_reason != lock_reason(spec.plan, spec.task, spec.attempt))
    return std::nullopt;
  return tree;
}

std::optional<std::string> Forks::tree_of(const ForkSpec& spec) const {
  const auto tree = recorded(spec);
  if (!tree || !tree->present()) return std::nullopt;
  return tree->path;
}

std::optional<std::string> Forks::branch_prefix_fault(std::string_view plan) const {
  for (const std::string& name : {std::string("plan"), "plan/" + std::string(plan)}) {
    const auto tip = repository_.ref("refs/heads/" + name);
    if (tip && *tip)
      return "the branch '" + name + "' is in the way of the branches plan/" + std::string(plan) +
             "/…; rename it: git branch -m " + name + " <other name>";
  }
  return std::nullopt;
}

Result<std::string> Forks::ensure(const ForkSpec& spec, const std::optional<ForkSpec>& over) {
  if (spec.base.empty())
    return error(ErrorCode::kRefused, "the repository has no commit yet to fork from",
                 "git commit --allow-empty -m \"Start\"");
  if (auto fault = branch_prefix_fault(spec.plan)) return error(ErrorCode::kRefused, *fault);
  std::optional<Worktree> spare;
  if (over) {
    GITPLAN_TRY_ASSIGN(spare, spare_tree(*over));
  }
  {
    GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
    if (const auto tree = recorded(spec)) {
      if (tree->present()) {
        GITPLAN_TRY(restore_link(*tree));
        return tree->path;
      }
      GITPLAN_TRY(remove_worktree(repository_, *tree, lock));
    }
    GITPLAN_TRY(clear_half_made(spec, lock));
    GITPLAN_TRY(free_branch(spec, lock));
    // It may have been released while nobody held the lock.
    if (!spare || !recorded(*over)) return made(spec, lock);
    // Off its branch first: that goes when the attempt it was made for is released.
    GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(over->branch));
    GITPLAN_TRY(leave_branch(*spare, tip.value_or(over->base)));
    // From here on it is this attempt's, half made until there is a record of it.
    GITPLAN_TRY(relock(*spare, lock_reason(spec.plan, spec.task, spec.attempt)));
  }
  // Without the lock: nobody else looks into it, and several are made ready at once.
  Result<std::string> path = renewed(*spare, spec);
  if (path) return path;
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  GITPLAN_TRY(remove_worktree(repository_, *spare, lock));
  return made(spec, lock);
}

Result<std::string> Forks::made(const ForkSpec& spec, const ForkLock& lock) {
  GITPLAN_TRY_ASSIGN(const std::string root, tree_root(repository_, settings_));
  NewTree wanted;
  GITPLAN_TRY_ASSIGN(wanted.path, free_tree_path(repository_, root));
  wanted.commit = spec.base;
  wanted.branch = spec.branch;
  wanted.reason = lock_reason(spec.plan, spec.task, spec.attempt);
  GITPLAN_TRY(make_tree(repository_, wanted, lock));
  remember_index(wanted.path);
  // From here on it is the attempt's: before, a tree with this reason is known to be half made.
  GITPLAN_TRY(replace_file(record_of(spec), wanted.path + "\n", true));
  return wanted.path;
}

// Nothing where what is in the tree is needed, or cannot be made as new for sure.
Result<std::optional<Worktree>> Forks::spare_tree(const ForkSpec& over) const {
  const auto tree = recorded(over);
  if (!tree || tree->head != over.branch || !can_be_renewed(repository_, *tree))
    return std::optional<Worktree>();
  GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(over.branch));
  if (!tip) return std::optional<Worktree>();
  GITPLAN_TRY_ASSIGN(const bool held, held_elsewhere(over, *tip));
  if (!held) return std::optional<Worktree>();
  GITPLAN_TRY_ASSIGN(const auto left, unsaved_paths(*tree, over.attempt_dir));
  if (!left.empty()) return std::optional<Worktree>();
  return tree;
}

Result<std::string> Forks::renewed(const Worktree& tree, const ForkSpec& spec) {
  GITPLAN_TRY_ASSIGN(const std::string reuse, settings_.text("plan.reuse"));
  NewTree wanted{tree.path, spec.base, spec.branch, tree.lock_reason};
  GITPLAN_TRY(renew_tree(repository_, tree, wanted, reuse == "ignored"));
  remember_index(tree.path);
  GITPLAN_TRY(replace_file(record_of(spec), tree.path + "\n", true));
  return tree.path;
}

Status Forks::clear_half_made(const ForkSpec& spec, const ForkLock& lock) {
  const std::string reason = lock_reason(spec.plan, spec.task, spec.attempt);
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository_));
  for (const Worktree& tree : trees)
    if (!tree.main && tree.lock_reason == reason) {
      GITPLAN_TRY(remove_worktree(repository_, tree, lock));
      drop_empty_root(tree.path);
    }
  // Killed before git wrote where the tree is: nothing but an administrative directory.
  std::error_code code;
  for (const auto& entry :
       std::filesystem::directory_iterator(repository_.common_dir() + "/worktrees", code)) {
    const std::string admin = entry.path().string();
    if (!exists(admin + "/gitdir") && read_small_file(admin + "/locked") == reason)
      std::filesystem::remove_all(admin, code);
  }
  return {};
}

Status Forks::free_branch(const ForkSpec& spec, const ForkLock& lock) {
  GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(spec.branch));
  if (tip && !repository_.is_ancestor(*tip, spec.base)) {
    // Before the first attempt no branch of that name can be ours.
    if (is_first(spec))
      return error(ErrorCode::kRefused,
                   "the branch '" + short_name(spec.branch) +
                       "' is there already, with commits that this plan did not make",
                   "git branch -m " + short_name(spec.branch) + " <other name>");
    GITPLAN_TRY(keep_alive(spec.plan, {*tip}));
  }
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository_));
  for (const Worktree& tree : trees) {
    if (tree.head != spec.branch && tree.held_branch() != spec.branch) continue;
    if (tree.main || !tree.lock_reason.starts_with(kLockPrefix))
      return error(
          ErrorCode::kRefused,
          "the branch '" + short_name(spec.branch) + "' is checked out in '" + tree.path + "'",
          "git -C '" + tree.path + "' switch --detach");
    if (tree.present())
      GITPLAN_TRY(leave_branch(tree, tip.value_or(spec.base)));
    else
      GITPLAN_TRY(remove_worktree(repository_, tree, lock));
  }
  return {};
}

Status Forks::keep_alive(std::string_view plan, const std::vector<std::string>& commits) {
  return keep_commits(repository_, plan, actor_, commits);
}

Status Forks::detach(const ForkSpec& spec) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  const auto tree = recorded(spec);
  if (!tree || !tree->present()) return {};
  GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(spec.branch));
  if (tree->head != spec.branch && tree->held_branch() != spec.branch) return {};
  return leave_branch(*tree, tip.value_or(spec.base));
}

bool Forks::is_untouched(const ForkSpec& spec) const {
  const auto tree = recorded(spec);
  if (!tree || !tree->present() || tree->operation()) return false;
  const auto tip = repository_.ref(tree->on_branch() ? tree->head : spec.branch);
  const std::string head = tree->on_branch() && tip ? tip->value_or("") : tree->head;
  const auto left = unsaved_paths(*tree, spec.attempt_dir);
  return head == spec.base && left && left->empty();
}

Result<bool> Forks::held_elsewhere(const ForkSpec& spec, std::string_view commit) const {
  if (repository_.is_ancestor(commit, spec.base) || is_kept(repository_, spec.plan, actor_, commit))
    return true;
  GITPLAN_TRY_ASSIGN(const std::string refs,
                     repository_.git().read({"for-each-ref", "--format=%(refname)",
                                             "--contains=" + std::string(commit)}));
  const std::string own = "refs/heads/plan/" + spec.plan + "/";
  for (std::size_t start = 0; start < refs.size();) {
    const std::size_t end = std::min(refs.find('\n', start), refs.size());
    const std::string name = refs.substr(start, end - start);
    if (!name.starts_with(own) || name == own + "integration") return true;
    start = end + 1;
  }
  return false;
}

Status Forks::release(const ForkSpec& spec) {
  const auto tree = recorded(spec);
  if (tree) {
    std::string head = tree->head;
    if (tree->on_branch()) {
      GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(tree->head));
      head = tip.value_or("");
    }
    if (!head.empty()) {
      GITPLAN_TRY_ASSIGN(const bool held, held_elsewhere(spec, head));
      if (!held)
        return error(
            ErrorCode::kRefused,
            "'" + tree->path + "' stands at " + head.substr(0, 12) + ", which nothing else keeps",
            "git branch <name> " + head.substr(0, 12));
    }
    if (tree->present()) {
      GITPLAN_TRY(restore_link(*tree));
      GITPLAN_TRY_ASSIGN(const auto left, unsaved_paths(*tree, spec.attempt_dir));
      if (!left.empty())
        return error(ErrorCode::kRefused,
                     "'" + tree->path + "' holds changes that are in no commit",
                     "look at them: git -C '" + tree->path + "' status; the first is '" +
                         left.front() + "'");
    }
  }
  GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(spec.branch));
  if (tip) {
    GITPLAN_TRY_ASSIGN(const bool held, held_elsewhere(spec, *tip));
    if (!held)
      return error(
          ErrorCode::kRefused,
          "the branch '" + short_name(spec.branch) + "' holds work that nothing else keeps",
          "git branch <name> " + tip->substr(0, 12));
  }
  // All looking is done before: others fork and release meanwhile.
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  if (tree && recorded(spec)) {  // no fork has taken it meanwhile
    GITPLAN_TRY(remove_worktree(repository_, *tree, lock));
  } else {
    GITPLAN_TRY(clear_half_made(spec, lock));  // what an interrupted removal left of it
  }
  if (const auto path = read_small_file(record_of(spec))) drop_empty_root(*path);
  for (const char* file : {"/left-out", "/missing"}) ::unlink((spec.attempt_dir + file).c_str());
  GITPLAN_TRY(drop_branch(spec));
  ::unlink(record_of(spec).c_str());  // last: without it nobody would come again
  return {};
}

// Where it still is at `tip`. A process that was killed while it did this left a lock behind.
Status Forks::delete_ref(const std::string& name, const std::string& tip) const {
  const std::string lock = repository_.common_dir() + "/" + name + ".lock";
  LockWait patience(kPatience);
  for (;;) {
    Handle<git_reference> ref;
    git_oid id;
    if (parse_oid(tip, id) &&
        git_reference_lookup(ref.out(), repository_.raw(), name.c_str()) == 0) {
      const git_oid* found = git_reference_target(ref.get());
      if (found != nullptr && git_oid_equal(found, &id) && git_reference_delete(ref.get()) == 0)
        return {};
    }
    // Git says what is wrong.
    Status deleted = repository_.git().check({"update-ref", "-d", name, tip});
    if (deleted || !exists(lock)) return deleted;
    if (!remove_left_lock(lock) && !patience.wait()) return deleted;
  }
}

Status Forks::drop_branch(const ForkSpec& spec) {
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository_));
  for (const Worktree& tree : trees)
    if (tree.head == spec.branch || tree.held_branch() == spec.branch)
      return {};  // a later attempt has it
  GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(spec.branch));
  const std::string& common = repository_.common_dir();
  if (tip) {
    GITPLAN_TRY(delete_ref(spec.branch, *tip));
  } else {  // killed when the branch was gone and the lock was not
    const std::string lock = common + "/" + spec.branch + ".lock";
    LockWait patience(kPatience);
    while (exists(lock) && !remove_left_lock(lock) && patience.wait()) continue;
  }
  for (const std::string& space : {std::string("/"), std::string("/logs/")})
    remove_empty_upwards(common + space + spec.branch.substr(0, spec.branch.rfind('/')),
                         common + space + "refs/heads");
  const std::string config = common + "/config";
  const std::string name = short_name(spec.branch);
  if (read_small_file(config).value_or("").find("[branch \"" + name + "\"]") != std::string::npos)
    return repository_.git().check(
        {"config", "--file", config, "--remove-section", "branch." + name});
  return {};
}

}  // namespace gitplan
