// The plans of this clone by what they are, not by their names: a name is a label, and two clones
// may have given one plan two.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "refs/store/plan_tree.h"

namespace gitplan {

class LocalPlans {
 public:
  static Result<LocalPlans> of(const Repository& repository);

  // Where the ref of that name stands; nothing: there is none.
  std::optional<git_oid> tip(const std::string& id) const;
  // The name of a plan here; nothing: it is not here.
  std::optional<std::string> named(const std::string& identity);
  const std::map<std::string, git_oid>& tips() const { return tips_; }
  bool taken(std::string_view id) const;  // whatever its case
  void moved(const std::string& id, const git_oid& tip, const std::string& identity);

 private:
  explicit LocalPlans(const Repository& repository) : trees_(repository) {}
  PlanTrees trees_;
  std::map<std::string, git_oid> tips_;
  std::optional<std::map<std::string, std::string>> names_;  // by identity; read when asked for
};

}  // namespace gitplan
