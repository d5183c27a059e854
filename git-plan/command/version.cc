// `git plan version`: what is at work here, for a bug report.
#include <git2.h>

#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/git_version.h"
#include "git-plan/command/table.h"
#include "git-plan/view/json_parts.h"

namespace gitplan {
namespace {

Result<int> version(Context& context, const Arguments&) {
  int major = 0, minor = 0, patch = 0;
  git_libgit2_version(&major, &minor, &patch);
  const std::string libgit2 =
      std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  GITPLAN_TRY_ASSIGN(const GitVersion git, git_version());
  if (context.json()) {
    const nlohmann::ordered_json document{
        {"schema", 1}, {"version", GITPLAN_VERSION}, {"git", git.text}, {"libgit2", libgit2}};
    context.out().line(json_text(document));
    return 0;
  }
  context.out().line("git-plan version " GITPLAN_VERSION);
  context.out().line("git " + git.text + ", libgit2 " + libgit2);
  return 0;
}

}  // namespace

const CommandInfo kVersionCommand{
    .name = "version",
    .summary = "Say the versions of git plan, git and libgit2",
    .usage = "git plan version [--json]",
    .group = Group::kSetup,
    .needs = Needs::kNothing,
    .json = true,
    .run = version,
};

}  // namespace gitplan
