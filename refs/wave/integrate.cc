#include "refs/wave/integrate.h"

#include <algorithm>
#include <map>
#include <set>

#include "refs/fork/keep_ref.h"
#include "refs/fork/tree_making.h"
#include "refs/wave/choose_side.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/objects.h"
#include "refs/wave/overlap.h"
#include "refs/wave/predict.h"
#include "refs/wave/provenance.h"
#include "refs/wave/quarantine.h"

namespace gitplan {
namespace {

struct Input {
  const Integrate::Part* part;
  std::string commit;     // the part's, or the one merged by hand
  std::string base_tree;  // of the commit that the part started from
  std::string tree;
};

// What has been merged so far.
struct State {
  std::string commit;  // stands for it, so that git finds the right merge base for the next part
  std::string tree;
  std::vector<std::string> tips;
};

class Integration {
 public:
  Integration(const Repository& repository, const Integrate& effect, Git git)
      : repository_(repository), effect_(effect), git_(std::move(git)) {}

  Result<Merged> run() {
    merged_.wave = effect_.wave;
    state_.commit = effect_.base;
    GITPLAN_TRY_ASSIGN(state_.tree, tree_of_commit(repository_, effect_.base));
    base_tree_ = state_.tree;
    GITPLAN_TRY(prepare());
    for (std::size_t next = 0; next < inputs_.size();) {
      GITPLAN_TRY_ASSIGN(next, merge_from(next));
    }
    for (const std::string& path : auto_merged_) GITPLAN_TRY(describe_auto_merge(path));
    if (state_.tree != base_tree_) merged_.tree = state_.tree;  // empty: nothing changed
    return std::move(merged_);
  }

 private:
  Status prepare() {
    for (const Integrate::Part& part : effect_.parts) {
      Input input{&part, part.commit, {}, {}};
      const std::string& by_hand = part.choice.commit;
      if (!by_hand.empty() && repository_.is_ancestor(part.commit, by_hand)) input.commit = by_hand;
      GITPLAN_TRY_ASSIGN(input.base_tree, tree_of_commit(repository_, part.base));
      GITPLAN_TRY_ASSIGN(input.tree, tree_of_commit(repository_, input.commit));
      inputs_.push_back(std::move(input));
    }
    return {};
  }

  // Its parents are the base and all tips in it: what a later part already contains of them is no
  // change of that part.
  Result<State> with(const State& state, const std::string& tree, const Input& input) const {
    State next{{}, tree, state.tips};
    next.tips.push_back(input.commit);
    std::vector<std::string> parents{effect_.base};
    parents.insert(parents.end(), next.tips.begin(), next.tips.end());
    GITPLAN_TRY_ASSIGN(next.commit, write_commit(repository_, tree, parents, "Merged so far\n", 0));
    return next;
  }

  // Merges the parts from `first` on in one process, as far as the predictions hold. Returns the
  // next one.
  Result<std::size_t> merge_from(std::size_t first) {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<State> predicted{state_};
    for (std::size_t i = first; i < inputs_.size(); ++i) {
      const State& before = predicted.back();
      pairs.emplace_back(before.commit, inputs_[i].commit);
      const auto tree =
          predict_merge(repository_, inputs_[i].base_tree, before.tree, inputs_[i].tree);
      if (!tree) {
        predicted.push_back(before);  // it will drop out
        continue;
      }
      GITPLAN_TRY_ASSIGN(State after, with(before, *tree, inputs_[i]));
      predicted.push_back(std::move(after));
    }
    GITPLAN_TRY_ASSIGN(const MergeRun answers, merge_trees(git_, pairs));
    if (answers.outcomes.empty())
      return failed("merging task '" + inputs_[first].part->task + "': " + answers.fault);
    for (std::size_t i = 0; i < answers.outcomes.size(); ++i) {
      GITPLAN_TRY(take(inputs_[first + i], answers.outcomes[i]));
      if (state_.commit != predicted[i + 1].commit) return first + i + 1;
    }
    return first + answers.outcomes.size();
  }

  Status take(const Input& input, const MergeOutcome& outcome) {
    const Integrate::Part& part = *input.part;
    std::string tree = outcome.tree;
    if (!outcome.clean) {
      std::optional<std::string> resolved;
      if (!part.choice.keep.empty()) {
        const bool own = part.choice.keep == part.task;
        GITPLAN_TRY_ASSIGN(resolved, resolve_for_side(repository_, outcome, state_.tree, input.tree,
                                                      [own](const std::string&) { return own; }));
      }
      if (!resolved) return drop(input, outcome);
      tree = *resolved;
    }
    for (const MergeMessage& message : outcome.messages)
      if (message.type == "Auto-merging")
        for (const std::string& path : message.paths)
          if (auto_merged_set_.insert(path).second) auto_merged_.push_back(path);
    merged_.tasks.push_back(part.task);
    GITPLAN_TRY_ASSIGN(state_, with(state_, tree, input));
    taken_.push_back({&input, tree});
    return {};
  }

  Status drop(const Input& input, const MergeOutcome& outcome) {
    GITPLAN_TRY_ASSIGN(const Provenance before, provenance_since(input.part->base));
    const SideNames ours(before), theirs(input.part->task, input.tree);
    merged_.overlaps.push_back(
        {input.part->task, conflicts_of(repository_, outcome, input.base_tree, state_.tree,
                                        input.tree, ours, theirs)});
    return {};
  }

  // The states since a part's base: commits up to the wave's base, then the parts taken.
  Result<Provenance> provenance_since(const std::string& base) const {
    const bool older = base != effect_.base && repository_.is_ancestor(base, effect_.base);
    std::string first = base_tree_;
    if (older) {
      GITPLAN_TRY_ASSIGN(first, tree_of_commit(repository_, base));
    }
    Provenance result(repository_, first);
    result.know(effect_.done);
    if (older) GITPLAN_TRY(result.add_commits(base, effect_.base));
    for (const Taken& taken : taken_) result.add({taken.tree, {taken.input->part->task}});
    return result;
  }

  // From the oldest base of those that changed the file, so that earlier waves are named too.
  Status describe_auto_merge(const std::string& path) {
    std::string oldest = effect_.base;
    for (const Taken& taken : taken_) {
      const Input& input = *taken.input;
      if (entry_at(repository_, input.base_tree, path) == entry_at(repository_, input.tree, path))
        continue;
      if (repository_.is_ancestor(input.part->base, oldest)) oldest = input.part->base;
    }
    GITPLAN_TRY_ASSIGN(const Provenance provenance, provenance_since(oldest));
    std::vector<Side> sides = provenance.sides(path);
    for (const std::string& who : provenance.who_changed({path}))
      if (std::none_of(sides.begin(), sides.end(),
                       [&who](const Side& side) { return side.who == who; }))
        sides.push_back({who, {}});
    merged_.auto_merged.push_back({path, std::move(sides)});
    return {};
  }

  struct Taken {
    const Input* input;
    std::string tree;
  };
  const Repository& repository_;
  const Integrate& effect_;
  Git git_;
  std::vector<Input> inputs_;
  State state_;
  std::string base_tree_;
  Merged merged_;
  std::vector<Taken> taken_;
  std::vector<std::string> auto_merged_;
  std::set<std::string> auto_merged_set_;
};

// A `git gc --prune` between now and the wave's commit must not take the tree away. It keeps what
// the index of a worktree names; a commit would stay behind as a dangling one.
Status hold(const Git& git, const std::string& tree) { return git.check({"read-tree", tree}); }

}  // namespace

Result<Merged> integrate(Repository& repository, const Integrate& effect,
                         const std::string& tree_dir) {
  const auto tree = worktree_at(repository, tree_dir);
  if (!tree) return error(ErrorCode::kNotFound, "'" + tree_dir + "' is not a worktree any more");
  if (tree->head != effect.base) GITPLAN_TRY(stand_at(repository, tree_dir, effect.base));
  const auto go = [&]() -> Result<Merged> {
    GITPLAN_TRY_ASSIGN(const Quarantine quarantine, Quarantine::make(repository, tree->admin));
    GITPLAN_TRY_ASSIGN(Merged merged,
                       Integration(quarantine.inside(), effect, quarantine.git(tree->git())).run());
    if (merged.tree.empty()) return merged;
    GITPLAN_TRY(quarantine.keep(merged.tree));
    GITPLAN_TRY(hold(tree->git(), merged.tree));
    return merged;
  };
  auto merged = go();
  if (merged) return merged;
  Merged failure;
  failure.wave = effect.wave;
  failure.error = merged.error().message;
  return failure;
}

}  // namespace gitplan
