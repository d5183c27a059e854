#include "git-plan/definition/check.h"

#include <set>

#include "core/plan/plan_file.h"
#include "git-plan/neighbours/meetings.h"

namespace gitplan {
namespace {

Diagnostic at_waits_for(const Plan& plan, std::string_view file, Severity severity,
                        std::string code, std::string message, std::string fix) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.message = std::move(message);
  d.file = std::string(file);
  d.target = "orchestration.waits_for";
  d.fix = std::move(fix);
  for (const char* key : {"orchestration.waits_for.plan", "orchestration.waits_for", "waits_for"}) {
    for (const auto* keys : {&plan.keys, &plan.orchestration->keys}) {
      const auto found = keys->find(key);
      if (found == keys->end()) continue;
      d.line = found->second.line;
      d.column = found->second.column;
      return d;
    }
  }
  return d;
}

Error invalid(std::string_view file, Diagnostic fault) {
  Error e = error(ErrorCode::kInvalid, std::string(file) + " has 1 error");
  e.diagnostics.push_back(std::move(fault));
  return e;
}

// The ids from `id` by way of waits_for back to it, or empty.
Result<std::vector<std::string>> cycle(const Store& store, std::string_view id,
                                       const PlanView& first) {
  std::vector<std::string> path{std::string(id)};
  std::set<std::string, std::less<>> seen{path.front()};
  PlanView view = first;
  for (;;) {
    path.push_back(view.id);
    if (view.id == id) return path;
    if (!seen.insert(view.id).second) return std::vector<std::string>();  // a ring without us
    if (!view.plan.orchestration || !view.plan.orchestration->waits_for)
      return std::vector<std::string>();
    const std::string wanted = view.plan.orchestration->waits_for->plan;
    if (wanted == id) {  // before the store is asked: a new plan is not in it yet
      path.push_back(wanted);
      return path;
    }
    const Result<std::string> next = store.resolve(wanted);
    if (!next) return std::vector<std::string>();
    GITPLAN_TRY_ASSIGN(view, store.load(*next));
  }
}

}  // namespace

Status check_waits_for(const Store& store, const Plan& plan, std::string_view id,
                       std::string_view file, std::vector<Diagnostic>& warnings) {
  if (!plan.orchestration || !plan.orchestration->waits_for) return {};
  const WaitsFor& waits_for = *plan.orchestration->waits_for;
  if (waits_for.plan == id)
    return invalid(file, at_waits_for(plan, file, Severity::kError, "waits-for-itself",
                                      "the plan waits for itself", "name another plan"));
  const Result<std::string> other = store.resolve(waits_for.plan);
  if (!other) {
    warnings.push_back(at_waits_for(plan, file, Severity::kWarning, "unknown-plan",
                                    "there is no plan '" + waits_for.plan + "' here",
                                    "make it before this one is executed, or name another"));
    return {};
  }
  GITPLAN_TRY_ASSIGN(const PlanView view, store.load(*other));
  for (const std::string& task : waits_for.tasks) {
    if (view.plan.find(task) != nullptr) continue;
    return invalid(file, at_waits_for(plan, file, Severity::kError, "unknown-task",
                                      "plan '" + view.id + "' has no task '" + task + "'",
                                      "name one of its tasks"));
  }
  GITPLAN_TRY_ASSIGN(const std::vector<std::string> ring, cycle(store, id, view));
  if (ring.empty()) return {};
  std::string path;
  for (const std::string& step : ring) path += (path.empty() ? "" : " -> ") + step;
  return invalid(file, at_waits_for(plan, file, Severity::kError, "circular-plans",
                                    "plans wait for each other in a circle: " + path,
                                    "drop one of these waits_for"));
}

Result<std::vector<Diagnostic>> overlaps(Context& context, const Plan& plan, std::string_view id,
                                         std::string_view file) {
  std::vector<Diagnostic> warnings;
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Meeting> met,
                     meetings(*repository, *store, id, plan, Ledger{}, may_still_change_files));
  for (const Meeting& meeting : met) {
    if (!warnings.empty() && warnings.back().target == meeting.plan) continue;  // one a plan
    Diagnostic d;
    d.severity = Severity::kWarning;
    d.code = "overlap";
    d.file = std::string(file);
    d.target = meeting.plan;
    d.message = "overlaps plan '" + meeting.plan + "': " + words(meeting);
    if (const Task* task = plan.find(meeting.mine.task)) {
      d.line = task->position.line;
      d.column = task->position.column;
    }
    warnings.push_back(std::move(d));
  }
  return warnings;
}

Result<CheckedDefinition> check_definition(const Store& store, std::string text,
                                           std::string_view file, std::string_view id) {
  GITPLAN_TRY_ASSIGN(ParsedPlan parsed, parse_plan(text, file));
  if (!parsed.plan.id.empty() && parsed.plan.id != id) {
    Diagnostic d;
    d.code = "other-id";
    d.file = std::string(file);
    d.target = "id";
    d.message = "the plan is '" + std::string(id) + "', not '" + parsed.plan.id + "'";
    d.fix = "a plan keeps its id; remove the line, or write the id that it has";
    if (const auto found = parsed.plan.keys.find("id"); found != parsed.plan.keys.end()) {
      d.line = found->second.line;
      d.column = found->second.column;
    }
    return invalid(file, std::move(d));
  }
  CheckedDefinition checked{std::move(text), std::move(parsed.plan), std::move(parsed.warnings)};
  GITPLAN_TRY(check_waits_for(store, checked.plan, id, file, checked.warnings));
  return checked;
}

void print_warnings(Output& out, const std::vector<Diagnostic>& warnings) {
  for (const Diagnostic& warning : warnings) out.note(printable(to_string(warning)));
}

}  // namespace gitplan
