#include "refs/fork/tree_making.h"

#include <git2.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "refs/git/git_processes.h"
#include "refs/git/libgit2.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 100;  // tenths of a second for a git that is still at work

bool has_files(const Repository& repository, const std::string& commit) {
  git_oid id;
  Handle<git_commit> found;
  Handle<git_tree> tree;
  return !parse_oid(commit, id) || git_commit_lookup(found.out(), repository.raw(), &id) != 0 ||
         git_commit_tree(tree.out(), found.get()) != 0 || git_tree_entrycount(tree.get()) > 0;
}

bool holds_more_than_git(const std::string& path) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(path, code))
    if (entry.path().filename() != ".git") return true;
  return false;
}

// Empty: the tree is good.
Result<std::string> fault_of(const Repository& repository, const NewTree& wanted, bool git_failed) {
  const auto tree = worktree_at(repository, wanted.path);
  if (!tree || !tree->present()) return std::string("it is not there");
  if (tree->head != (wanted.branch.empty() ? wanted.commit : wanted.branch))
    return "its HEAD is '" + tree->head + "'";
  if (!wanted.branch.empty()) {
    GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(wanted.branch));
    if (tip != wanted.commit) return "its branch is at " + tip.value_or("nothing");
  }
  const bool sparse = exists(tree->admin + "/info/sparse-checkout");
  if (!sparse && has_files(repository, wanted.commit) && !holds_more_than_git(wanted.path))
    return std::string("it is empty");
  if (!git_failed) return std::string();
  GITPLAN_TRY_ASSIGN(const std::string status,
                     tree->git().read({"status", "--porcelain", "-z", "-uno"}));
  for (const std::string& entry : split_nul(status))
    if (entry.size() > 3 && (entry[1] == 'D' || entry[0] == 'D'))
      return "'" + entry.substr(3) + "' is missing in it";
  return std::string();
}

}  // namespace

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\0', start), text.size());
    result.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

Status make_tree(const Repository& repository, const NewTree& wanted, const ForkLock& lock) {
  GitCall call;
  call.kept_open = lock.fd();
  call.args = {"worktree", "add", "--no-track", "--lock", "--reason", wanted.reason};
  if (wanted.branch.empty()) {
    call.args.erase(call.args.begin() + 2);  // --no-track goes with a branch only
    call.args.push_back("--detach");
  } else {
    call.args.insert(call.args.end(), {"-B", wanted.branch.substr(11)});
  }
  call.args.insert(call.args.end(), {wanted.path, wanted.commit});
  GITPLAN_TRY_ASSIGN(const auto before, wanted.branch.empty() ? std::optional<std::string>()
                                                              : repository.ref(wanted.branch));
  GITPLAN_TRY_ASSIGN(const Outcome outcome, repository.git().call(call));
  GITPLAN_TRY_ASSIGN(const std::string fault, fault_of(repository, wanted, !outcome.ok()));
  if (fault.empty()) return {};
  if (const auto tree = worktree_at(repository, wanted.path))
    GITPLAN_TRY(remove_worktree(repository, *tree, lock));
  if (!wanted.branch.empty() && !before) {
    // Not by its old value: git may have made the branch before it failed, or not.
    GITPLAN_TRY(repository.git().check({"update-ref", "-d", wanted.branch}));
  }
  std::string words = outcome.error;
  while (words.ends_with('\n')) words.pop_back();
  return failed("cannot make the worktree '" + wanted.path + "': " + fault +
                (words.empty() ? "" : "\n" + words));
}

Status check_tree(const Repository& repository, const NewTree& wanted, bool git_failed) {
  GITPLAN_TRY_ASSIGN(const std::string fault, fault_of(repository, wanted, git_failed));
  return fault.empty() ? Status() : failed("the worktree '" + wanted.path + "': " + fault);
}

bool has_link(const Worktree& tree) {
  const auto found = read_small_file(tree.path + "/.git");
  if (!found || !found->starts_with("gitdir: ")) return false;
  const std::string target = found->substr(8);
  const fs::path absolute = target.starts_with('/') ? target : tree.path + "/" + target;
  std::error_code code;
  return fs::equivalent(absolute, tree.admin, code) && !code;
}

Status restore_link(const Worktree& tree) {
  const std::string link = tree.path + "/.git";
  if (is_directory(link)) return {};  // a repository of its own: git is told where ours is
  if (has_link(tree)) return {};
  std::error_code code;
  if (is_directory(tree.path))
    fs::permissions(tree.path, fs::perms::owner_all, fs::perm_options::add, code);
  ::unlink(link.c_str());
  return replace_file(link, "gitdir: " + tree.admin + "\n", true);
}

Status clear_stale_locks(const Repository& repository, const Worktree& tree,
                         const std::string& ref) {
  std::vector<std::string> locks{tree.admin + "/index.lock", tree.admin + "/HEAD.lock"};
  if (!ref.empty()) locks.push_back(repository.common_dir() + "/" + ref + ".lock");
  for (const std::string& lock : locks) {
    std::vector<GitProcess> users;
    for (int waited = 0; exists(lock); ++waited) {
      users = git_processes_in(tree.path);
      if (users.empty() && !is_open_somewhere(lock)) {
        ::unlink(lock.c_str());
        break;
      }
      if (waited == kPatience)
        return error(ErrorCode::kBusy,
                     "a git process" +
                         (users.empty() ? "" : " (" + std::to_string(users.front().pid) + ")") +
                         " is still at work in '" + tree.path + "'",
                     "end it, or remove " + lock);
      usleep(100000);
    }
  }
  return {};
}

Status stand_at(const Repository& repository, const std::string& path, const std::string& commit) {
  const auto tree = worktree_at(repository, path);
  if (!tree) return error(ErrorCode::kNotFound, "'" + path + "' is not a worktree any more");
  GITPLAN_TRY(restore_link(*tree));
  GITPLAN_TRY(clear_stale_locks(repository, *tree));
  const Git git = tree->git();
  // A branch that somebody checked out there stays where it is.
  if (tree->on_branch()) GITPLAN_TRY(git.check({"update-ref", "--no-deref", "HEAD", commit}));
  GITPLAN_TRY(git.check({"-c", "core.hooksPath=/dev/null", "reset", "--hard", "-q", commit}));
  return git.check({"clean", "-ffdq"});
}

Result<std::vector<std::string>> unsaved_paths(const Worktree& tree,
                                               const std::string& attempt_dir) {
  GITPLAN_TRY_ASSIGN(const std::string status,
                     tree.git().read({"status", "--porcelain", "-z", "-uall", "--no-renames"}));
  std::vector<std::string> left_out;
  if (!attempt_dir.empty())
    left_out = split_nul(read_small_file(attempt_dir + "/left-out").value_or(""));
  std::vector<std::string> result;
  for (const std::string& entry : split_nul(status)) {
    if (entry.size() < 4) continue;
    std::string path = entry.substr(3);
    if (path.starts_with(".git-plan/")) continue;
    if (std::find(left_out.begin(), left_out.end(), path) == left_out.end())
      result.push_back(std::move(path));
  }
  return result;
}

}  // namespace gitplan
