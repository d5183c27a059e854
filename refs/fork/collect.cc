// What an attempt left becomes a commit on its branch that is kept alive.
#include <git2.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "refs/fork/forks.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/left_state.h"
#include "refs/fork/planted.h"
#include "refs/fork/staging.h"
#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

std::string short_id(const std::string& commit) { return commit.substr(0, 12); }
std::string short_branch(const std::string& ref) {
  return ref.starts_with("refs/heads/") ? ref.substr(11) : ref;
}

std::string message_of(const ForkSpec& spec, std::string_view subject) {
  return std::string(subject) + "\n\nPlan: " + spec.plan + "\nPlan-Attempt: " + spec.task + "/" +
         spec.attempt + "\n";
}

Result<std::string> tree_id(const Repository& repository, const std::string& commit) {
  return repository.git().read({"rev-parse", commit + "^{tree}"});
}

// One attempt's leavings on their way into a commit.
class Collection {
 public:
  Collection(const Repository& repository, const ForkSpec& spec, const Worktree& tree)
      : repository_(repository), spec_(spec), tree_(tree) {}

  Status look() {
    GITPLAN_TRY_ASSIGN(tip_, repository_.ref(spec_.branch));
    GITPLAN_TRY_ASSIGN(left_, look_at(repository_, tree_, spec_.branch, spec_.base));
    head_ = left_.head.empty() ? spec_.base : left_.head;
    if (left_.detached) remark("detached its HEAD (at " + short_id(left_.head) + ")");
    const std::string own = "'" + short_branch(spec_.branch) + "'";
    if (!left_.other_branch.empty()) {
      remark("checked out another branch: " + short_branch(left_.other_branch));
      missing_.push_back("its worktree is not on its branch " + own + " any more, but on '" +
                         short_branch(left_.other_branch) + "'");
    }
    if (!tip_) {
      remark("deleted its branch");
      missing_.push_back("its branch " + own + " is gone");
    }
    for (const auto& visited : left_.visited) {
      remark("made commits on another branch: " + visited.branch + " (" + short_id(visited.tip) +
             ", kept)");
      kept_.push_back(visited.tip);
    }
    kept_.push_back(head_);
    kept_.push_back(tip_.value_or(""));
    return {};
  }

  bool half_done() const { return !left_.half_done.empty(); }

  // A snapshot that is kept, and no work: the task is not done.
  Status snapshot(std::string_view subject) {
    remark(left_.half_done);
    Staging staging(repository_, tree_, spec_.base, tree_.admin + "/index.plan");
    GITPLAN_TRY_ASSIGN(const Staged staged, staging.stage(head_));
    GITPLAN_TRY_ASSIGN(const std::string commit,
                       staging.commit(staged.tree, {head_}, message_of(spec_, subject)));
    kept_.push_back(commit);
    kept_.push_back(left_.replayed);
    commit_ = spec_.base;
    return {};
  }

  Status commit(std::string_view subject) {
    Staging staging(repository_, tree_, spec_.base);
    GITPLAN_TRY_ASSIGN(Staged staged, staging.stage(head_));
    for (std::string& text : staged.remarks) remark(std::move(text));
    GITPLAN_TRY(replace_file(spec_.attempt_dir + "/left-out", staged.left_out, true));
    GITPLAN_TRY_ASSIGN(const std::string before, tree_id(repository_, head_));
    commit_ = head_;
    if (staged.tree != before || !left_.merge_heads.empty()) {
      std::vector<std::string> parents{head_};
      parents.insert(parents.end(), left_.merge_heads.begin(), left_.merge_heads.end());
      GITPLAN_TRY_ASSIGN(commit_, staging.commit(staged.tree, parents, message_of(spec_, subject)));
    }
    settle_branch();
    if (repository_.is_ancestor(spec_.base, commit_)) return attach();
    remark("amended its base; its result is taken as one commit on the base (" + short_id(commit_) +
           ", kept)");
    kept_.push_back(commit_);
    GITPLAN_TRY_ASSIGN(const std::string result, tree_id(repository_, commit_));
    GITPLAN_TRY_ASSIGN(commit_, staging.commit(result, {spec_.base}, message_of(spec_, subject)));
    return attach();
  }

  const std::string& result() const { return commit_; }
  std::vector<std::string> kept() const { return kept_; }
  std::vector<std::string> take_remarks() { return std::move(remarks_); }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  // The branch and the tree may have parted: what the tree shows counts, unless it only stands at
  // an older commit of its branch.
  void settle_branch() {
    if (!tip_ || repository_.is_ancestor(*tip_, commit_)) return;
    if (commit_ == head_ && repository_.is_ancestor(head_, *tip_)) {
      remark("left its tree at an older commit; taken: the tip of its branch");
      commit_ = *tip_;
      moved_ = true;
    } else if (repository_.is_ancestor(spec_.base, *tip_) && *tip_ != spec_.base) {
      remark("its branch held commits that its tree does not: " + short_id(*tip_) + " (kept)");
    }
  }

  // HEAD back on the branch, the branch at the work, nothing left in the middle.
  Status attach() {
    const Git git = tree_.git();
    for (const char* state : {"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "SQUASH_MSG",
                              "CHERRY_PICK_HEAD", "REVERT_HEAD"})
      ::unlink((tree_.admin + "/" + state).c_str());
    std::error_code ignored;
    std::filesystem::remove_all(tree_.admin + "/sequencer", ignored);
    if (tip_.value_or("") != commit_)
      GITPLAN_TRY(repository_.git().check({"update-ref", "-m", "plan: collect", spec_.branch,
                                           commit_, tip_.value_or(std::string(40, '0'))}));
    if (tree_.head != spec_.branch)
      GITPLAN_TRY(git.check({"symbolic-ref", "-m", "plan: collect", "HEAD", spec_.branch}));
    if (moved_)
      return git.check({"-c", "core.hooksPath=/dev/null", "reset", "--hard", "-q", "HEAD"});
    return {};
  }

  const Repository& repository_;
  const ForkSpec& spec_;
  const Worktree& tree_;
  LeftState left_;
  std::optional<std::string> tip_;
  std::string head_, commit_;
  bool moved_ = false;
  std::vector<std::string> kept_, remarks_, missing_;
};

// Collecting puts right what it finds missing. Whoever repeats it after a crash must know it still,
// so it is on the disk before.
class Missing {
 public:
  explicit Missing(const ForkSpec& spec) : file_(spec.attempt_dir + "/missing") {
    all_ = split_nul(read_small_file(file_).value_or(""));
  }
  Status add(const std::vector<std::string>& texts) {
    const std::size_t before = all_.size();
    for (const std::string& text : texts)
      if (std::find(all_.begin(), all_.end(), text) == all_.end()) all_.push_back(text);
    if (all_.size() == before) return {};
    std::string content;
    for (const std::string& text : all_) content.append(text).append(1, '\0');
    return replace_file(file_, content, true);
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::string file_;
  std::vector<std::string> all_;
};

Status describe(const Repository& repository, const ForkSpec& spec, Work& work) {
  if (work.commit == spec.base) return {};
  GITPLAN_TRY_ASSIGN(const std::string paths,
                     repository.git().read({"diff-tree", "-r", "-z", "--no-renames", "--name-only",
                                            spec.base, work.commit}));
  work.paths = split_nul(paths);
  work.changed = !work.paths.empty();
  if (!work.changed) return {};
  GITPLAN_TRY_ASSIGN(const auto planted, planted_in(repository, spec.base, work.commit));
  for (const Planted& one : planted) work.planted.push_back(to_string(one));
  return {};
}

// All worktrees have one stash: what was put there from the attempt's branch is its own.
Status note_stash(const Repository& repository, const ForkSpec& spec, Work& work) {
  GITPLAN_TRY_ASSIGN(const auto stash, repository.ref("refs/stash"));
  if (!stash) return {};
  GITPLAN_TRY_ASSIGN(const std::string entries,
                     repository.git().read({"log", "-g", "-z", "--format=%H %gs", "refs/stash"}));
  const std::string from = "n " + short_branch(spec.branch) + ": ";  // "WIP on x: …", "On x: …"
  for (const std::string& entry : split_nul(entries))
    if (entry.size() > 40 && entry.find(from) != std::string::npos)
      work.remarks.push_back("left changes in a stash: git stash show -p " +
                             short_id(entry.substr(0, 40)));
  return {};
}

// The commits that its HEAD stood at, newest first.
std::vector<std::string> visited_by(const Worktree& tree) {
  constexpr std::size_t kId = 40;  // "<old> <new> <who> <when>\t<why>"
  const std::string log = read_small_file(tree.admin + "/logs/HEAD").value_or("");
  std::vector<std::string> result;
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    std::string id = end - start > 2 * kId ? log.substr(start + kId + 1, kId) : std::string();
    const bool whole = !id.empty() && id.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (whole && std::find(result.begin(), result.end(), id) == result.end())
      result.push_back(std::move(id));
    start = end + 1;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

// Amended, reset away, or on a branch that was deleted: only the reflog of its HEAD has such
// commits, and that goes with the tree.
Status keep_left_behind(const Repository& repository, const Worktree& tree, Work& work,
                        std::vector<std::string>& kept) {
  const auto held = [&](const std::string& id) {
    return repository.is_ancestor(id, work.commit) ||
           std::any_of(kept.begin(), kept.end(), [&](const std::string& other) {
             return !other.empty() && repository.is_ancestor(id, other);
           });
  };
  std::vector<std::string> loose = visited_by(tree);
  std::erase_if(loose, held);
  if (loose.empty()) return {};
  std::string asked;
  for (const std::string& id : loose) asked += id + "\n";
  GITPLAN_TRY_ASSIGN(
      const std::string unreachable,
      repository.git().read({"rev-list", "--ignore-missing", "--stdin", "--not", "--all"}, asked));
  std::string told;
  for (const std::string& id : loose) {
    if (unreachable.find(id) == std::string::npos || held(id)) continue;
    kept.push_back(id);
    told += (told.empty() ? "" : ", ") + short_id(id);
  }
  if (!told.empty()) work.remarks.push_back("left commits behind: " + told + " (kept)");
  return {};
}

}  // namespace

Result<Work> Forks::collect(const ForkSpec& spec, std::string_view subject) {
  Work work;
  Missing missing(spec);
  std::vector<std::string> kept;
  const auto tree = recorded(spec);
  if (tree && tree->present()) {
    const bool linked = has_link(*tree);
    const bool replaced = is_directory(tree->path + "/.git");
    if (!linked)
      GITPLAN_TRY(missing.add({replaced ? "its worktree was made a repository of its own"
                                        : "the file .git of its worktree is missing or changed"}));
    GITPLAN_TRY(restore_link(*tree));
    GITPLAN_TRY(clear_stale_locks(repository_, *tree, spec.branch));
    Collection collection(repository_, spec, *tree);
    GITPLAN_TRY(collection.look());
    GITPLAN_TRY(missing.add(collection.missing()));
    if (collection.half_done())
      GITPLAN_TRY(collection.snapshot(subject));
    else
      GITPLAN_TRY(collection.commit(subject));
    work.commit = collection.result();
    work.remarks = collection.take_remarks();
    kept = collection.kept();
    GITPLAN_TRY(keep_left_behind(repository_, *tree, work, kept));
    if (!linked)
      work.remarks.push_back(replaced ? "made a repository of its own in its tree"
                                      : "removed or changed the file .git of its tree");
  } else {
    GITPLAN_TRY_ASSIGN(const auto tip, repository_.ref(spec.branch));
    work.commit = tip.value_or(spec.base);
    work.remarks.push_back("its worktree is gone; taken: what its branch holds");
    GITPLAN_TRY(missing.add({"its worktree is gone, and with it what was not committed"}));
    if (!tip) GITPLAN_TRY(missing.add({"its branch '" + short_branch(spec.branch) + "' is gone"}));
    const std::string head = tree && !tree->on_branch() ? tree->head : std::string();
    if (!head.empty() && repository_.is_ancestor(work.commit, head)) work.commit = head;
    kept.push_back(head);
    if (!repository_.is_ancestor(spec.base, work.commit)) {
      work.remarks.push_back("amended its base; " + short_id(work.commit) + " is kept, not taken");
      kept.push_back(work.commit);
      work.commit = spec.base;
    }
  }
  kept.push_back(work.commit);
  std::erase_if(kept, [&](const std::string& commit) {
    return commit.empty() || repository_.is_ancestor(commit, spec.base);
  });
  GITPLAN_TRY(keep_alive(spec.plan, kept));
  GITPLAN_TRY(describe(repository_, spec, work));
  GITPLAN_TRY(note_stash(repository_, spec, work));
  work.missing = missing.take();
  return work;
}

}  // namespace gitplan
