// `git plan pull`: takes in what others did to plans, and unites it with what was done here.
#include "refs/sync/pull.h"

#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/sync_view.h"

namespace gitplan {
namespace {

// How the plans stand that something came to.
struct After {
  int conflicted = 0, untrusted = 0;
};

Result<int> pull(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Remote remote,
                     remote_of(*repository, *settings, arguments.positional(0)));
  const PullOptions options =
      pull_options(context, arguments.positionals(1), arguments.has("--yes"));
  GITPLAN_TRY_ASSIGN(const Pulled pulled, pull_plans(*repository, *store, remote, options));
  return show_pulled(context, remote, pulled);
}

Result<int> fetch(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const Remote remote,
                     remote_of(*repository, *settings, arguments.positional(0)));
  GITPLAN_TRY(fetch_refs(*repository, remote));
  return show_seen(context, remote);
}

}  // namespace

const CommandInfo kPullCommand{
    .name = "pull",
    .summary = "Take in what others did to plans",
    .usage = "git plan pull [<remote> [<plan>…]] [--yes] [--json]",
    .group = Group::kGit,
    .inside_task = false,
    .json = true,
    .options = {{"--yes", "-y", "", "take away what was purged elsewhere, without a question"}},
    .positionals = {{"<remote>", false, false, Completes::kRemote},
                    {"<plan>", false, true, Completes::kPlan}},
    .run = pull,
};

const CommandInfo kFetchCommand{
    .name = "fetch",
    .summary = "See what others did to plans, and take nothing in",
    .usage = "git plan fetch [<remote>] [--json]",
    .group = Group::kGit,
    .inside_task = false,
    .json = true,
    .positionals = {{"<remote>", false, false, Completes::kRemote}},
    .run = fetch,
};

}  // namespace gitplan
