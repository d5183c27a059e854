#include "refs/wave/wave_commit.h"

#include "refs/wave/branch_state.h"
#include "refs/wave/tree_commit.h"

namespace gitplan {

Result<std::variant<Committed, CommitRefused>> commit_wave(Repository& repository,
                                                           const Commit& effect,
                                                           const WaveCommitOptions& options,
                                                           const std::string& tree_dir) {
  using Answer = std::variant<Committed, CommitRefused>;
  CommitWish wish;
  wish.base = effect.base;
  wish.tree = effect.tree;
  wish.message = wave_message(effect, options);
  wish.trailers = wave_trailers(effect, options);
  wish.hooks_path = options.hooks_path;
  wish.no_hooks = effect.no_hooks;
  wish.unsigned_commit = effect.unsigned_commit;
  wish.deadline = options.deadline;
  if (!options.squash) wish.parents = options.tips;
  const std::string key = effect.tree + " " + effect.run + " " + std::to_string(effect.wave);
  GITPLAN_TRY_ASSIGN(auto made, commit_in_tree(repository, tree_dir, key, wish));
  if (auto* commit = std::get_if<std::string>(&made))
    return Answer(Committed{effect.wave, std::move(*commit)});
  Refusal& refusal = std::get<Refusal>(made);
  return Answer(CommitRefused{effect.wave, std::move(refusal.by), std::move(refusal.output)});
}

Result<std::variant<Advanced, AdvanceRefused>> advance(Repository& repository,
                                                       const Advance& effect,
                                                       std::string_view branch) {
  using Answer = std::variant<Advanced, AdvanceRefused>;
  const std::string name = (branch.starts_with("refs/") ? "" : "refs/heads/") + std::string(branch);
  GITPLAN_TRY_ASSIGN(const auto before, repository.ref(name));
  if (before == effect.to) return Answer(Advanced{effect.wave});
  // Moving it under somebody who stands on it would turn the wave into changes of theirs.
  GITPLAN_TRY_ASSIGN(const auto holders, holders_of(repository, name));
  if (!holders.empty())
    return Answer(AdvanceRefused{effect.wave, before.value_or(""), holders.front().path});
  // Not there yet, or not any more: the wave's commit holds all that the branch held.
  const bool behind =
      before && *before == effect.last && repository.is_ancestor(effect.last, effect.to);
  const std::string expected = behind ? effect.last : effect.from;
  const std::string from = before ? expected : std::string(effect.to.size(), '0');
  Status moved = repository.git().check(
      {"update-ref", "-m", "plan: wave " + std::to_string(effect.wave), name, effect.to, from});
  GITPLAN_TRY_ASSIGN(const auto after, repository.ref(name));
  if (after == effect.to) return Answer(Advanced{effect.wave});
  if (after.value_or("") != (before ? expected : ""))
    return Answer(AdvanceRefused{effect.wave, after.value_or("")});
  return std::move(moved).error();
}

}  // namespace gitplan
