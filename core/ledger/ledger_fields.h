// The fields of every stored struct of the ledger, once for reading and writing.
//
// For ledger_codec.cc; the way of core/journal/event_fields.h. Keys are on disk: never rename them.
// A member that fold.h sets and that is missing here would be lost between two folds; the codec's
// test counts them.
#pragma once

#include "core/journal/event_fields.h"
#include "core/ledger/ledger.h"

namespace gitplan {

void each_field(Is<Attempt> auto& x, auto&& field) {
  field("id", x.id);
  field("run", x.run);
  field("agent", x.agent);
  field("role", x.role);
  field("mode", x.mode);
  field("base", x.base);
  field("branch", x.branch);
  field("text_hash", x.text_hash);
  field("minutes", x.minutes);
  field("lease", x.lease);
  field("started", x.started);
  field("ended", x.ended);
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
  field("limited", x.limited);
  field("actor", x.actor);
}
void each_field(Is<MergeChoice> auto& x, auto&& field) {
  field("keep", x.keep);
  field("commit", x.commit);
}
void each_field(Is<TaskRecord> auto& x, auto&& field) {
  field("status", x.status);
  field("attempts", x.attempts);
  field("wave", x.wave);
  field("commit", x.commit);
  field("rewritten", x.rewritten);
  field("reason", x.reason);
  field("queued_until", x.queued_until);
  field("transient_failures", x.transient_failures);
  field("minutes", x.minutes);
  field("merge", x.merge);
  field("approved", x.approved);
  field("checked", x.checked);
  field("feedback", x.feedback);
  field("budget_raises", x.budget_raises);
}
void each_field(Is<Wave> auto& x, auto&& field) {
  field("number", x.number);
  field("run", x.run);
  field("base", x.base);
  field("actor", x.actor);
  field("phase", x.phase);
  field("tasks", x.tasks);
  field("dropped", x.dropped);
  field("tree", x.tree);
  field("commit", x.commit);
  field("auto_merged", x.auto_merged);
  field("verified", x.verified);
  field("accepted", x.accepted);
  field("failed_command", x.failed_command);
  field("transition", x.transition);
  field("reason", x.reason);
  field("no_hooks", x.no_hooks);
  field("unsigned_commit", x.unsigned_commit);
  field("message", x.message);
}
void each_field(Is<LandAnswers> auto& x, auto&& field) {
  field("committed", x.committed);
  field("uncommitted", x.uncommitted);
  field("by_hand", x.by_hand);
}
void each_field(Is<Run> auto& x, auto&& field) {
  field("id", x.id);
  field("actor", x.actor);
  field("target", x.target);
  field("target_tip", x.target_tip);
  field("base", x.base);
  field("land", x.land);
  field("tasks", x.tasks);
  field("jobs", x.jobs);
  field("started", x.started);
  field("ended", x.ended);
  field("outcome", x.outcome);
  field("reason", x.reason);
  field("control", x.control);
  field("waits", x.waits);
  field("waits_not", x.waits_not);
  field("landing_branch", x.landing_branch);
  field("landing_commit", x.landing_commit);
  field("landed_branch", x.landed_branch);
  field("landed_commit", x.landed_commit);
  field("landed_tip", x.landed_tip);
  field("land_choice", x.land_choice);
  field("land_answers", x.land_answers);
  field("land_no_hooks", x.land_no_hooks);
  field("land_unsigned", x.land_unsigned);
  field("land_message", x.land_message);
}
void each_field(Is<Decision> auto& x, auto&& field) {
  field("asked", x.asked);
  field("asked_at", x.asked_at);
  field("option", x.option);
  field("text", x.text);
  field("minutes", x.minutes);
  field("resolved_at", x.resolved_at);
  field("resolved_by", x.resolved_by);
}
void each_field(Is<ActorRecord> auto& x, auto&& field) {
  field("last_id", x.last_id);
  field("clock", x.clock);
  field("events", x.events);
  field("worked", x.worked);
}
void each_field(Is<DefinitionStep> auto& x, auto&& field) {
  field("definition", x.definition);
  field("replaces", x.replaces);
}
void each_field(Is<Misfit> auto& x, auto&& field) {
  field("id", x.id);
  field("type", x.type);
  field("why", x.why);
}
// In the order in which people read them.
void each_field(Is<Ledger> auto& x, auto&& field) {
  field("plan", x.plan);
  field("title", x.title);
  field("from", x.from);
  field("former_names", x.former_names);
  field("state", x.state);
  field("state_by", x.state_by);
  field("before_deletion", x.before_deletion);
  field("created", x.created);
  field("last_activity", x.last_activity);
  field("heads", x.heads);
  field("tasks", x.tasks);
  field("waves", x.waves);
  field("runs", x.runs);
  field("decisions", x.decisions);
  field("snapshot", x.snapshot);
  field("agent_limits", x.agent_limits);
  field("budget_raises", x.budget_raises);
  field("overlaps_seen", x.overlaps_seen);
  field("stale_seen", x.stale_seen);
  field("queued_after", x.queued_after);
  field("remarks", x.remarks);
  field("misfits", x.misfits);
  field("clock", x.clock);
  field("events", x.events);
  field("actors", x.actors);
  field("last_definition_event", x.last_definition_event);
  field("definition_history", x.definition_history);
  field("lineage", x.lineage);
}

}  // namespace gitplan
