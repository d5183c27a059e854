#include "git-plan/definition/history.h"

namespace gitplan {

Result<PlanView> plan_at(Context& context, const std::string& id, const std::string& change) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  const bool hex = change.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hex) return store->load_at(id, change);
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const Result<std::string> commit = repository->git().read(
      {"rev-parse", "-q", "--verify", "--end-of-options", change + "^{commit}"});
  return store->load_at(id, commit ? *commit : change);
}

}  // namespace gitplan
