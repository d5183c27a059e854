#include "refs/fork/submodules.h"

#include "refs/fork/tree_making.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

struct Submodule {
  std::string name, path;
};

// As .gitmodules of the fork names them: "submodule.<name>.path\n<path>", each with a NUL.
Result<std::vector<Submodule>> submodules_of(const Worktree& fork) {
  std::vector<Submodule> found;
  GitCall call;
  call.args = {"config", "-z", "-f", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"};
  GITPLAN_TRY_ASSIGN(const Outcome listed, fork.git().call(call));  // status 1: none
  for (const std::string& entry : split_nul(listed.output)) {
    const std::size_t line = entry.find('\n');
    if (line == std::string::npos || line < 15) continue;
    found.push_back({entry.substr(10, line - 15), entry.substr(line + 1)});
  }
  return found;
}

}  // namespace

bool keep_submodule_commit(const Repository& repository, const Worktree& fork,
                           const std::string& path, const std::string& commit) {
  const auto modules = submodules_of(fork);
  if (!modules) return false;
  for (const Submodule& module : *modules) {
    const std::string clone = repository.common_dir() + "/modules/" + module.name;
    if (module.path != path || !is_directory(clone)) continue;
    const std::string place = fork.path + "/" + path;
    return Git(place + "/.git", place)
        .check({"push", "-q", "--no-verify", clone, commit + ":refs/plan-keep/" + commit})
        .ok();
  }
  return false;
}

Status check_out_submodules(const Repository& repository, const Worktree& fork) {
  if (!exists(fork.path + "/.gitmodules")) return {};
  GITPLAN_TRY_ASSIGN(const auto modules, submodules_of(fork));
  for (const Submodule& module : modules) {
    const std::string clone = repository.common_dir() + "/modules/" + module.name;
    if (!is_directory(clone)) continue;  // the user has not initialised it either
    // From the user's own clone, which has the commit; afterwards its remote is what theirs is.
    GITPLAN_TRY(fork.git().check({"-c", "protocol.file.allow=always", "-c",
                                  "submodule." + module.name + ".url=" + clone, "submodule",
                                  "--quiet", "update", "--init", "--checkout", "--", module.path}));
    const std::string place = fork.path + "/" + module.path;
    const Git inside(place + "/.git", place);
    const auto url = repository.git().read({"config", "submodule." + module.name + ".url"});
    if (url && !url->empty())
      GITPLAN_TRY(inside.check({"remote", "set-url", "origin", url->substr(0, url->find('\n'))}));
    if (is_directory(clone + "/modules"))
      GITPLAN_TRY(inside.check({"submodule", "--quiet", "update", "--init", "--recursive"}));
  }
  return {};
}

}  // namespace gitplan
