// The fields of a parsed plan, for the cache of large ones (refs/store/packed_cache.h).
//
// A member that is missing here would be empty when the plan is read the second time; the test of
// the cache counts them.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/fields.h"
#include "core/plan/definition.h"

namespace gitplan {

void each_field(Is<Diagnostic> auto& x, auto&& field) {
  field("severity", x.severity);
  field("code", x.code);
  field("message", x.message);
  field("file", x.file);
  field("line", x.line);
  field("column", x.column);
  field("target", x.target);
  field("fix", x.fix);
}
void each_field(Is<Position> auto& x, auto&& field) {
  field("line", x.line);
  field("column", x.column);
}
void each_field(Is<Task> auto& x, auto&& field) {
  field("name", x.name);
  field("description", x.description);
  field("run", x.run);
  field("role", x.role);
  field("agent", x.agent);
  field("fallback", x.fallback);
  field("mode", x.mode);
  field("isolation", x.isolation);
  field("depends_on", x.depends_on);
  field("files", x.files);
  field("approval_gate", x.approval_gate);
  field("checkpoint", x.checkpoint);
  field("timeout_minutes", x.timeout_minutes);
  field("idle_minutes", x.idle_minutes);
  field("cwd", x.cwd);
  field("locks", x.locks);
  field("budget_usd", x.budget_usd);
  field("inputs", x.inputs);
  field("expects", x.expects);
  field("checks", x.checks);
  field("allow_no_change", x.allow_no_change);
  field("contract", x.contract);
  field("exit_criteria", x.exit_criteria);
  field("complexity", x.complexity);
  field("ci_risk", x.ci_risk);
  field("migration", x.migration);
  field("position", x.position);
  field("keys", x.keys);
  field("text_hash", x.text_hash);
}
void each_field(Is<WaitsFor> auto& x, auto&& field) {
  field("plan", x.plan);
  field("tasks", x.tasks);
}
void each_field(Is<Retry> auto& x, auto&& field) {
  field("max_attempts", x.max_attempts);
  field("backoff", x.backoff);
}
void each_field(Is<Orchestration> auto& x, auto&& field) {
  field("default_mode", x.default_mode);
  field("schedule", x.schedule);
  field("isolation", x.isolation);
  field("max_forks", x.max_forks);
  field("team", x.team);
  field("retry", x.retry);
  field("waits_for", x.waits_for);
  field("setup", x.setup);
  field("teardown", x.teardown);
  field("copy", x.copy);
  field("verify", x.verify);
  field("budget_usd", x.budget_usd);
  field("tasks", x.tasks);
  field("keys", x.keys);
}
void each_field(Is<Intent> auto& x, auto&& field) {
  field("goal", x.goal);
  field("non_goals", x.non_goals);
  field("constraints", x.constraints);
  field("acceptance_criteria", x.acceptance_criteria);
}
void each_field(Is<Plan> auto& x, auto&& field) {
  field("title", x.title);
  field("tags", x.tags);
  field("ttl_days", x.ttl_days);
  field("intent", x.intent);
  field("plan_mode", x.plan_mode);
  field("verification_rigor", x.verification_rigor);
  field("open_decisions", x.open_decisions);
  field("approved_decisions", x.approved_decisions);
  field("differences_from_agreement", x.differences_from_agreement);
  field("orchestration", x.orchestration);
  field("id", x.id);
  field("naming", x.naming);
  field("from", x.from);
  field("body", x.body);
  field("body_line", x.body_line);
  field("keys", x.keys);
}

}  // namespace gitplan
