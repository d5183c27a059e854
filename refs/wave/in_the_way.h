// The user's own files and edits that a landing would have to overwrite.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/engine/effect.h"
#include "core/journal/event.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"
#include "refs/wave/objects.h"

namespace gitplan {

struct Blocked {
  std::string path;                  // that the landing changes
  std::optional<TreeEntry> before;   // what it is in HEAD; nothing: it is new
  std::optional<TreeEntry> target;   // what it becomes; nothing: it goes
  std::vector<std::string> files{};  // the user's, that are in the way; usually the same path
  bool same = false;                 // the user has exactly what the landing brings
  bool staged = false;               // the index differs from HEAD
  bool edited = false;               // the file differs from the index
  bool unlisted = false;             // `git rm --cached`: not in the index, but a file
  bool skip_worktree = false;        // marked so in the index:
  bool assume_unchanged = false;     // git status does not look at the file
  bool theirs = false;               // the plan's version is taken
  bool left = false;                 // since it is what a task of the plan left there
};

// Everything between the commit `from` (where the tree stands) and `to` (a commit or a tree) that
// meets a change of the user's: modified, staged, untracked and ignored files, also those that
// marks in the index hide from git status. Nothing is written, not even the index.
Result<std::vector<Blocked>> in_the_way(const Repository& repository, const Worktree& tree,
                                        const std::string& from, const std::string& to);

// Of those that are not the same, with the lines of the user's edits and those of the tasks that
// made `plan`, the commit that shall land.
Result<std::vector<Conflict>> dirty_conflicts(const Repository& repository, const Worktree& tree,
                                              const std::vector<Blocked>& blocked,
                                              const std::string& from, const std::string& plan,
                                              const WorkOfTasks& done);

}  // namespace gitplan
