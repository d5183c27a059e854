#include "refs/wave/landing.h"

#include <algorithm>
#include <optional>

#include "refs/fork/keep_ref.h"
#include "refs/git/small_file.h"
#include "refs/store/actor.h"
#include "refs/wave/branch_state.h"
#include "refs/wave/checkout_move.h"
#include "refs/wave/in_the_way.h"
#include "refs/wave/integrate.h"
#include "refs/wave/tree_commit.h"

namespace gitplan {
namespace {

constexpr int kTries = 3;  // the branch may move between looking and moving it

bool is_commit_id(const std::string& text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

class Landing {
 public:
  Landing(Repository& repository, const Land& effect, const LandingOptions& options,
          const std::string& tree_dir)
      : repository_(repository),
        effect_(effect),
        options_(options),
        tree_dir_(tree_dir),
        branch_((effect.branch.starts_with("refs/") ? "" : "refs/heads/") + effect.branch),
        wanted_(effect.commit) {}

  Result<LandAnswer> run() {
    const std::string& by_hand = effect_.answers.by_hand;
    if (is_commit_id(by_hand)) {
      if (!repository_.is_ancestor(effect_.commit, by_hand))
        return LandAnswer(refused("the commit made by hand, " + by_hand.substr(0, 12) +
                                      ", does not contain the plan's work",
                                  {}));
      wanted_ = by_hand;
    }
    for (int left = kTries; left > 0; --left) {
      GITPLAN_TRY_ASSIGN(auto answer, once());
      if (answer) return std::move(*answer);
    }
    return LandAnswer(
        LandWaits{effect_.branch, busy_.empty() ? "the branch moves again and again" : busy_});
  }

 private:
  using Step = std::optional<LandAnswer>;  // nothing: the branch has moved, look again

  LandRefused refused(std::string reason, std::string output) const {
    return {effect_.branch, std::move(reason), std::move(output), false};
  }

  Result<Step> once() {
    GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(branch_));
    if (!tip) {
      LandRefused gone = refused("the branch '" + shown() + "' does not exist any more", {});
      gone.gone = true;
      return Step(gone);
    }
    if (repository_.is_ancestor(wanted_, *tip)) return Step(LandDone{effect_.branch, *tip});
    GITPLAN_TRY_ASSIGN(const auto waits, reason_to_wait(repository_, branch_));
    if (waits) return Step(LandWaits{effect_.branch, *waits});
    if (repository_.is_ancestor(*tip, wanted_)) return move_to(*tip, wanted_);

    GITPLAN_TRY_ASSIGN(const LandMerge merge,
                       merge_for_landing(repository_, *tip, wanted_, effect_.answers.committed,
                                         tree_dir_, effect_.done));
    if (merge.tree.empty()) return Step(LandConflict{effect_.branch, false, merge.conflicts});
    return land_merge(*tip, merge.tree);
  }

  // One merge commit, made where nobody works, and verified before the branch takes it.
  Result<Step> land_merge(const std::string& tip, const std::string& tree) {
    GITPLAN_TRY_ASSIGN(auto dirty, look(tip, tree));
    if (dirty) return dirty;  // before anything is made
    CommitWish wish;
    wish.base = tip;
    wish.parents = {wanted_};
    wish.tree = tree;
    wish.message = landing_message(options_.plan, options_.run, effect_.message);
    wish.trailers = {"Plan: " + options_.plan};
    if (!options_.run.empty()) wish.trailers.push_back("Plan-Run: " + options_.run);
    wish.no_hooks = effect_.no_hooks;
    wish.unsigned_commit = effect_.unsigned_commit;
    wish.hooks_path = options_.hooks_path;
    wish.deadline = options_.deadline;
    GITPLAN_TRY_ASSIGN(const auto made, commit_in_tree(repository_, tree_dir_,
                                                       "landing " + tree + " " + wanted_, wish));
    if (const auto* refusal = std::get_if<Refusal>(&made)) {
      LandRefused answer = refused("the merge commit was refused", refusal->output);
      answer.by = refusal->by;
      return Step(answer);
    }
    const std::string& commit = std::get<std::string>(made);
    if (options_.verify) {
      GITPLAN_TRY_ASSIGN(const std::string failure, options_.verify(commit));
      if (!failure.empty())
        return Step(refused("the merge with '" + shown() + "' does not pass 'verify'", failure));
    }
    return move_to(tip, commit);
  }

  // Dirty files that a move would meet, in any of the worktrees, where the user has not said about
  // each of them what shall become of it.
  Result<Step> look(const std::string& tip, const std::string& to) {
    GITPLAN_TRY_ASSIGN(const auto holders, holders_of(repository_, branch_));
    LandConflict conflict{effect_.branch, true, {}};
    bool asked = true;
    for (const Worktree& tree : holders) {
      GITPLAN_TRY_ASSIGN(auto blocked, in_the_way(repository_, tree, tip, to));
      std::erase_if(blocked, [&](const Blocked& one) { return left_by_task(tree, one); });
      for (const Blocked& one : blocked)
        asked = asked && (one.same || effect_.answers.uncommitted.contains(one.path));
      GITPLAN_TRY_ASSIGN(auto more,
                         dirty_conflicts(repository_, tree, blocked, tip, wanted_, effect_.done));
      conflict.conflicts.insert(conflict.conflicts.end(), more.begin(), more.end());
    }
    if (asked) return Step();
    return Step(conflict);
  }

  // A task worked in this very tree, and the file still is what it left: it gives way to what hooks
  // or a merge have made of it.
  bool left_by_task(const Worktree& tree, const Blocked& one) const {
    if (one.same || one.files != std::vector<std::string>{one.path}) return false;
    for (const auto& [task, work] : effect_.done) {
      if (!work.in_place ||
          std::find(work.paths.begin(), work.paths.end(), one.path) == work.paths.end())
        continue;
      const auto root = tree_of_commit(repository_, work.commit);
      const auto left = root ? entry_at(repository_, *root, one.path) : std::nullopt;
      if (!left || !left->regular()) continue;
      const Git git = tree.git();
      const auto on_disk = git.read({"hash-object", "--", one.path});
      if (!on_disk || *on_disk != left->id) continue;
      if (!one.staged) return true;
      const auto staged = git.read({"rev-parse", "--verify", "-q", ":0:" + one.path});
      if (staged && *staged == left->id) return true;
    }
    return false;
  }

  Result<Step> move_to(const std::string& tip, const std::string& to) {
    const RefMove move{branch_, tip, to, "plan " + options_.plan + ": Fast-forward",
                       options_.deadline};
    GITPLAN_TRY_ASSIGN(const auto holders, holders_of(repository_, branch_));
    if (holders.empty()) return after(move_ref(repository_, move), move);

    GITPLAN_TRY_ASSIGN(auto dirty, look(tip, to));
    if (dirty) return dirty;
    std::vector<std::vector<Blocked>> all;
    for (const Worktree& tree : holders) {
      GITPLAN_TRY_ASSIGN(auto blocked, in_the_way(repository_, tree, tip, to));
      for (Blocked& one : blocked) {
        const auto answer = effect_.answers.uncommitted.find(one.path);
        // What has come into the way since it was looked at stays as the user has it.
        one.theirs = answer != effect_.answers.uncommitted.end() && answer->second == "theirs";
        one.left = left_by_task(tree, one);
        one.theirs = one.theirs || one.left;
      }
      GITPLAN_TRY(save(tree, tip, blocked));
      all.push_back(std::move(blocked));
    }
    Status moved = all.front().empty()
                       ? fast_forward(repository_, holders.front(), move)
                       : move_around(repository_, holders.front(), move, all.front());
    if (!moved) return after(std::move(moved), move);
    for (std::size_t i = 1; i < holders.size(); ++i) {
      // The ref is there already: what is left is this tree's index and files.
      GITPLAN_TRY(all[i].empty() ? follow(holders[i], move)
                                 : move_around(repository_, holders[i], move, all[i]));
    }
    for (std::size_t i = 0; i < holders.size(); ++i) GITPLAN_TRY(overwrite(holders[i], all[i]));
    return after({}, move);
  }

  // Before anything of the user's gives way, it is kept.
  Status save(const Worktree& tree, const std::string& tip, const std::vector<Blocked>& blocked) {
    std::vector<Blocked> losing;
    for (const Blocked& one : blocked)
      if (!one.same && !one.left && one.theirs) losing.push_back(one);
    if (losing.empty()) return {};
    GITPLAN_TRY_ASSIGN(const std::string commit, save_files(repository_, tree, tip, losing));
    GITPLAN_TRY_ASSIGN(const Actor actor, actor_of(repository_.local_dir()));
    GITPLAN_TRY(keep_commits(repository_, options_.plan, actor.id, {commit}));
    if (!options_.say) return {};
    const std::string id = commit.substr(0, 12);
    for (const Blocked& one : losing) {
      for (const std::string& path : one.files)
        options_.say(exists(tree.path + "/" + path)
                         ? "your version of " + path + " is kept: git show " + id + ":" + path
                         : "you had deleted " + path + ": git show " + id + " tells it");
      if (one.staged && one.edited)
        options_.say("what you had staged of " + one.path + " is kept: git show " + id +
                     "^:" + one.path);
    }
    return {};
  }

  Result<Step> after(Status moved, const RefMove& move) {
    if (moved) return Step(LandDone{effect_.branch, move.to});
    GITPLAN_TRY_ASSIGN(const auto now, repository_.ref(branch_));
    if (now != move.from) return Step();
    if (moved.error().code == ErrorCode::kBusy) {
      busy_ = moved.error().message;
      return Step();
    }
    GITPLAN_TRY_ASSIGN(const auto waits, reason_to_wait(repository_, branch_));
    if (waits) return Step(LandWaits{effect_.branch, *waits});
    return Step(refused("git did not move the branch '" + shown() + "'", moved.error().message));
  }

  std::string shown() const { return branch_.substr(11); }  // without refs/heads/

  Repository& repository_;
  const Land& effect_;
  const LandingOptions& options_;
  const std::string& tree_dir_;
  std::string branch_, wanted_;
  std::string busy_;  // what had it while it was to be moved
};

}  // namespace

std::string landing_message(std::string_view plan, std::string_view run, std::string_view text) {
  std::string message(text);
  while (message.ends_with('\n')) message.pop_back();
  if (message.empty()) message = "Merge plan '" + std::string(plan) + "'";
  message.append("\n\nPlan: ").append(plan);
  if (!run.empty()) message.append("\nPlan-Run: ").append(run);
  return message + "\n";
}

Result<LandAnswer> land(Repository& repository, const Land& effect, const LandingOptions& options,
                        const std::string& tree_dir) {
  return Landing(repository, effect, options, tree_dir).run();
}

}  // namespace gitplan
