// Attempts in the user's own working tree: what one of them changed there, told apart from what
// was there before.
//
// The executor calls begin_in_place() before such an attempt starts and collect_in_place() when it
// has ended. Neither changes the tree, its index, HEAD or a branch: a state of the tree is written
// as a tree object, through an index of its own. What had changes of the user's before is kept
// alive first. On disk, in the attempt's directory:
//
//     before        what was there, a line each: the commit, the branch, the state's tree object,
//                   the tree's path
//     working-tree  that path, until the attempt is released; never `tree`, which names what may be
//                   removed
//     after         the tree object of the state that it left, once it is collected; not there
//                   where nothing changed
//     index         while one of these is being made
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/journal/event.h"
#include "refs/fork/forks.h"
#include "refs/git/repository.h"
#include "refs/wave/tree_memo.h"

namespace gitplan {

struct InPlaceStart {
  std::string tree;  // path of the working tree
  std::string head;  // the commit that it stands at
};

// `branch`: that must be checked out. `earlier`: directories of attempts of the same task, oldest
// first: what one of them left there and nobody has touched since counts as the task's, not as the
// user's. Can be repeated until the attempt has started.
Result<InPlaceStart> begin_in_place(Repository& repository, const ForkSpec& spec,
                                    const std::string& actor, const std::string& branch,
                                    const std::vector<std::string>& earlier, TreeMemo& memo);
// Nothing: it has not begun.
std::optional<InPlaceStart> begun_in_place(const std::string& attempt_dir);

struct InPlaceScope {               // of optimistic tasks; all else leaves it empty
  std::vector<std::string> own;     // pathspecs: what changes elsewhere is not the task's
  std::vector<std::string> others;  // of those that ran beside it: what changes there is theirs
};

struct InPlaceWork {
  Work work;  // its commit, a child of the commit that the tree stood at, has the task's paths only
  // Changed by it and by the user before (kind "dirty"), or outside of every scope ("outside"):
  // not in work.commit, but in `with_mixed`. That is a merge: of work.commit, and of the task's
  // whole change on top of the state before.
  std::vector<Conflict> mixed;
  std::string with_mixed;
};
Result<InPlaceWork> collect_in_place(Repository& repository, const ForkSpec& spec,
                                     const std::string& actor, const InPlaceScope& scope,
                                     std::string_view subject, TreeMemo& memo);

// For resolving by hand: `ours` without the user's change, `theirs` with the task's on top of it.
// What is merged from them holds work.commit.
struct HandSides {
  std::string ours, theirs;
};
Result<HandSides> hand_sides(const Repository& repository, const std::string& with_mixed);

}  // namespace gitplan
