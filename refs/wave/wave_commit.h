// The one commit of a wave, made by `git commit` in the run's integration worktree.
//
// Carries out the effects Commit and Advance. Hooks and signing are the user's; a relative
// core.hooksPath that does not exist in that tree is passed as `hooks_path`. Only these commits
// carry a Wave: trailer. A hook that takes a trailer out of the message has refused the commit.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/engine/effect.h"
#include "core/engine/input.h"
#include "refs/git/repository.h"

namespace gitplan {

struct WaveCommitOptions {
  std::string plan;        // id, for the trailer
  std::string hooks_path;  // -c core.hooksPath=…; empty: as configured
  std::chrono::milliseconds deadline{120000};
  bool squash = true;  // false: the tasks' tips become further parents
  std::vector<std::string> tips;
};

// Probes first: HEAD of the tree already is this wave's commit (its Plan-Run, Wave and parent say
// so) -> answered, not made again.
Result<std::variant<Committed, CommitRefused>> commit_wave(Repository& repository,
                                                           const Commit& effect,
                                                           const WaveCommitOptions& options,
                                                           const std::string& tree_dir);

// The whole message: subject (at most 72 characters, "(+N)" for more tasks), body, trailers Plan,
// Wave, Plan-Run, Task.
std::string wave_message(const Commit& effect, const WaveCommitOptions& options);
std::vector<std::string> wave_trailers(const Commit& effect, const WaveCommitOptions& options);

// Compare-and-swap of the integration branch, and done already is done.
Result<std::variant<Advanced, AdvanceRefused>> advance(Repository& repository,
                                                       const Advance& effect,
                                                       std::string_view branch);

}  // namespace gitplan
