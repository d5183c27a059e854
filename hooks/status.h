// Which of our hooks git runs, and why not.
//
// `git plan hooks status` and `doctor` ask.
#pragma once

#include <string>
#include <vector>

#include "hooks/place.h"

namespace gitplan {

enum class HookState {
  kActive,
  kChained,  // active, and runs what was there before it
  kJoined,   // active, called by somebody else's hook
  kMissing,
  kForeign,        // another's is in its place
  kShadowed,       // ours is where git does not look
  kNotExecutable,  // git passes over it
  kOutdated,       // active, with an older text
};

struct HookStatus {
  std::string hook;
  HookState state = HookState::kMissing;
  std::string path;    // of the file that it is about
  std::string before;  // what a chained one runs, or who calls a joined one
  std::string why, fix;
  bool active() const;
};

std::string_view name(HookState state);

// `program`: git-plan-hook, as an installation would record it.
std::vector<HookStatus> hooks_status(const HooksPlace& place, const std::string& program);

}  // namespace gitplan
