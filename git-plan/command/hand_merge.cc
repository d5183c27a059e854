#include "git-plan/command/hand_merge.h"

#include <sys/stat.h>

#include "git-plan/view/attempt_log.h"
#include "git-plan/view/words.h"
#include "refs/fork/forks.h"
#include "refs/wave/hand_merge.h"
#include "refs/wave/in_place.h"
#include "refs/wave/landing.h"

namespace gitplan {
namespace {

// The tree that is open for this decision (refs/fork/forks.h keeps the record); empty: none.
std::string open_tree(const PlanFacts& facts, const DecisionAsked& asked) {
  std::string path = read_local_file(facts.dir + "/hand/" + asked.decision).value_or("");
  while (path.ends_with('\n')) path.pop_back();
  struct stat info {};
  return !path.empty() && stat((path + "/.git").c_str(), &info) == 0 ? path : std::string();
}

struct Sides {
  std::string ours, theirs;  // commits
  std::string message;       // of the commit
};

Result<Sides> sides_of(Context& context, const PlanView& view, const PlanFacts& facts,
                       const DecisionAsked& asked) {
  if (asked.kind == "merge_conflict") {
    const Wave* held = view.ledger.held_wave();
    if (held != nullptr)
      return error(ErrorCode::kRefused,
                   "wave " + std::to_string(held->number) + ", onto which '" + asked.task +
                       "' is merged, is not over yet",
                   "try again when it is; 'git plan status " + view.id + "' shows it");
    const Attempt* last = view.ledger.task(asked.task).last();
    if (last == nullptr || last->commit.empty())
      return error(ErrorCode::kInvalid, "task '" + asked.task + "' left no commit to merge");
    return Sides{facts.base, last->commit, "Merge " + asked.task + " by hand"};
  }
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  if (asked.kind == "dirty_path") {
    GITPLAN_TRY_ASSIGN(const HandSides sides, hand_sides(*repository, asked.commit));
    return Sides{sides.ours, sides.theirs, "Sort out " + asked.task + " by hand"};
  }
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> tip, repository->ref(asked.branch));
  if (!tip)
    return error(ErrorCode::kNotFound, "the branch '" + branch_name(asked.branch) + "' is gone");
  const Run* run = view.ledger.run();
  std::string theirs = run != nullptr ? run->landing_commit : std::string();
  if (theirs.empty()) theirs = facts.base;
  return Sides{*tip, theirs, landing_message(view.id, run != nullptr ? run->id : "")};
}

}  // namespace

Result<HandMerge> open_hand_merge(Context& context, const PlanView& view, const PlanFacts& facts,
                                  const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Sides sides, sides_of(context, view, facts, asked));
  HandMerge merge;
  merge.opened = open_tree(facts, asked).empty();
  Forks forks(*repository, *settings, store->actor());
  GITPLAN_TRY_ASSIGN(merge.tree, forks.hand_tree(facts.dir, asked.decision, sides.ours));
  GITPLAN_TRY(prepare_conflict(*repository, merge.tree, sides.ours, sides.theirs));
  GITPLAN_TRY_ASSIGN(merge.conflicts, conflicts_in(*repository, merge.tree));
  return merge;
}

Result<std::string> finish_hand_merge(Context& context, const PlanView& view,
                                      const PlanFacts& facts, const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  const std::string tree = open_tree(facts, asked);
  if (tree.empty())
    return error(ErrorCode::kInvalid, "no worktree is open for decision '" + asked.decision + "'",
                 "git plan resolve " + view.id + " " + asked.decision + " hand");
  GITPLAN_TRY_ASSIGN(const Sides sides, sides_of(context, view, facts, asked));
  // A wave is committed with hooks and signature later; what lands as it is gets them here.
  const HandCommit kind = asked.branch.empty() ? HandCommit::kWork : HandCommit::kFinal;
  GITPLAN_TRY_ASSIGN(std::string commit, take_hand(*repository, tree, sides.message, kind));
  if (!repository->is_ancestor(sides.theirs, commit))
    return error(ErrorCode::kInvalid,
                 "HEAD of " + tree + " does not contain what was to be merged (" +
                     short_id(sides.theirs) + ")",
                 "git -C " + tree + " merge " + short_id(sides.theirs));
  Forks forks(*repository, *settings, store->actor());
  GITPLAN_TRY(forks.keep_alive(view.id, {commit}));
  return commit;
}

Status close_hand_merge(Context& context, const PlanFacts& facts, const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  Forks forks(*repository, *settings, store->actor());
  return forks.release_hand_tree(facts.dir, asked.decision);
}

}  // namespace gitplan
