#include "git-plan/command/run_plan.h"

#include <csignal>
#include <nlohmann/json.hpp>

#include "git-plan/command/run_summary.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/plan_facts.h"
#include "git-plan/view/run_reporter.h"
#include "git-plan/view/status_view.h"

namespace gitplan {

Result<int> run_plan(Context& context, const std::string& plan, const std::string& dir,
                     ExecuteOptions options) {
  Output& out = context.out();
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  // A reader that goes away (`git plan execute | head`) must not end a run in the middle.
  std::signal(SIGPIPE, SIG_IGN);
  RunReporter reporter(context, plan, dir);
  options.trusted = [&context](const PlanView& now) { return is_trusted(context, now); };
  Result<RunResult> result = execute_plan(*repository, *settings, *store, plan, options, reporter);
  reporter.finish();
  if (!result.ok()) return std::move(result).error();
  if (context.json()) {
    GITPLAN_TRY_ASSIGN(const PlanFacts after, plan_facts(context, result->view));
    out.line(status_json(result->view, after, {}, {}));
  } else {
    out.print(run_summary(out, *result, *repository, dir));
  }
  return run_exit_status(*result);
}

int all_faults(Context& context, const Preflight& report) {
  const Error& first = *report.fault();
  if (context.json())
    context.out().line(json_text(
        {{"schema", 1}, {"error", error_json(first)}, {"errors", errors_json(report.faults)}}));
  for (const Error& fault : report.faults) context.out().error(fault, false);
  return exit_status(first.code);
}

}  // namespace gitplan
