// Which paths differ between two trees, without a look for renames.
//
// Only .cc files of refs/wave include this.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"
#include "refs/wave/objects.h"

namespace gitplan {

struct TreeChange {
  std::optional<TreeEntry> before, after;  // nothing: it is not there
};
using TreeChanges = std::map<std::string, TreeChange>;

// `from` and `to`: ids of trees or commits. In process; by git where objects must be fetched first.
Result<TreeChanges> tree_changes(const Repository& repository, const std::string& from,
                                 const std::string& to);

}  // namespace gitplan
