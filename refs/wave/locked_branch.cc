#include "refs/wave/locked_branch.h"

#include <optional>
#include <set>
#include <string_view>

#include "core/base/branch_name.h"
#include "refs/git/git_processes.h"
#include "refs/wave/branch_state.h"

namespace gitplan {
namespace {

Error busy(const std::string& what) {
  return error(ErrorCode::kBusy, what, "try again when it is done");
}

// Our own update-ref stands in the tree too; anybody's moves no files and no HEAD.
std::optional<std::string> at_work_in(const std::string& tree) {
  for (const GitProcess& one : git_processes_in(tree))
    if (one.command != "update-ref") return "git " + one.command;
  return std::nullopt;
}

Status still_there(const Repository& repository, const Worktree& holder,
                   const std::string& branch) {
  const auto now = worktree_at(repository, holder.path);
  if (!now || now->head != branch || now->operation())
    return busy("'" + holder.path + "' has just left '" + branch_name(branch) + "'");
  if (const auto other = at_work_in(holder.path))
    return busy("'" + *other + "' is at work in '" + holder.path + "'");
  return {};
}

// Nobody has it, and nobody is just about to.
Status still_nowhere(const Repository& repository, const std::string& branch) {
  static const std::set<std::string_view> kMoversOfHead{"checkout", "switch", "rebase", "bisect"};
  GITPLAN_TRY_ASSIGN(const auto holders, holders_of(repository, branch));
  if (!holders.empty())
    return busy("'" + holders.front().path + "' has just checked out '" + branch_name(branch) +
                "'");
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository));
  for (const Worktree& tree : trees) {
    if (!tree.present()) continue;
    for (const GitProcess& one : git_processes_in(tree.path))
      if (kMoversOfHead.contains(one.command))
        return busy("'git " + one.command + "' is at work in '" + tree.path + "'");
  }
  return {};
}

}  // namespace

Status move_locked(const Repository& repository, const Worktree* holder, const RefMove& move,
                   const std::function<Status()>& forward, const std::function<Status()>& back) {
  const Git git = holder != nullptr ? holder->git() : repository.git();
  const auto look = [&]() -> Status {
    return holder != nullptr ? still_there(repository, *holder, move.branch)
                             : still_nowhere(repository, move.branch);
  };
  GITPLAN_TRY_ASSIGN(const auto before, repository.ref(move.branch));
  if (before == move.to) return forward();
  Status inside = failed("git did not lock the branch");
  bool moved = false;
  const auto under_the_locks = [&]() -> Status {
    GITPLAN_TRY(look());
    GITPLAN_TRY(forward());
    moved = true;
    // One that began before the locks were taken may have written its index and wait for HEAD.
    return look();
  };
  GitCall call;
  call.args = {"update-ref", "-m", move.reflog, "--stdin"};
  call.input = "start\n";
  if (holder != nullptr) call.input += "update ORIG_HEAD " + move.from + "\n";
  call.input += "update " + move.branch + " " + move.to + " " + move.from + "\nprepare\n";
  call.deadline = move.deadline;
  call.reply = [&](const std::string& output) -> std::optional<std::string> {
    if (output.find("prepare: ok\n") == std::string::npos) return std::nullopt;
    inside = under_the_locks();
    return inside ? "commit\n" : "abort\n";
  };
  auto outcome = git.call(call);
  const auto tip = repository.ref(move.branch);
  if (tip && *tip == move.to) return {};
  if (moved) GITPLAN_TRY(back());
  if (!outcome) return std::move(outcome).error();
  if (!inside && outcome->ok()) return inside;
  outcome->output.clear();  // its answers to what it was told
  return failed(outcome->words());
}

}  // namespace gitplan
