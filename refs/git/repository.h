// The repository that a command works in: found by git, opened by libgit2, whatever kind it is.
//
// Every command opens one. Discovery is git's own (`git rev-parse`, one process, only where the
// cheap way does not apply), so GIT_DIR, --git-dir, --work-tree, safe.directory and linked
// worktrees mean what they mean to git. Repositories that libgit2 1.5 cannot read (SHA-256,
// reftable) are refused with a clear message.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/git/git.h"

struct git_repository;

namespace gitplan {

class Config;

class Repository {
 public:
  // From the current directory and environment. Errors: kUnsupported, kNotFound ("not a git
  // repository").
  static Result<Repository> open();
  static Result<Repository> open_at(const std::string& directory);
  // The same repository, opened once more; what it writes goes to `objects`, a directory whose
  // info/alternates names that of the repository.
  Result<Repository> writing_to(const std::string& objects) const;
  // The same one, for another thread: directories that only the environment named stay what they
  // are.
  Result<Repository> again() const;
  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  const std::string& git_dir() const;     // absolute; of this worktree
  const std::string& common_dir() const;  // absolute; shared by all worktrees
  const std::string& work_tree() const;   // absolute; empty: bare
  const std::string& prefix() const;      // where in the work tree the user stands, "" or "a/b/"
  bool bare() const { return work_tree().empty(); }
  // --git-dir without --work-tree: the work tree is only the directory in which git was started.
  bool work_tree_is_guess() const;
  std::string local_dir() const;  // <common>/git-plan: everything of ours that is never pushed

  const Git& git() const;
  git_repository* raw() const;  // libgit2, for refs/plans and objects only

  // HEAD's branch (refs/heads/…), nothing where detached; and its commit, nothing where unborn.
  Result<std::optional<std::string>> head_branch() const;
  Result<std::optional<std::string>> head_commit() const;
  Result<std::optional<std::string>> ref(std::string_view name) const;  // commit id
  bool is_ancestor(std::string_view ancestor, std::string_view descendant) const;
  bool path_at(std::string_view commit, std::string_view path) const;  // is it in that tree
  // "merge", "rebase", "cherry-pick", "revert", "bisect" where this worktree is in the middle of
  // one.
  std::optional<std::string> operation_in_progress() const;

 private:
  struct State;
  explicit Repository(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// libgit2's last error as ours; the one place that translates them.
Error libgit2_error(std::string_view doing, int code);

}  // namespace gitplan
