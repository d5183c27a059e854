#include "git-plan/trust/person.h"

namespace gitplan {

Status need_person(Context& context, const std::string& doing, const std::string& plan) {
  if (context.interactive()) return {};
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const bool headless, settings->boolean("plan.allowHeadlessApproval"));
  if (headless) return {};
  return error(ErrorCode::kNotTrusted,
               doing + " '" + plan + "' needs a terminal: a person reads what it would run",
               "'git config plan.allowHeadlessApproval true' allows it without one");
}

}  // namespace gitplan
