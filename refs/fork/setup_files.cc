#include "refs/fork/setup_files.h"

#include "refs/fork/staging.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

std::string record_of(const Worktree& fork) { return fork.admin + "/plan-setup"; }

}  // namespace

Status note_setup_files(const Repository& repository, const Worktree& fork) {
  GITPLAN_TRY_ASSIGN(std::string head, fork.git().read({"rev-parse", "HEAD"}));
  Staging staging(repository, fork, head, fork.admin + "/index.plan");
  GITPLAN_TRY_ASSIGN(const Staged staged, staging.stage(head));
  GITPLAN_TRY_ASSIGN(const std::string changes,
                     repository.git().read({"diff-tree", "-r", "-z", "--raw", "--no-renames",
                                            "--no-abbrev", head, staged.tree}));
  return replace_file(record_of(fork), changes, false);
}

std::vector<RawChange> setup_files(const Worktree& fork) {
  return raw_changes(read_small_file(record_of(fork)).value_or(""));
}

}  // namespace gitplan
