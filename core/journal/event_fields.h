// The fields of every stored struct of the journal, once for reading and writing.
//
// event_codec.cc and core/ledger/ledger_codec.cc walk them with core/journal/json_fields.h. A field
// is told as (key, member) or, where its default is not empty, as (key, member, default): what
// equals the default is left out on disk. Keys are the members' names; they are on disk, never
// rename them.
#pragma once

#include <string_view>

#include "core/base/fields.h"
#include "core/journal/event.h"

namespace gitplan {

// ---- parts ----
void each_field(Is<LineRange> auto& x, auto&& field) {
  field("first", x.first);
  field("last", x.last);
}
void each_field(Is<Side> auto& x, auto&& field) {
  field("who", x.who);
  field("lines", x.lines);
  field("deleted", x.deleted);
}
void each_field(Is<AutoMerge> auto& x, auto&& field) {
  field("path", x.path);
  field("sides", x.sides);
}
void each_field(Is<Conflict> auto& x, auto&& field) {
  field("path", x.path);
  field("kind", x.kind);
  field("sides", x.sides);
}
void each_field(Is<DecisionOption> auto& x, auto&& field) {
  field("key", x.key);
  field("label", x.label);
  field("disabled", x.disabled);
}
void each_field(Is<DepDiscovery> auto& x, auto&& field) {
  field("item_id", x.item_id);
  field("type", x.type);
  field("on", x.on);
  field("target_resources", x.target_resources);
  field("notes", x.notes);
  field("confidence", x.confidence);
}
void each_field(Is<Finding> auto& x, auto&& field) {
  field("item_id", x.item_id);
  field("status", x.status);
  field("produced", x.produced);
  field("dep_discoveries", x.dep_discoveries);
  field("outcome_risk", x.outcome_risk);
  field("confidence", x.confidence, "high");
  field("prose_notes", x.prose_notes);
  field("reading", x.reading, "valid");
}

// ---- the plan ----
void each_field(Is<PlanCreated> auto& x, auto&& field) {
  field("plan", x.plan);
  field("title", x.title);
  field("definition", x.definition);
  field("from", x.from);
}
void each_field(Is<DefinitionChanged> auto& x, auto&& field) {
  field("definition", x.definition);
  field("replaces", x.replaces);
  field("title", x.title);
  field("reason", x.reason);
}
void each_field(Is<SnapshotTaken> auto& x, auto&& field) {
  field("commit", x.commit);
  field("references", x.references);
  field("since", x.since);
}
void each_field(Is<PlanStateSet> auto& x, auto&& field) {
  field("state", x.state);
  field("reason", x.reason);
  field("seen", x.seen);
}
void each_field(Is<PlanRenamed> auto& x, auto&& field) {
  field("plan", x.plan);
  field("before", x.before);
}

// ---- a run ----
void each_field(Is<RunStarted> auto& x, auto&& field) {
  field("run", x.run);
  field("target", x.target);
  field("target_tip", x.target_tip);
  field("base", x.base);
  field("land", x.land);
  field("tasks", x.tasks);
  field("jobs", x.jobs);
}
void each_field(Is<RunResumed> auto& x, auto&& field) { field("run", x.run); }
void each_field(Is<RunWaits> auto& x, auto&& field) {
  field("run", x.run);
  field("plan", x.plan);
  field("reason", x.reason);
}
void each_field(Is<BaseTaken> auto& x, auto&& field) {
  field("run", x.run);
  field("task", x.task);
  field("attempt", x.attempt);
  field("base", x.base);
}
void each_field(Is<RunEnded> auto& x, auto&& field) {
  field("run", x.run);
  field("outcome", x.outcome);
  field("reason", x.reason);
}
void each_field(Is<ControlRequested> auto& x, auto&& field) {
  field("run", x.run);
  field("what", x.what);
}

// ---- attempts ----
void each_field(Is<AttemptStarted> auto& x, auto&& field) {
  field("run", x.run);
  field("task", x.task);
  field("attempt", x.attempt);
  field("agent", x.agent);
  field("role", x.role);
  field("mode", x.mode);
  field("base", x.base);
  field("branch", x.branch);
  field("text_hash", x.text_hash);
  field("minutes", x.minutes);
  field("lease", x.lease);
}
void each_field(Is<AttemptRenewed> auto& x, auto&& field) {
  field("task", x.task);
  field("attempt", x.attempt);
  field("lease", x.lease);
}
void each_field(Is<AttemptEnded> auto& x, auto&& field) {
  field("run", x.run);
  field("task", x.task);
  field("attempt", x.attempt);
  field("outcome", x.outcome);
  field("failure", x.failure);
  field("error", x.error);
  field("exit_code", x.exit_code);
  field("commit", x.commit);
  field("paths", x.paths);
  field("remarks", x.remarks);
  field("output", x.output);
  field("findings", x.findings);
  field("tokens", x.tokens);
  field("cost_usd", x.cost_usd);
}
void each_field(Is<TaskQueued> auto& x, auto&& field) {
  field("run", x.run);
  field("task", x.task);
  field("attempt", x.attempt);
  field("failure", x.failure);
  field("error", x.error);
  field("until", x.until);
  field("agent_until", x.agent_until);
}
void each_field(Is<TaskSet> auto& x, auto&& field) {
  field("task", x.task);
  field("status", x.status);
  field("reason", x.reason);
}

// ---- waves ----
void each_field(Is<TaskApproved> auto& x, auto&& field) {
  field("task", x.task);
  field("text_hash", x.text_hash);
}

void each_field(Is<WaveStarted> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("base", x.base);
  field("tasks", x.tasks);
}
void each_field(Is<WaveMerged> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("tree", x.tree);
  field("tasks", x.tasks);
  field("dropped", x.dropped);
  field("auto_merged", x.auto_merged);
}
void each_field(Is<WaveCommitted> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("commit", x.commit);
}
void each_field(Is<WaveVerified> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("passed", x.passed);
  field("accepted", x.accepted);
  field("command", x.command);
}
void each_field(Is<WaveCompleted> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("commit", x.commit);
  field("tasks", x.tasks);
  field("transition", x.transition);
  field("reason", x.reason);
}
void each_field(Is<WaveAbandoned> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("reason", x.reason);
}
void each_field(Is<WaveRewritten> auto& x, auto&& field) {
  field("run", x.run);
  field("wave", x.wave);
  field("from", x.from);
  field("to", x.to);
}

// ---- landing ----
void each_field(Is<LandingStarted> auto& x, auto&& field) {
  field("run", x.run);
  field("branch", x.branch);
  field("commit", x.commit);
}
void each_field(Is<Landed> auto& x, auto&& field) {
  field("run", x.run);
  field("branch", x.branch);
  field("commit", x.commit);
}

// ---- stop and ask ----
void each_field(Is<DecisionAsked> auto& x, auto&& field) {
  field("decision", x.decision);
  field("kind", x.kind);
  field("task", x.task);
  field("tasks", x.tasks);
  field("wave", x.wave);
  field("run", x.run);
  field("branch", x.branch);
  field("what", x.what);
  field("why", x.why);
  field("impact", x.impact);
  field("options", x.options);
  field("conflicts", x.conflicts);
  field("text_hash", x.text_hash);
  field("commit", x.commit);
  field("plans", x.plans);
  field("paths", x.paths);
}
void each_field(Is<DecisionResolved> auto& x, auto&& field) {
  field("decision", x.decision);
  field("option", x.option);
  field("text", x.text);
  field("minutes", x.minutes);
}
void each_field(Is<DecisionWithdrawn> auto& x, auto&& field) {
  field("decision", x.decision);
  field("reason", x.reason);
}
void each_field(Is<Remark> auto& x, auto&& field) {
  field("task", x.task);
  field("text", x.text);
}
void each_field(Is<UnknownEvent> auto&, auto&&) {}  // its line is kept whole

// ---- types ----
template <class Body>
inline constexpr std::string_view kTypeOf = {};
template <>
inline constexpr std::string_view kTypeOf<PlanCreated> = "plan_created";
template <>
inline constexpr std::string_view kTypeOf<DefinitionChanged> = "definition_changed";
template <>
inline constexpr std::string_view kTypeOf<SnapshotTaken> = "snapshot_taken";
template <>
inline constexpr std::string_view kTypeOf<PlanStateSet> = "plan_state_set";
template <>
inline constexpr std::string_view kTypeOf<PlanRenamed> = "plan_renamed";
template <>
inline constexpr std::string_view kTypeOf<RunStarted> = "run_started";
template <>
inline constexpr std::string_view kTypeOf<RunResumed> = "run_resumed";
template <>
inline constexpr std::string_view kTypeOf<RunWaits> = "run_waits";
template <>
inline constexpr std::string_view kTypeOf<BaseTaken> = "base_taken";
template <>
inline constexpr std::string_view kTypeOf<RunEnded> = "run_ended";
template <>
inline constexpr std::string_view kTypeOf<ControlRequested> = "control_requested";
template <>
inline constexpr std::string_view kTypeOf<AttemptStarted> = "attempt_started";
template <>
inline constexpr std::string_view kTypeOf<AttemptRenewed> = "attempt_renewed";
template <>
inline constexpr std::string_view kTypeOf<AttemptEnded> = "attempt_ended";
template <>
inline constexpr std::string_view kTypeOf<TaskQueued> = "task_queued";
template <>
inline constexpr std::string_view kTypeOf<TaskSet> = "task_set";
template <>
inline constexpr std::string_view kTypeOf<TaskApproved> = "task_approved";
template <>
inline constexpr std::string_view kTypeOf<WaveStarted> = "wave_started";
template <>
inline constexpr std::string_view kTypeOf<WaveMerged> = "wave_merged";
template <>
inline constexpr std::string_view kTypeOf<WaveCommitted> = "wave_committed";
template <>
inline constexpr std::string_view kTypeOf<WaveVerified> = "wave_verified";
template <>
inline constexpr std::string_view kTypeOf<WaveCompleted> = "wave_completed";
template <>
inline constexpr std::string_view kTypeOf<WaveAbandoned> = "wave_abandoned";
template <>
inline constexpr std::string_view kTypeOf<WaveRewritten> = "wave_rewritten";
template <>
inline constexpr std::string_view kTypeOf<LandingStarted> = "landing_started";
template <>
inline constexpr std::string_view kTypeOf<Landed> = "landed";
template <>
inline constexpr std::string_view kTypeOf<DecisionAsked> = "decision_asked";
template <>
inline constexpr std::string_view kTypeOf<DecisionResolved> = "decision_resolved";
template <>
inline constexpr std::string_view kTypeOf<DecisionWithdrawn> = "decision_withdrawn";
template <>
inline constexpr std::string_view kTypeOf<Remark> = "remark";

}  // namespace gitplan
