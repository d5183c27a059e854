// A repository with the plan of HookRepo, and a real manager of hooks to be used in it.
//
// `./dev test` installs the managers; a test skips where its one is missing.
#pragma once

#include <string>
#include <vector>

#include "tests/hooks/hook_repo.h"

namespace gitplan::test {

class ManagedRepo : public HookRepo {
 public:
  ManagedRepo();

  bool has(const std::string& program) const;
  ProcessResult call(const Words& words) const { return run(words, options); }
  void good(const Words& words) const;
  // The lines that `git plan hooks install --print` has for one hook.
  std::string lines_for(const std::string& hook) const;

  RunOptions options;  // the managers are in its PATH
};

// One that is set up so that each of its own hooks adds its name to <root>/theirs.
struct Manager {
  const char* name;
  const char* program;
  // Only the files that it keeps in the work tree; then what git runs, after these are committed.
  void (*configure)(const ManagedRepo& repo, bool ours);
  void (*set_up)(const ManagedRepo& repo);
  bool joined;    // ours are called by lines in its files, and found by name only
  bool relative;  // no hook runs in a linked worktree, neither theirs nor ours
};
void PrintTo(const Manager& manager, std::ostream* out);
const std::vector<Manager>& managers();

}  // namespace gitplan::test
