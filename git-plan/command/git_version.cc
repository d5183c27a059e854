#include "git-plan/command/git_version.h"

#include <charconv>

#include "refs/git/process.h"

namespace gitplan {

Result<GitVersion> git_version() {
  GITPLAN_TRY_ASSIGN(const Outcome outcome, run({.argv = {"git", "--version"},
                                                 .directory = {},
                                                 .environment = {},
                                                 .input = {},
                                                 .deadline = {}}));
  std::string_view words = outcome.output;
  const std::string_view prefix = "git version ";
  if (!outcome.ok() || !words.starts_with(prefix))
    return failed("'git --version' does not say a version", "is the git on PATH a working one?");
  words.remove_prefix(prefix.size());
  GitVersion version;
  version.text = std::string(words.substr(0, words.find_first_of(" \n")));
  const char* end = version.text.data() + version.text.size();
  const auto major = std::from_chars(version.text.data(), end, version.major);
  if (major.ptr < end) std::from_chars(major.ptr + 1, end, version.minor);
  return version;
}

Status require_git() {
  GITPLAN_TRY_ASSIGN(const GitVersion there, git_version());
  if (there.major > kOldestGitMajor ||
      (there.major == kOldestGitMajor && there.minor >= kOldestGitMinor))
    return {};
  const std::string needed =
      std::to_string(kOldestGitMajor) + "." + std::to_string(kOldestGitMinor);
  return error(ErrorCode::kUnsupported,
               "git " + there.text + " is too old: running a plan needs git " + needed +
                   " or newer ('git merge-tree --write-tree')",
               "install a newer git; plans can be written and read with this one");
}

}  // namespace gitplan
