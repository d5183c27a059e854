// `git plan push`: gives what was done to plans here to others.
#include "refs/sync/push.h"

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/view/sync_view.h"

namespace gitplan {
namespace {

Result<int> push(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Remote remote,
                     remote_of(*repository, *settings, arguments.positional(0)));
  PushOptions options;
  for (const std::string& name : arguments.positionals(1)) {
    GITPLAN_TRY_ASSIGN(std::string id, store->resolve(name));
    options.plans.push_back(std::move(id));
  }
  options.branches = arguments.has("--branches");
  options.atomic = arguments.has("--atomic");
  options.pull = pull_options(context, {}, false);
  GITPLAN_TRY_ASSIGN(const Pushed pushed, push_plans(*repository, *store, remote, options));
  return show_pushed(context, remote, pushed);
}

}  // namespace

const CommandInfo kPushCommand{
    .name = "push",
    .summary = "Give what was done to plans here to others",
    .usage = "git plan push [<remote> [<plan>…]] [--branches] [--atomic] [--json]",
    .group = Group::kGit,
    .inside_task = false,
    .json = true,
    .options = {{"--branches", "", "", "the branches plan/<id>/… go along"},
                {"--atomic", "", "", "all refs or none, where the server can"}},
    .positionals = {{"<remote>", false, false, Completes::kRemote},
                    {"<plan>", false, true, Completes::kPlan}},
    .run = push,
};

}  // namespace gitplan
