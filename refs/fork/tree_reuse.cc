#include "refs/fork/tree_reuse.h"

#include <unistd.h>

#include <filesystem>

#include "refs/git/errno_error.h"
#include "refs/git/git.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

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
  if (!link_over(tree.admin + kSavedIndex, tree.admin + "/index"))
    return errno_error("link", tree.admin + "/index", errno);
  const Git git = tree.git();
  // By force: each file is compared with the index, and what lies in the way is overwritten.
  GitCall checkout;
  checkout.args = {
      "checkout",   "-q", "-f", "--no-recurse-submodules", "-B", wanted.branch.substr(11),
      wanted.commit};
  GITPLAN_TRY_ASSIGN(const Outcome outcome, git.call(checkout));
  GITPLAN_TRY(git.check({"clean", keep_ignored ? "-ffdq" : "-ffdxq"}));
  std::error_code code;
  std::filesystem::remove_all(tree.path + "/.git-plan", code);  // it ignores itself
  return check_tree(repository, wanted, !outcome.ok());
}

}  // namespace gitplan
