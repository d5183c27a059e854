// Everything in an attempt's tree, as a tree object and a commit, without hooks, signature or
// editor.
//
// Left out: ignored files, .git-plan/, what was copied into the tree for the attempt
// (refs/fork/copied_files.h), what `setup` left as it is still (refs/fork/setup_files.h), files
// with the content of the user's ignored ones, repositories that the agent made or cloned inside
// the tree.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/fork/setup_files.h"
#include "refs/fork/worktrees.h"
#include "refs/git/repository.h"

namespace gitplan {

struct Staged {
  std::string tree;
  std::string
      left_out;  // paths, each with a NUL: they stay in the tree, and their content is elsewhere
  std::vector<std::string> remarks;
};

class Staging {
 public:
  // `aside`: the path of an index of its own, so that the tree's stays as it is; empty: the tree's.
  Staging(const Repository& repository, const Worktree& tree, std::string base,
          std::string aside = {});
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  Result<Staged> stage(const std::string& head);
  // With the user's identity.
  Result<std::string> commit(const std::string& tree, const std::vector<std::string>& parents,
                             const std::string& message) const;

 private:
  Result<Outcome> call(std::vector<std::string> words, const std::string& input = {}) const;
  Error failure(const std::string& word, Outcome outcome) const;
  Result<std::string> git(const std::vector<std::string>& words,
                          const std::string& input = {}) const;
  Status unhide() const;
  Status add(Staged& staged) const;
  Status leave_out(const std::string& head, const std::vector<std::string>& paths) const;
  Result<std::vector<RawChange>> changes_from_base() const;  // of the index
  Status check_links(const std::string& head, Staged& staged) const;
  Status check_setup(const std::string& head, Staged& staged) const;
  Status check_copied(const std::string& head, Staged& staged) const;
  Status check_planted(const std::string& head, Staged& staged) const;

  const Repository& repository_;
  const Worktree& tree_;
  std::string base_, index_;
};

}  // namespace gitplan
