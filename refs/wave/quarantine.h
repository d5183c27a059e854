// A directory of its own for the objects of merges that may come to nothing.
//
// Integration and landing try merges out: states in between, predictions, trees with conflict
// marks. Written into the repository they would stay behind as what `git fsck` calls dangling. Here
// they go with the directory, and what is used is moved over.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

class Quarantine {
 public:
  // Below `directory`, the git directory of a tree of ours: what a killed executor left there is
  // removed with the tree.
  static Result<Quarantine> make(const Repository& repository, const std::string& directory);
  Quarantine(Quarantine&& other) noexcept;
  Quarantine& operator=(Quarantine&&) = delete;
  ~Quarantine();

  // The same repository, which writes its objects here.
  const Repository& inside() const { return inside_; }
  Git git(const Git& outside) const;
  const std::string& directory() const { return directory_; }

  // Copies a tree and what is in it to the repository, as far as it is not there.
  Status keep(const std::string& tree) const;

 private:
  Quarantine(const Repository& outside, std::string directory, Repository inside)
      : outside_(&outside), directory_(std::move(directory)), inside_(std::move(inside)) {}

  const Repository* outside_;
  std::string directory_;  // empty: handed on
  Repository inside_;
};

}  // namespace gitplan
