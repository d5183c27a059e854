#include "refs/fork/tree_reuse.h"

#include <unistd.h>

#include <filesystem>
#include <set>
#include <vector>

#include "refs/git/errno_error.h"
#include "refs/git/git.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSavedIndex = "/plan-index";

// A second name for the same file, never a copy: git compares the times of files with the time of
// the index that lists them.
bool link_over(const std::string& from, const std::string& to) {
  ::unlink(to.c_str());
  return ::link(from.c_str(), to.c_str()) == 0;
}

bool same_settings(const Repository& repository, const Worktree& tree) {
  for (const char* file : {"/config.worktree", "/info/sparse-checkout"})
    if (read_small_file(tree.admin + file) != read_small_file(repository.common_dir() + file))
      return false;
  return true;
}

// Refs, reflogs and whatever else an attempt had in the tree's administrative directory.
void forget(const std::string& admin) {
  static const std::set<std::string> kStays{"HEAD",  "commondir",  "gitdir",          "locked",
                                            "index", "plan-index", "config.worktree", "info"};
  std::error_code code;
  std::vector<fs::path> rest;
  for (const auto& entry : fs::directory_iterator(admin, code))
    if (!kStays.contains(entry.path().filename())) rest.push_back(entry.path());
  for (const fs::path& path : rest) fs::remove_all(path, code);
}

// As git makes directories, which is not among what it looks at afterwards.
void even_out_modes(const std::string& root) {
  std::error_code code;
  const fs::perms usual = fs::status(fs::path(root).parent_path(), code).permissions();
  if (code) return;
  fs::permissions(root, usual, code);
  auto entry = fs::recursive_directory_iterator(root, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
    std::error_code ignored;
    if (!entry->is_symlink(ignored) && entry->is_directory(ignored) &&
        entry->status(ignored).permissions() != usual)
      fs::permissions(entry->path(), usual, ignored);
  }
}

}  // namespace

void remember_index(const std::string& path) {
  const auto link = read_small_file(path + "/.git");
  if (!link || !link->starts_with("gitdir: ")) return;
  const std::string admin = link->substr(8);
  link_over(admin + "/index", admin + kSavedIndex);
}

bool can_be_renewed(const Repository& repository, const Worktree& tree) {
  return tree.present() && has_link(tree) && !tree.operation() &&
         exists(tree.admin + kSavedIndex) && !exists(tree.path + "/.gitmodules") &&
         !exists(tree.admin + "/modules") && same_settings(repository, tree);
}

Status relock(const Worktree& tree, const std::string& reason) {
  return replace_file(tree.admin + "/locked", reason + "\n", true);
}

Status renew_tree(const Repository& repository, const Worktree& tree, const NewTree& wanted,
                  bool keep_ignored) {
  GITPLAN_TRY(clear_stale_locks(repository, tree));
  even_out_modes(tree.path);
  if (!link_over(tree.admin + kSavedIndex, tree.admin + "/index"))
    return errno_error("link", tree.admin + "/index", errno);
  const Git git = tree.git();
  // By force: each file is compared with the index, and what lies in the way is overwritten.
  GitCall checkout;
  checkout.args = {
      "checkout",   "-q", "-f", "--no-recurse-submodules", "-B", wanted.branch.substr(11),
      wanted.commit};
  // Before the checkout, whose hook may make files; but what is ignored says the new commit.
  if (!keep_ignored) GITPLAN_TRY(git.check({"clean", "-ffdxq"}));
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(checkout));
  if (keep_ignored) GITPLAN_TRY(git.check({"clean", "-ffdq"}));
  forget(tree.admin);
  std::error_code code;
  fs::remove_all(tree.path + "/.git-plan", code);  // it ignores itself
  return check_tree(repository, wanted, !outcome.ok());
}

}  // namespace gitplan
