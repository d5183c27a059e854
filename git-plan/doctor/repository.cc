#include <fmt/format.h>
#include <git2.h>
#include <sys/stat.h>

#include <algorithm>

#include "git-plan/command/git_version.h"
#include "git-plan/command/run_hook.h"
#include "git-plan/doctor/doctor.h"
#include "git-plan/view/words.h"
#include "hooks/status.h"
#include "refs/fork/tree_root.h"

namespace gitplan {
namespace {

bool is_there(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

std::string kind_of(const Repository& repository, const Settings& settings) {
  std::vector<std::string> words;
  words.push_back(repository.bare() ? "bare" : "with a work tree");
  if (repository.git_dir() != repository.common_dir()) words.push_back("linked worktree");
  if (is_there(repository.common_dir() + "/shallow")) words.push_back("shallow");
  if (settings.raw("extensions.partialclone")) words.push_back("partial clone");
  if (settings.raw("core.sparsecheckout") == "true") words.push_back("sparse checkout");
  return joined(words);
}

struct Refspec {
  std::string remote, variable, value;
};

std::vector<Refspec> refspecs_of(const std::string& listed) {
  std::vector<Refspec> all;
  for (std::size_t begin = 0; begin < listed.size();) {
    const std::size_t end = std::min(listed.find('\0', begin), listed.size());
    const std::string entry = listed.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t newline = entry.find('\n');
    if (newline == std::string::npos) continue;
    const std::string key = entry.substr(0, newline);
    const std::size_t dot = key.rfind('.');
    constexpr std::size_t kRemote = 7;  // "remote."
    if (dot <= kRemote) continue;
    all.push_back(
        {key.substr(kRemote, dot - kRemote), key.substr(dot + 1), entry.substr(newline + 1)});
  }
  return all;
}

// A refspec that writes refs/plans without merging: what only one side has is lost.
bool overwrites_plans(std::string value) {
  if (value.starts_with('+')) value.erase(0, 1);
  const std::size_t colon = value.find(':');
  const std::string target = colon == std::string::npos ? value : value.substr(colon + 1);
  return target == "refs/*" || target == "refs/plans/*" || target.starts_with("refs/plans/");
}

}  // namespace

Status examine_repository(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  seen.fact("repository", repository->common_dir() + " (" + kind_of(*repository, *settings) + ")");
  int major = 0, minor = 0, patch = 0;
  git_libgit2_version(&major, &minor, &patch);
  GITPLAN_TRY_ASSIGN(const GitVersion version, git_version());
  seen.fact("versions", fmt::format("git-plan {}, git {}, libgit2 {}.{}.{}", GITPLAN_VERSION,
                                    version.text, major, minor, patch));
  if (const Status new_enough = require_git(); !new_enough.ok())
    seen.add(Severity::kError, "old-git", new_enough.error().message, "git",
             new_enough.error().hint);
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository->head_commit());
  if (!head)
    seen.add(Severity::kWarning, "unborn", "HEAD has no commit yet, and tasks start from one",
             "HEAD", "git commit --allow-empty -m 'Start'");
  if (const Status root = check_tree_root(*repository, *settings); !root.ok())
    seen.add(Severity::kError, "worktree-root", root.error().message, "plan.worktreeRoot",
             root.error().hint);
  if (const auto operation = repository->operation_in_progress())
    seen.add(
        Severity::kNote, "in-progress",
        "this work tree is in the middle of a " + *operation + "; plans do not start meanwhile",
        repository->work_tree(), "");
  return {};
}

Status examine_hooks(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(
      const std::string path,
      repository->git().read({"rev-parse", "--path-format=absolute", "--git-path", "hooks"}));
  const std::optional<std::string> configured = settings->raw("core.hookspath");
  GITPLAN_TRY_ASSIGN(const HooksPlace place, hooks_place(*repository));
  const std::vector<HookStatus> all = hooks_status(place, hook_program(context));
  const auto at_work =
      std::count_if(all.begin(), all.end(), [](const HookStatus& hook) { return hook.active(); });
  seen.fact("hooks", path + (configured ? " (core.hooksPath)" : "") + "; " +
                         (at_work == 0 ? "no hook of git plan is at work"
                                       : fmt::format("{} of {} hooks of git plan are at work",
                                                     at_work, all.size())));
  for (const HookStatus& hook : all)
    if (hook.state == HookState::kShadowed || hook.state == HookState::kNotExecutable ||
        hook.state == HookState::kOutdated)
      seen.add(Severity::kWarning, "hook", hook.hook + ": " + hook.why, hook.path, hook.fix);
  if (configured && !is_there(path))
    seen.add(Severity::kWarning, "no-hooks-folder",
             "core.hooksPath is '" + *configured + "', and there is no such folder: no hook runs",
             "core.hooksPath", "git config --unset core.hooksPath");
  return {};
}

Status examine_remotes(Context& context, Examination& seen) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Outcome listed,
                     repository->git().call({.args = {"config", "-z", "--get-regexp",
                                                      "^remote\\..*\\.(fetch|push)$"}}));
  for (const Refspec& refspec : refspecs_of(listed.output)) {
    if (!overwrites_plans(refspec.value)) continue;
    const std::string key = "remote." + refspec.remote + "." + refspec.variable;
    seen.add(
        Severity::kError, "direct-refspec",
        key + " = '" + refspec.value + "' writes plans over each other instead of merging them",
        key, "git config --fixed-value --unset " + key + " '" + refspec.value + "'");
  }
  return {};
}

}  // namespace gitplan
