// Which paths and patterns a plan may name: inside the repository, written one way.
//
// The reader of plan.md checks files, copy, cwd, inputs and expects with this.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gitplan {

struct PathFault {
  bool outside = false;  // it leaves the repository
  std::string clause;    // "leaves the repository": what is wrong with it
};

// Paths are relative to the root of the repository, with '/', without '..', '.git', backslashes,
// control characters and the pathspec magic of a leading ':'. `*`, `?` and `[…]` are patterns.
std::optional<PathFault> path_fault(std::string_view path);

// Without "./", "/./" and "//"; a trailing '/' stays, and "." for the root itself.
std::string normal_path(std::string_view path);

}  // namespace gitplan
