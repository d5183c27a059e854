// Puts our hooks where git runs them, and takes them away again.
//
// A file of somebody else's is moved aside as it is (<hook>.before-git-plan: same bytes, same mode)
// and run by ours. pre-commit runs <hook>.legacy before its own work: there ours joins it. What
// cannot be moved without harm is left, with the reason. Installing twice changes nothing.
#pragma once

#include <string>
#include <vector>

#include "hooks/place.h"

namespace gitplan {

enum class HookChange {
  kNone,       // it was so before
  kInstalled,  // ours is there now; `before` names what it runs first
  kRenewed,    // an older text of ours, or one that git did not run
  kRemoved,
  kRestored,  // what was there before is back
  kLeft,      // nothing was done: `why`, and `fix`
};

struct HookResult {
  std::string hook;
  HookChange change = HookChange::kNone;
  std::string path;    // of the file that it is about
  std::string before;  // the file that ours runs before itself; empty: none
  std::string why, fix;
};

struct InstallOptions {
  std::string program;  // git-plan-hook, recorded for where PATH has no git-plan
  bool chain = false;   // links and programs are moved aside too
  bool shared = false;  // also where other repositories run it
};

Result<std::vector<HookResult>> install_hooks(const HooksPlace& place,
                                              const InstallOptions& options);

// From where hooks run now and from <common>/hooks.
Result<std::vector<HookResult>> uninstall_hooks(const HooksPlace& place);

}  // namespace gitplan
