// One `git commit` in a tree of ours, with the user's hooks and signature, and who refused it.
//
// The wave's commit and the merge commit of a landing are made by it.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct CommitWish {
  std::string base;                  // first parent
  std::vector<std::string> parents;  // further ones: it becomes a merge
  std::string tree, message;
  std::vector<std::string> trailers;  // "Wave: 001": that the commit must have in the end
  std::string hooks_path;             // empty: as configured
  bool no_hooks = false, unsigned_commit = false;
  std::chrono::milliseconds deadline{120000};
};

struct Refusal {
  std::string by;      // hook, signer, timeout, git
  std::string output;  // its last 4 KiB, the hook's name first where it is known
};

// The id of the commit, or who refused. What counts is whether HEAD has moved and the message has
// its trailers, not git's exit status. A git of a killed executor that still commits there is
// waited for. `key` says what is being committed (tree, run, wave): where the tree already stands
// at the commit made for the same key, that one is answered.
Result<std::variant<std::string, Refusal>> commit_in_tree(const Repository& repository,
                                                          const std::string& tree_dir,
                                                          const std::string& key,
                                                          const CommitWish& wish);

}  // namespace gitplan
