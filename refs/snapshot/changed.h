// Which of some paths differ between two commits.
//
// Hooks ask it about what plans refer to. Trees that are equal are not read further, so it costs
// the paths that are asked for and the folders on the way, not the repository.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

struct ChangedPath {
  std::string path;
  std::string before, after;  // ids of blob or tree; empty: not there
  bool folder = false;        // before
};

// Of sorted paths; in their order.
Result<std::vector<ChangedPath>> changed_paths(const Repository& repository,
                                               const std::string& from, const std::string& to,
                                               const std::vector<std::string>& paths);

// Old name -> new name of those of `gone` that were renamed between two commits: by equal content,
// the others through the history where that is short, else by git, which compares the two ends only
// and gives up where much has come. Without those that are not certain or not known in time.
std::map<std::string, std::string> new_names(const Repository& repository, const std::string& from,
                                             const std::string& to,
                                             const std::vector<ChangedPath>& gone);

}  // namespace gitplan
