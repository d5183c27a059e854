#include "git-plan/definition/stale.h"

#include <algorithm>

namespace gitplan {
namespace {

std::string clause(const CheckedReference& reference) {
  std::string words = "was deleted";
  if (reference.state == Staleness::kRenamed)
    words =
        (reference.certain ? "was renamed to " : "was perhaps renamed to ") + reference.suggestion;
  if (!reference.now.by.empty()) words += " by " + reference.now.by.substr(0, 7);
  return words;
}

}  // namespace

Result<CheckedReferences> check_against(const Repository& repository, const Settings& settings,
                                        const PlanView& view, const TraceTarget& target) {
  GITPLAN_TRY_ASSIGN(const int threshold, settings.integer("plan.contentThreshold"));
  return check_references(repository, view, target, threshold);
}

Result<CheckedReferences> check_at_head(const Repository& repository, const Settings& settings,
                                        const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository.head_commit());
  TraceTarget target;
  target.commit = head.value_or("");
  return check_against(repository, settings, view, target);
}

std::vector<StaleReference> led_astray(const CheckedReferences& found) {
  std::vector<StaleReference> stale;
  for (const CheckedReference& one : found.all) {
    const Reference& written = one.mention.reference;
    const bool gone = one.state == Staleness::kDeleted || one.state == Staleness::kRenamed;
    const auto known = std::ranges::find_if(stale, [&](const StaleReference& other) {
      return other.task == written.task && other.path == written.path;
    });
    if (!gone || written.task.empty()) continue;
    if (known != stale.end())
      known->fixable = known->fixable && one.certain;
    else
      stale.push_back({written.task, written.path, clause(one), one.certain});
  }
  return stale;
}

}  // namespace gitplan
