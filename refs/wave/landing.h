// Landing: the run's target branch takes the plan's work, and nothing of the user's changes.
//
// Carries out the effect Land. Never while the worktree that has the branch is in a merge, rebase,
// cherry-pick, revert or bisect, has an index.lock or a git process at work in it, nor while
// another worktree rebases or bisects the branch: LandWaits says why. Fast-forward where possible;
// where the branch has moved, one merge commit (first parent the branch's tip); local changes to
// the same files and conflicts are LandConflict; a branch that is gone or whose hook refuses is
// LandRefused. Done already: LandDone.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/error.h"
#include "core/engine/effect.h"
#include "core/engine/input.h"
#include "refs/git/repository.h"

namespace gitplan {

struct LandingOptions {
  std::string plan, run;
  std::string hooks_path;
  std::chrono::milliseconds deadline{120000};
  // Told where a version of the user's was kept that had to give way: "your version of a.cc is
  // kept: git show …".
  std::function<void(const std::string& text)> say;
  // Runs the plan's verify commands on a merge commit before the branch takes it; text: what
  // failed.
  std::function<Result<std::string>(const std::string& commit)> verify;
};

// Of the merge commit: `text` (empty: "Merge plan '<plan>'"), then the trailers Plan and Plan-Run.
std::string landing_message(std::string_view plan, std::string_view run,
                            std::string_view text = {});

using LandAnswer = std::variant<LandDone, LandWaits, LandConflict, LandRefused>;

Result<LandAnswer> land(Repository& repository, const Land& effect, const LandingOptions& options,
                        const std::string& tree_dir);

}  // namespace gitplan
