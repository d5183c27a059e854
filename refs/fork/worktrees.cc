#include "refs/fork/worktrees.h"

#include <git2.h>

#include <filesystem>

#include "refs/git/errno_error.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemoving = "/plan-removing";

std::string head_of(const std::string& admin) {
  std::string text = read_small_file(admin + "/HEAD").value_or("");
  return text.starts_with("ref: ") ? text.substr(5) : text;
}

std::string absolute(const std::string& path, const std::string& base) {
  return fs::path(path.starts_with('/') ? path : base + "/" + path).lexically_normal().string();
}

// Where the main worktree is, also seen from a linked one, also of a submodule.
std::string main_path(const Repository& repository) {
  if (repository.git_dir() == repository.common_dir()) return repository.work_tree();
  const std::string& common = repository.common_dir();
  Handle<git_config> config;
  std::string configured;
  int bare = 0;
  if (git_config_open_ondisk(config.out(), (common + "/config").c_str()) == 0) {
    git_config_get_bool(&bare, config.get(), "core.bare");
    git_buf value = GIT_BUF_INIT;
    if (git_config_get_string_buf(&value, config.get(), "core.worktree") == 0)
      configured = value.ptr;
    git_buf_dispose(&value);
  }
  if (!configured.empty()) return absolute(configured, common);
  if (bare != 0) return {};
  return common.ends_with("/.git") ? common.substr(0, common.size() - 5) : std::string();
}

std::optional<Worktree> linked(const std::string& admin) {
  const std::optional<std::string> link = read_small_file(admin + "/gitdir");
  if (!link) return std::nullopt;
  Worktree tree;
  tree.admin = admin;
  tree.path = absolute(*link, admin);
  if (tree.path.ends_with("/.git")) tree.path.resize(tree.path.size() - 5);
  tree.head = head_of(admin);
  if (const auto reason = read_small_file(admin + "/locked")) {
    tree.locked = true;
    tree.lock_reason = *reason;
  }
  return tree;
}

// An agent may have left directories that cannot be searched or written.
void open_up(const std::string& root) {
  std::error_code ignored;
  fs::permissions(root, fs::perms::owner_all, fs::perm_options::add, ignored);
  auto entry = fs::recursive_directory_iterator(root, ignored);
  for (; !ignored && entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
    std::error_code code;
    if (!entry->is_symlink(code) && entry->is_directory(code))
      fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, code);
  }
}

}  // namespace

std::string Worktree::held_branch() const {
  for (const char* state : {"/rebase-merge/head-name", "/rebase-apply/head-name"})
    if (const auto name = read_small_file(admin + state); name && name->starts_with("refs/"))
      return *name;
  const auto start = read_small_file(admin + "/BISECT_START");
  git_oid id;
  if (start && exists(admin + "/BISECT_LOG") && !parse_oid(*start, id))
    return start->starts_with("refs/") ? *start : "refs/heads/" + *start;
  return {};
}

std::optional<std::string> Worktree::operation() const {
  if (exists(admin + "/rebase-merge") || exists(admin + "/rebase-apply")) return "rebase";
  if (exists(admin + "/MERGE_HEAD")) return "merge";
  if (exists(admin + "/CHERRY_PICK_HEAD")) return "cherry-pick";
  if (exists(admin + "/REVERT_HEAD")) return "revert";
  if (exists(admin + "/sequencer")) return "cherry-pick";  // between two of several
  if (exists(admin + "/BISECT_LOG")) return "bisect";
  return std::nullopt;
}

bool Worktree::present() const { return is_directory(path) && !exists(admin + kRemoving); }

Result<std::vector<Worktree>> list_worktrees(const Repository& repository) {
  std::vector<Worktree> result;
  if (std::string path = main_path(repository); !path.empty()) {
    Worktree tree;
    tree.path = std::move(path);
    tree.admin = repository.common_dir();
    tree.head = head_of(tree.admin);
    tree.main = true;
    result.push_back(std::move(tree));
  }
  const std::string folder = repository.common_dir() + "/worktrees";
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (auto tree = linked(entry.path().string())) result.push_back(std::move(*tree));
  if (code && code != std::errc::no_such_file_or_directory)
    return errno_error("read", folder, code.value());
  return result;
}

std::optional<Worktree> worktree_at(const Repository& repository, const std::string& path) {
  // Its own file .git leads to it, where nobody has changed that: hundreds of others need not be
  // read, which would be done for each of them in turn.
  const std::string link = read_small_file(path + "/.git").value_or("");
  const std::string ours = repository.common_dir() + "/worktrees/";
  const bool plain =
      link.starts_with("gitdir: " + ours) && link.find('/', 8 + ours.size()) == std::string::npos;
  if (plain)
    if (auto tree = linked(link.substr(8)); tree && tree->path == path) return tree;
  auto all = list_worktrees(repository);
  if (!all) return std::nullopt;
  for (Worktree& tree : *all)
    if (tree.path == path) return std::move(tree);
  return std::nullopt;
}

std::string lock_reason(std::string_view plan, std::string_view task, std::string_view attempt) {
  std::string result(kLockPrefix);
  result.append(plan).append(" ").append(task);
  if (!attempt.empty()) result.append(" ").append(attempt);
  return result;
}

Status remove_worktree(const Repository& repository, const Worktree& tree, const ForkLock& lock) {
  if (tree.main) return failed("'" + tree.path + "' is the main worktree and is never removed");
  std::error_code code;
  if (exists(tree.path) && !is_directory(tree.path)) {
    // Somebody put a link or a file in its place: what it leads to is not ours.
    fs::remove(tree.path, code);
    if (code) return errno_error("remove", tree.path, code.value());
  }
  fs::permissions(tree.path, fs::perms::owner_all, fs::perm_options::add, code);
  if (exists(tree.admin)) GITPLAN_TRY(replace_file(tree.admin + kRemoving, "", true));
  // Twice --force: locked trees too. Git checks that the tree still points back to its directory;
  // one that lost its .git file is given it again.
  if (is_directory(tree.path) && !fs::is_directory(tree.path + "/.git", code))
    GITPLAN_TRY(replace_file(tree.path + "/.git", "gitdir: " + tree.admin + "\n", true));
  GitCall remove;
  remove.args = {"worktree", "remove", "--force", "--force", tree.path};
  remove.kept_open = lock.fd();
  GITPLAN_TRY_ASSIGN(const Outcome removed, repository.git().call(remove));
  if (removed.ok()) return {};
  if (is_directory(tree.path)) {
    open_up(tree.path);
    fs::remove_all(tree.path, code);  // links are removed, not followed
    if (code) return errno_error("remove", tree.path, code.value());
  }
  if (!exists(tree.admin)) return {};
  return repository.git().check(remove.args);
}

}  // namespace gitplan
