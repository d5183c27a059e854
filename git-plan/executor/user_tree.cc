#include "git-plan/executor/user_tree.h"

#include <sys/stat.h>

#include <algorithm>

namespace gitplan {

Result<TreeSnapshot> snapshot_of(const Git& git) {
  TreeSnapshot snapshot;
  if (git.work_tree().empty()) return snapshot;
  GitCall call;
  call.args = {"status", "--porcelain", "-z", "--no-renames"};
  call.environment = {{"GIT_OPTIONAL_LOCKS", "0"}};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(call));
  if (!outcome.ok())
    return failed("git status failed in '" + git.work_tree() + "': " + outcome.error);
  const std::string& text = outcome.output;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    if (end - at > 3) {
      const std::string path = text.substr(at + 3, end - at - 3);
      std::string state = text.substr(at, 2);
      struct stat info;
      if (::lstat((git.work_tree() + "/" + path).c_str(), &info) == 0)
        state += " " + std::to_string(info.st_mtim.tv_sec) + "." +
                 std::to_string(info.st_mtim.tv_nsec) + " " + std::to_string(info.st_size);
      snapshot.emplace(path, std::move(state));
    }
    at = end + 1;
  }
  return snapshot;
}

std::vector<std::string> changed_between(const TreeSnapshot& before, const TreeSnapshot& after) {
  std::vector<std::string> changed;
  for (const auto& [path, state] : after) {
    const auto found = before.find(path);
    if (found == before.end() || found->second != state) changed.push_back(path);
  }
  return changed;
}

}  // namespace gitplan
