// Plans whose ref was deleted while this clone worked on them: what their files here still know.
#include <algorithm>
#include <filesystem>

#include "core/ledger/ledger_fields.h"
#include "core/plan/definition_fields.h"
#include "core/plan/names.h"
#include "refs/store/local_file.h"
#include "refs/store/store_state.h"

namespace gitplan {
namespace {

// "…\n", as a run writes it.
std::string id_in(const std::string& dir) {
  auto text = read_file(dir + "/id");
  if (!text.ok() || !*text) return {};
  std::string id = *std::move(*text);
  while (id.ends_with('\n')) id.pop_back();
  return id;
}

}  // namespace

Error ref_is_gone(std::string_view id, const std::string& tip) {
  const std::string ref = std::string(kPlanRefs) + std::string(id);
  return error(ErrorCode::kNotFound, ref + " is gone: it was deleted",
               tip.empty() ? "a fetch of " + ref + " from another clone brings it back"
                           : "'git update-ref " + ref + " " + tip + "' brings it back");
}

Result<std::vector<Store::Lost>> Store::lost() const {
  std::vector<Lost> found;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(state_->local_dir + "/plans", ignored)) {
    Lost plan{id_in(entry.path()), entry.path(), ""};
    if (plan_id_fault(plan.id)) continue;
    const auto ref = state_->trees.ref_target(plan.id);
    // Another one may have taken its name.
    if (ref.ok() || ref.error().code != ErrorCode::kNotFound) continue;
    const std::string identity = entry.path().filename();
    const auto ledger = state_->ledgers.read(identity);
    git_oid tip;
    if (ledger && parse_oid(ledger->key, tip)) {
      const auto at = state_->trees.at(plan.id, tip);
      if (at.ok() && at->identity.starts_with(identity)) plan.tip = ledger->key;
    }
    found.push_back(std::move(plan));
  }
  std::sort(found.begin(), found.end(), [](const Lost& a, const Lost& b) { return a.id < b.id; });
  return found;
}

}  // namespace gitplan
