#include "git-plan/command/hand_merge.h"

#include <sys/stat.h>

#include <algorithm>

#include "git-plan/view/attempt_log.h"
#include "git-plan/view/words.h"
#include "refs/fork/forks.h"

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
  std::string subject;
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
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> tip, repository->ref(asked.branch));
  if (!tip)
    return error(ErrorCode::kNotFound, "the branch '" + branch_name(asked.branch) + "' is gone");
  const Run* run = view.ledger.run();
  std::string theirs = run != nullptr ? run->landing_commit : std::string();
  if (theirs.empty()) theirs = facts.base;
  return Sides{*tip, theirs, "Merge plan " + view.id};
}

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Result<std::vector<std::string>> unmerged(const Git& git) {
  GITPLAN_TRY_ASSIGN(const std::string text,
                     git.read({"diff", "--name-only", "--diff-filter=U", "-z"}));
  return split_nul(text);
}

bool merging(const Git& git) {
  const Result<std::string> head = git.read({"rev-parse", "-q", "--verify", "MERGE_HEAD"});
  return head.ok() && !head->empty();
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
  const Git git = repository->git().in(merge.tree);
  GITPLAN_TRY_ASSIGN(const std::string head, git.read({"rev-parse", "HEAD"}));
  if (!merging(git) && !repository->is_ancestor(sides.theirs, head)) {
    // Status 1 says that there are conflicts, which is why we are here.
    GITPLAN_TRY_ASSIGN(
        const Outcome merged,
        git.call({.args = {"-c", "merge.verifySignatures=false", "merge", "-q", "--no-ff",
                           "--no-commit", "-m", sides.subject, sides.theirs}}));
    if (merged.exit_status > 1 || !merging(git))
      return failed("git could not merge in " + merge.tree + ": " +
                    first_line(merged.error.empty() ? merged.output : merged.error));
  }
  GITPLAN_TRY_ASSIGN(merge.conflicts, unmerged(git));
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
  const Git git = repository->git().in(tree);
  if (merging(git)) {
    // Files with markers left count as unsolved, whether they were added or not.
    GITPLAN_TRY_ASSIGN(const Outcome check, git.call({.args = {"diff", "--check", "HEAD"}}));
    std::string marked;
    if (check.output.find("leftover conflict marker") != std::string::npos) {
      const std::size_t at = check.output.find("leftover conflict marker");
      const std::size_t begin = check.output.rfind('\n', at);
      marked = first_line(check.output.substr(begin == std::string::npos ? 0 : begin + 1));
    }
    if (!marked.empty())
      return error(ErrorCode::kInvalid, "a conflict is not solved yet: " + marked,
                   "edit it in " + tree + ", then say 'hand --done' again");
    GITPLAN_TRY(git.check({"add", "-A"}));
    // A wave is committed with hooks and signature later; what lands as it is gets them here.
    std::vector<std::string> commit{"commit", "-q", "--no-edit"};
    if (asked.kind == "merge_conflict") {
      commit.insert(commit.begin(), {"-c", "commit.gpgSign=false"});
      commit.emplace_back("--no-verify");
    }
    GITPLAN_TRY(git.check(commit));
  } else {
    GITPLAN_TRY_ASSIGN(const std::string dirty, git.read({"status", "--porcelain"}));
    if (!dirty.empty())
      return error(ErrorCode::kInvalid, "there are changes in " + tree + " that are not committed",
                   "commit them there, then say 'hand --done' again");
  }
  GITPLAN_TRY_ASSIGN(std::string commit, git.read({"rev-parse", "HEAD"}));
  GITPLAN_TRY_ASSIGN(const Sides sides, sides_of(context, view, facts, asked));
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
