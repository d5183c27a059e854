#include "refs/sync/local_plans.h"

#include <algorithm>

#include "refs/store/message.h"

namespace gitplan {

Result<LocalPlans> LocalPlans::of(const Repository& repository) {
  LocalPlans plans(repository);
  GITPLAN_TRY_ASSIGN(plans.tips_, plans.trees_.refs_below(kPlanRefs));
  plans.tips_.erase(std::string(kMemoryPlan));
  return plans;
}

std::optional<git_oid> LocalPlans::tip(const std::string& id) const {
  const auto found = tips_.find(id);
  return found == tips_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> LocalPlans::named(const std::string& identity) {
  if (!names_) {
    names_.emplace();
    for (const auto& [id, at] : tips_)
      if (const auto tip = trees_.at(id, at); tip.ok()) names_->emplace(tip->identity, id);
  }
  const auto found = names_->find(identity);
  return found == names_->end() ? std::nullopt : std::optional(found->second);
}

bool LocalPlans::taken(std::string_view id) const {
  return std::any_of(tips_.begin(), tips_.end(), [&](const auto& one) {
    return std::equal(one.first.begin(), one.first.end(), id.begin(), id.end(),
                      [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  });
}

void LocalPlans::moved(const std::string& id, const git_oid& tip, const std::string& identity) {
  tips_[id] = tip;
  if (!names_) return;
  std::erase_if(*names_, [&](const auto& one) { return one.second == id; });
  (*names_)[identity] = id;
}

}  // namespace gitplan
