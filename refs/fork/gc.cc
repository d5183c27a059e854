// What is left over: trees, branches and refs of plans that are gone, or of attempts that nobody
// knows.
#include <git2.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <set>

#include "refs/fork/fork_lock.h"
#include "refs/fork/forks.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/tree_making.h"
#include "refs/fork/tree_root.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

// What the directories of the living plans know.
struct Known {
  std::set<std::string> trees;  // paths
  std::set<std::string> plans;  // ids
};

Known known_of(const std::vector<Forks::LivePlan>& plans) {
  Known known;
  for (const auto& [id, dir] : plans) {
    known.plans.insert(id);
    if (const auto path = read_small_file(dir + "/integration")) known.trees.insert(*path);
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(dir + "/hand", code))
      known.trees.insert(read_small_file(entry.path().string()).value_or(""));
    for (const auto& task : fs::directory_iterator(dir + "/attempts", code)) {
      std::error_code inner;
      for (const auto& attempt : fs::directory_iterator(task.path(), inner))
        known.trees.insert(read_small_file(attempt.path().string() + "/tree").value_or(""));
    }
  }
  return known;
}

struct Ref {
  std::string name, commit;
  long long date = 0;
};

Result<std::vector<Ref>> refs_below(const Repository& repository, const std::string& prefix) {
  GITPLAN_TRY_ASSIGN(
      const std::string lines,
      repository.git().read(
          {"for-each-ref", "--format=%(objectname) %(committerdate:unix) %(refname)", prefix}));
  std::vector<Ref> result;
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    const std::string line = lines.substr(start, end - start);
    start = end + 1;
    const std::size_t second = line.find(' ', 41);
    if (second == std::string::npos) continue;
    result.push_back({line.substr(second + 1), line.substr(0, 40), std::atoll(line.c_str() + 41)});
  }
  return result;
}

// "git plan: <plan> <task> …"
std::string plan_in(const std::string& reason) {
  const std::string rest = reason.substr(kLockPrefix.size());
  return rest.substr(0, rest.find(' '));
}

// Keeps what is in a leftover tree: its HEAD, and what is in no commit.
Result<bool> saved(Forks& forks, const Repository& repository, const Worktree& tree,
                   const std::string& plan) {
  std::string head = tree.head;
  if (tree.on_branch()) {
    GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(tree.head));
    head = tip.value_or("");
  }
  if (tree.present()) {
    GITPLAN_TRY(restore_link(tree));
    GITPLAN_TRY_ASSIGN(const auto left, unsaved_paths(tree));
    if (!left.empty()) return false;
  }
  if (!head.empty()) GITPLAN_TRY(forks.keep_alive(plan, {head}));
  return true;
}

}  // namespace

Result<std::vector<Forks::Garbage>> Forks::gc(const std::vector<LivePlan>& live, bool remove) {
  GITPLAN_TRY_ASSIGN(const ForkLock lock, ForkLock::take(repository_.local_dir()));
  const Known known = known_of(live);
  std::vector<Garbage> garbage;

  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository_));
  std::set<std::string> checked_out;
  for (const Worktree& tree : trees) {
    if (tree.main || !tree.lock_reason.starts_with(kLockPrefix) ||
        known.trees.contains(tree.path)) {
      checked_out.insert(tree.on_branch() ? tree.head : tree.held_branch());
      continue;
    }
    Garbage one{"worktree " + tree.path, "no attempt of a plan has it"};
    if (!tree.present()) one.why = "its directory is gone";
    if (remove) {
      GITPLAN_TRY_ASSIGN(const bool safe,
                         saved(*this, repository_, tree, plan_in(tree.lock_reason)));
      if (!safe) {
        one.left = true;
        one.why += ", but it holds changes that are in no commit";
        checked_out.insert(tree.head);
      } else {
        GITPLAN_TRY(remove_worktree(repository_, tree, lock));
        drop_empty_root(tree.path);
      }
    }
    garbage.push_back(std::move(one));
  }

  GITPLAN_TRY_ASSIGN(const auto branches, refs_below(repository_, "refs/heads/plan/"));
  for (const Ref& branch : branches) {
    const std::string rest = branch.name.substr(16);  // after refs/heads/plan/
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos || known.plans.contains(rest.substr(0, slash)) ||
        checked_out.contains(branch.name))
      continue;
    garbage.push_back({"branch " + branch.name.substr(11), "its plan is not here"});
    if (!remove) continue;
    GITPLAN_TRY(keep_alive(rest.substr(0, slash), {branch.commit}));
    ForkSpec spec;
    spec.branch = branch.name;
    GITPLAN_TRY(drop_branch(spec));
  }

  GITPLAN_TRY_ASSIGN(const int days, settings_.integer("plan.gcAge"));
  const long long old = static_cast<long long>(std::time(nullptr)) - 86400LL * days;
  GITPLAN_TRY_ASSIGN(const auto kept, refs_below(repository_, "refs/plan-keep/"));
  for (const Ref& ref : kept) {
    const std::string name = ref.name.substr(15);  // after refs/plan-keep/
    const std::string plan = name.substr(0, name.rfind("--"));
    if (!name.ends_with("--" + actor_) || known.plans.contains(plan) || ref.date > old) continue;
    garbage.push_back(
        {"kept work of plan '" + plan + "'",
         "the plan is not here, and it is older than " + std::to_string(days) + " days"});
    if (remove) GITPLAN_TRY(repository_.git().check({"update-ref", "-d", ref.name, ref.commit}));
  }
  return garbage;
}

}  // namespace gitplan
