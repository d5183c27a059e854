// git plan gc: removes what plans left behind and nobody needs any more, and says what.
#include "git-plan/command/context.h"
#include "git-plan/command/garbage.h"
#include "git-plan/command/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

Result<int> gc(Context& context, const Arguments& arguments) {
  const bool only_say = arguments.has("--dry-run");
  GITPLAN_TRY_ASSIGN(const std::vector<Garbage> all, collect_garbage(context, !only_say));
  Output& out = context.out();
  for (const Garbage& garbage : all)
    out.line((garbage.left ? "left " : only_say ? "would remove " : "removed ") +
             printable(garbage.what) + ": " + printable(garbage.why));
  if (all.empty()) out.note("Nothing to remove.");
  return 0;
}

}  // namespace

const CommandInfo kGcCommand{
    .name = "gc",
    .summary = "Remove worktrees, branches and logs that nobody needs any more",
    .usage = "git plan gc [--dry-run]",
    .group = Group::kGit,
    .inside_task = false,
    .options = {{.name = "--dry-run", .letter = "-n", .help = "only say what would be removed"}},
    .run = gc,
};

}  // namespace gitplan
