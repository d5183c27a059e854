// What met what in a merge that did not go through: a Conflict for each path, with the lines of
// both sides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/journal/event.h"
#include "refs/git/repository.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/provenance.h"

namespace gitplan {

// Who the lines of one side belong to.
class SideNames {
 public:
  // All of it one task's, or the user's.
  SideNames(std::string who, std::string tree) : who_(std::move(who)), tree_(std::move(tree)) {}
  explicit SideNames(const Provenance& provenance)
      : provenance_(&provenance), tree_(provenance.last_tree()) {}

  std::vector<Side> lines(const Repository& repository, const std::string& path,
                          const std::string& blob, const std::vector<LineRange>& ranges,
                          const std::map<std::string, std::string>& names) const;
  std::vector<std::string> changed(const std::vector<std::string>& paths) const;

 private:
  const Provenance* provenance_ = nullptr;
  std::string who_, tree_;
};

// `base`: tree id of the merge base, to find the names that files had before they were renamed.
std::vector<Conflict> conflicts_of(const Repository& repository, const MergeOutcome& outcome,
                                   const std::string& base, const std::string& ours_tree,
                                   const std::string& theirs_tree, const SideNames& ours,
                                   const SideNames& theirs);

}  // namespace gitplan
