// Forks: the worktrees in which forked attempts run, and the refs that keep their work alive.
//
// The executor calls this for the effects Fork, Collect and Release. Worktrees lie below
// plan.worktreeRoot (default <repository>.plan/ beside it; where that cannot be written or lies in
// another work tree: <common>/git-plan/trees) under short numbered names, made by `git worktree add
// --no-track` from a commit id under one lock of the common directory, checked and locked with a
// reason. Which attempt has which tree: <plan dir>/attempts/<task>/<attempt>/tree (a file with the
// path) and the tree's lock, where both agree. Nothing is ever removed before the work in it is
// reachable from refs/plan-keep/<id>--<actor>.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"

namespace gitplan {

struct ForkSpec {
  std::string plan, identity, task, attempt;
  std::string base;         // commit id
  std::string branch;       // refs/heads/plan/<id>/<task>
  std::string attempt_dir;  // <plan dir>/attempts/<task>/<attempt>
};

struct Work {                      // what an attempt left, after it was committed and kept alive
  std::string commit;              // tip of its work; == base where nothing changed
  std::vector<std::string> paths;  // changed against the base
  std::vector<std::string>
      remarks;  // "detached HEAD", "amended its base", "left a merge half done" …
  bool changed = false;
  // What is not as it was given to the attempt: its tree, the tree's file .git, its branch. What it
  // did without them may be anywhere, so the task is not done, whatever could be taken.
  std::vector<std::string> missing;
  std::vector<std::string> planted;  // ignored files of the user's found in its own commits
};

class Forks {
 public:
  Forks(Repository& repository, const Settings& settings, std::string actor);

  // Makes sure the attempt has its tree: made now, or found as an earlier executor left it. A
  // half-made one is finished or made again; a failed tree of an earlier attempt is detached from
  // the branch first. `over`: an attempt that needs its tree no more; it is taken where that costs
  // less and nothing in it would be lost (tree_reuse.h), and that attempt keeps its branch. Returns
  // the path.
  Result<std::string> ensure(const ForkSpec& spec, const std::optional<ForkSpec>& over = {});
  std::optional<std::string> tree_of(const ForkSpec& spec) const;  // nothing: not made, or gone

  // Commits what is uncommitted on the attempt's branch (hooks off, signing off, identity of the
  // user; `.git-plan/` never), notices what happened to the tree, and keeps the tip alive before it
  // returns. Can be repeated.
  Result<Work> collect(const ForkSpec& spec, std::string_view subject);

  // Adds commits to refs/plan-keep/<id>--<actor> (one chain, compare-and-swap); those already
  // reachable are left out.
  Status keep_alive(std::string_view plan, const std::vector<std::string>& commits);

  // Removes tree and branch; refused where the branch's tip or the tree's content is not kept
  // alive.
  Status release(const ForkSpec& spec);
  // Nothing to look at: the tree stands at the attempt's base, and nothing in it was changed.
  bool is_untouched(const ForkSpec& spec) const;
  // Leaves the tree for a look, its HEAD detached so that the branch's name is free.
  Status detach(const ForkSpec& spec);

  // The integration worktree of a run, standing detached at `commit`, clean. Made when missing.
  // Where it stands at a wave's commit made on top of `commit` it is left so: commit_wave finds out
  // whether it is the wanted one.
  Result<std::string> integration_tree(const std::string& plan_dir, std::string_view commit);
  Status release_integration_tree(const std::string& plan_dir);

  // A tree for resolving by hand: <root>/<n>-hand, at `commit`. Returns the path; one that is there
  // already is left as it is. What happens in it: refs/wave/hand_merge.h.
  Result<std::string> hand_tree(const std::string& plan_dir, std::string_view decision,
                                std::string_view commit);
  Status release_hand_tree(const std::string& plan_dir, std::string_view decision);

  // Nothing in the way of branches plan/<id>/…: the reason where there is (a branch "plan" or
  // "plan/<id>").
  std::optional<std::string> branch_prefix_fault(std::string_view plan) const;

  // Everything of ours that nobody needs: trees, branches, directories, keep-alive refs. `live`:
  // every plan that is here, whether it has local files or not; what belongs to them stays.
  // `remove` false: only said.
  struct LivePlan {
    std::string id, dir;
  };
  struct Garbage {
    std::string what, why;
    bool left = false;  // it holds changes that are in no commit: nobody removes it
  };
  Result<std::vector<Garbage>> gc(const std::vector<LivePlan>& live, bool remove);

 private:
  std::optional<Worktree> recorded(const ForkSpec& spec) const;
  Result<std::optional<Worktree>> spare_tree(const ForkSpec& over) const;
  Result<std::string> renewed(const Worktree& tree, const ForkSpec& spec);
  Result<std::string> made(const ForkSpec& spec, const ForkLock& lock);
  Status clear_half_made(const ForkSpec& spec, const ForkLock& lock);
  Status free_branch(const ForkSpec& spec, const ForkLock& lock);
  Status drop_branch(const ForkSpec& spec);
  Status delete_ref(const std::string& name, const std::string& tip) const;
  Result<bool> held_elsewhere(const ForkSpec& spec, std::string_view commit) const;

  Repository& repository_;
  const Settings& settings_;
  std::string actor_;
};

}  // namespace gitplan
