#include "git-plan/executor/user_tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "refs/git/small_file.h"

namespace gitplan {

namespace {

// Empty: it is not there.
std::string time_and_size(const std::string& file) {
  struct stat info;
  if (::lstat(file.c_str(), &info) != 0) return {};
  return std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + " " +
         std::to_string(info.st_size);
}

// Git writes the configuration again where nothing changes in it, so its text counts.
void add_settings(const std::string& git_dir, TreeSnapshot& snapshot) {
  snapshot[".git/config"] = read_small_file(git_dir + "/config").value_or("");
  std::error_code code;
  for (const auto& hook : std::filesystem::directory_iterator(git_dir + "/hooks", code))
    snapshot[".git/hooks/" + hook.path().filename().string()] = time_and_size(hook.path());
}

}  // namespace

Result<TreeSnapshot> snapshot_of(const Repository& repository) {
  TreeSnapshot snapshot;
  const Git& git = repository.git();
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
      state += " " + time_and_size(git.work_tree() + "/" + path);
      snapshot.emplace(path, std::move(state));
    }
    at = end + 1;
  }
  add_settings(repository.common_dir(), snapshot);
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
