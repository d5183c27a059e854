// What git did to HEAD last, by the last line of its reflog, and what a rewriting replaced.
//
// Asked where git's own words did not reach us: a rebase by patches begins with a checkout of which
// nothing else says what it is, and some callers of hooks keep the standard input to themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gitplan {

struct HeadMove {
  std::string from, to;
  std::string why;  // "checkout: moving from a to b"
  // The first checkout of a rebase, whatever word it began with ("pull --rebase").
  bool begins_rebase() const;
};

// Nothing: HEAD has no reflog.
std::optional<HeadMove> last_move(const std::string& git_dir);

// A rebase in which there is nothing to replay: its checkout is all of it, and no hook follows.
bool rebase_is_checkout_only(const std::string& git_dir);

// What post-rewrite is told ("amend" or "rebase"), as git's own files have it; "": they do not.
std::string rewritten_lines(const std::string& git_dir, std::string_view kind);

}  // namespace gitplan
