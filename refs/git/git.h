// The `git` program, bound to one repository.
//
// Whatever touches the user's working tree, index, branches or remotes goes through this, so that
// filters, LFS, hooks, signing, credentials, sparse checkouts and submodules behave as set up.
// Git's repository-local variables are cleared for every call (the list of `git rev-parse
// --local-env-vars`), except those that Repository hands on: configuration given with `git -c`
// (GIT_CONFIG_PARAMETERS, GIT_CONFIG_COUNT …). Hooks of ours stay silent in it (GIT_PLAN_HOOKS=0).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "refs/git/process.h"

namespace gitplan {

// The names that must not reach a git or an agent at work in another tree.
const std::vector<std::string>& local_environment_names();

struct GitCall {
  std::vector<std::string> args;  // after `git`
  std::string directory;          // a worktree or git directory; empty: the repository's own
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  std::string input;
  std::function<std::optional<std::string>(const std::string& output)> reply;  // as in Command
  std::optional<std::chrono::milliseconds> deadline;
  int kept_open = -1;       // as in Command
  bool foreground = false;  // as in Command: for what talks to a remote
};

class Git {
 public:
  // `git_dir` and `work_tree` absolute; work_tree empty in a bare repository. `common_dir` only
  // where GIT_COMMON_DIR named one that the git directory itself does not.
  Git(std::string git_dir, std::string work_tree, std::string common_dir = {});

  Result<Outcome> call(const GitCall& call) const;
  // Standard output without the last newline; a failure carries git's own words.
  Result<std::string> read(const std::vector<std::string>& args, std::string_view input = {}) const;
  Status check(const std::vector<std::string>& args, std::string_view input = {}) const;
  // The same in another tree of the same repository.
  Git in(std::string work_tree) const;
  // The same with a variable for every call.
  Git with(std::string name, std::string value) const;

  const std::string& git_dir() const { return git_dir_; }
  const std::string& work_tree() const { return work_tree_; }

 private:
  std::string git_dir_, work_tree_, common_dir_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

}  // namespace gitplan
