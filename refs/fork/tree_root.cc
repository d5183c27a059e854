#include "refs/fork/tree_root.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "refs/fork/worktrees.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

// Git that is run in such a folder would find the repository around it.
bool inside_a_work_tree(std::string folder) {
  while (!folder.empty()) {
    if (exists(folder + "/.git")) return true;
    folder.resize(folder.rfind('/'));
  }
  return false;
}

bool writable(const std::string& folder) {
  return make_directories(folder).ok() && access(folder.c_str(), W_OK | X_OK) == 0;
}

// The same before it is made: by the nearest folder that is there.
bool could_be_made(fs::path folder) {
  std::error_code code;
  while (!fs::exists(folder, code) && folder.has_relative_path()) folder = folder.parent_path();
  return fs::is_directory(folder, code) && access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string without_end(std::string path, std::string_view end) {
  if (path.size() > end.size() && path.ends_with(end)) path.resize(path.size() - end.size());
  return path;
}

// "/src/project.plan" for /src/project, /src/project/.git, /src/project.git.
std::string beside(const Repository& repository) {
  std::string home = repository.common_dir();
  auto trees = list_worktrees(repository);
  if (trees && !trees->empty() && trees->front().main) home = trees->front().path;
  return without_end(without_end(std::move(home), "/.git"), ".git") + ".plan";
}

Error unusable(ErrorCode code, const std::string& root, const std::string& why,
               const std::string& wanted) {
  return error(code, "plan.worktreeRoot: '" + root + "' " + why,
               "set plan.worktreeRoot to a directory " + wanted + ", or unset it");
}

Error cannot_be_written(const std::string& root) {
  return unusable(ErrorCode::kInvalid, root, "cannot be made or written", "that can be written");
}

// Absolute; empty where none is configured.
Result<std::string> configured_root(const Repository& repository, const Settings& settings) {
  GITPLAN_TRY_ASSIGN(const std::string configured, settings.text("plan.worktreeRoot"));
  if (configured.empty()) return std::string();
  const std::string base = repository.bare() ? repository.common_dir() : repository.work_tree();
  const std::string root =
      fs::weakly_canonical(configured.starts_with('/') ? configured : base + "/" + configured)
          .string();
  const std::string inside = repository.common_dir() + "/";
  if ((root + "/").starts_with(inside) && !(root + "/").starts_with(repository.local_dir() + "/"))
    return unusable(ErrorCode::kInvalid, root, "is inside of git's own directory",
                    "beside the repository");
  if (inside_a_work_tree(root))
    return unusable(ErrorCode::kInvalid, root,
                    "lies in a work tree, where git would take the forks for files of it",
                    "beside the repository");
  if (!could_be_made(root)) return cannot_be_written(root);
  return root;
}

}  // namespace

Status check_tree_root(const Repository& repository, const Settings& settings) {
  GITPLAN_TRY(configured_root(repository, settings));
  return {};
}

Result<std::string> tree_root(const Repository& repository, const Settings& settings) {
  GITPLAN_TRY_ASSIGN(const std::string configured, configured_root(repository, settings));
  if (!configured.empty()) {
    if (!writable(configured)) return cannot_be_written(configured);
    return configured;
  }
  std::error_code code;
  const std::string root = beside(repository);
  const fs::path real = fs::weakly_canonical(root, code);
  if (!code && !inside_a_work_tree(real.parent_path().string()) && writable(real.string()))
    return real.string();
  std::string inner = repository.local_dir() + "/trees";
  GITPLAN_TRY(make_directories(inner));
  return inner;
}

Result<std::string> free_tree_path(const Repository& repository, const std::string& root,
                                   std::string_view suffix) {
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(repository));
  std::set<std::string> taken;
  for (const Worktree& tree : trees) taken.insert(tree.path);
  for (int number = 1;; ++number) {
    std::string path = root + "/" + std::to_string(number).append(suffix);
    if (taken.contains(path)) continue;
    // An empty one was left by a `git worktree add` that was killed at its start.
    if (!exists(path) || ::rmdir(path.c_str()) == 0) return path;
  }
}

void drop_empty_root(const std::string& tree_path) {
  ::rmdir(tree_path.substr(0, tree_path.rfind('/')).c_str());
}

}  // namespace gitplan
