// What a move or a commit does to what active plans refer to.
//
// Made from the watch file and the two states; told by `git plan hooks run` in a few lines. Only
// what was as it was noted before is news, and what goes away.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "hooks/quick/watch.h"
#include "refs/git/repository.h"

namespace gitplan {

struct Stale {
  enum class Kind { kGone, kMoved, kChanged, kHeld };
  Kind kind = Kind::kChanged;
  std::string path;
  std::string to;                // of one that has moved
  std::vector<std::string> who;  // "'2026-03-03-x' (parser, lexer)"
};

// By HEAD's move from one commit to another.
Result<std::vector<Stale>> stale_by_move(const Repository& repository, const Watch& watch,
                                         const std::string& from, const std::string& to);

// By what is in this index and not in HEAD: the commit that is being made. Held: a running task is
// at work on it.
Result<std::vector<Stale>> stale_by_commit(const Repository& repository, const Watch& watch,
                                           const std::string& index);

// At most ten, and a line that says how many more there are. Not yet fit for a terminal.
std::vector<std::string> stale_lines(const std::vector<Stale>& all);

}  // namespace gitplan
