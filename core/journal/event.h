// The events of a plan's journal: everything that ever happened to it, in the words that are
// stored.
//
// The journal is the truth, the ledger (core/ledger/ledger.h) is what it folds to. Commands and the
// engine make bodies; the store stamps them (id, actor, clock, time) and writes them. On disk one
// JSON object a line: core/journal/FORMAT.md. Field and type names reach disk: never rename them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/timestamp.h"
#include "core/journal/finding.h"

namespace gitplan {

struct LineRange {
  int first = 0, last = 0;  // 1-based, both included
};

// One party to an overlap: a task, or "user" for commits and edits that no task made.
struct Side {
  std::string who;
  std::vector<LineRange> lines;
  bool deleted = false;  // the file is gone on this side
};

struct AutoMerge {  // a file that several tasks changed and git merged
  std::string path;
  std::vector<Side> sides;
};

struct Conflict {  // a file where they met
  std::string path;
  // content, binary, rename, delete, mode. Of what is not committed: dirty, or why git status does
  // not show it so: rm --cached, skip-worktree, assume-unchanged
  std::string kind;
  std::vector<Side> sides;
};

// A change of the user's that is in no commit.
inline bool is_uncommitted(const Conflict& conflict) {
  return conflict.kind == "dirty" || conflict.kind == "rm --cached" ||
         conflict.kind == "skip-worktree" || conflict.kind == "assume-unchanged";
}

struct DecisionOption {
  std::string key;       // "retry", "keep:parser"
  std::string label;     // what it does, for people
  std::string disabled;  // why it cannot be chosen here; empty: it can
};

// ---- the plan ----
struct PlanCreated {  // type plan_created
  std::string plan, title, definition;
  std::string from;  // the plan it was cloned from
};
struct DefinitionChanged {  // definition_changed: a new text, and the heads it replaces
  std::string definition;
  std::vector<std::string> replaces;
  std::string title;
  std::string reason;  // "edit", "update", "undo", "decision"; "task 'parser'" in old journals
};
struct SnapshotTaken {  // snapshot_taken: what the references were when the plan was written
  std::string commit;
  std::map<std::string, std::string> references;  // path -> blob id, "" where it does not exist
  // Path -> the commit in which it was noted, where that is another: it was gone in `commit`, or
  // its lines were elsewhere, and nobody has said where the plan means now.
  std::map<std::string, std::string> since;
};
struct PlanStateSet {  // plan_state_set: by a person; the states of a run come from its own events
  std::string state;   // draft, in_review, pending_approval, active, archived, deleted
  std::string reason;
  // Of a deletion: what it knew, by actor the clock of its newest event. Work that it did not know
  // of takes it back.
  std::map<std::string, std::uint64_t> seen;
};
struct PlanRenamed {  // plan_renamed: another clone's plan has the name
  std::string plan, before;
};

// ---- a run ----
struct RunStarted {  // run_started
  std::string run;
  std::string target;      // refs/heads/…; empty: detached, nothing lands
  std::string target_tip;  // commit ids
  std::string base;
  std::string land;                // end, wave, never
  std::vector<std::string> tasks;  // the subset asked for; empty: all
  int jobs = 0;
};
struct RunResumed {  // run_resumed: the same run, by another executor after the first one died
  std::string run;
};
struct RunWaits {  // run_waits: for another plan (waits_for); without a reason: no more
  std::string run, plan, reason;
};
// base_taken: an attempt starts in the user's own working tree, at the tip of the branch that is
// checked out there. That tip holds the run's base, so the run goes on from it. Without a task: the
// run has waited for another plan, and starts from where the work stands now.
struct BaseTaken {
  std::string run, task, attempt, base;
};
struct RunEnded {  // run_ended
  std::string run;
  std::string outcome;  // completed, partial (the subset asked for), paused, failed, aborted
  std::string reason;
};
struct ControlRequested {  // control_requested: pause, cancel or abort, from any process
  std::string run, what;
};

// ---- attempts ----
struct AttemptStarted {  // attempt_started
  std::string run, task, attempt;
  std::string agent, role, mode;
  std::string base;       // commit id its tree starts from
  std::string branch;     // refs/heads/plan/<id>/<task>; empty: in the user's own working tree
  std::string text_hash;  // of the task's definition
  int minutes = 0;        // the wall clock it gets
  Millis lease = 0;       // worked on by hand until then; 0: a run looks after it
};
struct AttemptRenewed {  // attempt_renewed: whoever works on it by hand needs more time
  std::string task, attempt;
  Millis lease = 0;
};
struct AttemptEnded {  // attempt_ended
  std::string run, task, attempt;
  std::string outcome;  // finished, failed, timed_out, cancelled, lost
  std::string failure;  // task, config, auth, fork, setup, evidence; rate_limit, quota, overload,
                        // network; idle
  std::string error;    // one line for people; never the agent's output
  int exit_code = 0;    // 128 + signal where one killed it
  std::string commit;   // the tip of its work; the base where it changed nothing
  std::vector<std::string> paths;  // that it changed
  std::vector<std::string>
      remarks;          // noticed about its tree: "amended its base", "left a merge half done"
  bool output = false;  // outputs/<task>/<attempt>.md exists
  std::vector<Finding> findings;
  std::int64_t tokens = 0;
  double cost_usd = 0;
};
struct TaskQueued {  // task_queued: a transient failure; it starts again by itself
  std::string run, task, attempt, failure, error;
  Millis until = 0;
  Millis agent_until = 0;  // its agent said that it is limited until then; 0: it did not say
};
struct TaskSet {             // task_set: put back or skipped, by a person or a decision
  std::string task, status;  // pending, skipped
  std::string reason;
};

struct TaskApproved {  // task_approved: a person lets it start (approval_gate), as its text is now
  std::string task, text_hash;
};

// ---- waves ----
struct WaveStarted {  // wave_started: a batch is cut; base is where it will stand
  std::string run;
  int wave = 0;
  std::string base;
  std::vector<std::string> tasks;  // declaration order
};
struct WaveMerged {  // wave_merged
  std::string run;
  int wave = 0;
  std::string tree;
  std::vector<std::string> tasks;    // that are in it
  std::vector<std::string> dropped;  // that overlapped; each has a decision
  std::vector<AutoMerge> auto_merged;
};
struct WaveCommitted {  // wave_committed
  std::string run;
  int wave = 0;
  std::string commit;
};
struct WaveVerified {  // wave_verified
  std::string run;
  int wave = 0;
  bool passed = false;
  bool accepted = false;  // a person took it although it failed
  std::string command;    // the one that failed
};
struct WaveCompleted {  // wave_completed: its tasks are completed now
  std::string run;
  int wave = 0;
  std::string commit;  // empty: nothing had changed
  std::vector<std::string> tasks;
  std::string transition, reason;  // clean, dep_update, outcome_risk
};
struct WaveAbandoned {  // wave_abandoned: its tasks go back to finished
  std::string run;
  int wave = 0;
  std::string reason;
};
// wave_rewritten: an amend or a rebase of the user's made another commit of a wave's; `from` is the
// wave's own or one that was recorded so before.
struct WaveRewritten {
  std::string run;
  int wave = 0;
  std::string from, to;
};

// ---- landing ----
struct LandingStarted {  // landing_started
  std::string run, branch, commit;
};
struct Landed {                     // landed
  std::string run, branch, commit;  // commit: the branch's new tip
};

// ---- stop and ask ----
struct DecisionAsked {  // decision_asked
  std::string decision, kind, task;
  std::vector<std::string> tasks;  // of everybody involved
  int wave = 0;
  std::string run, branch;
  std::string what, why, impact;
  std::vector<DecisionOption> options;
  std::vector<Conflict> conflicts;
  std::string text_hash;           // of the task, where the answer holds for its text as it is
  std::string commit;              // of a dirty path: what `keep:<task>` takes
  std::vector<std::string> plans;  // other plans that it is about, by id
  std::vector<std::string> paths;  // stale references that it is about
};
struct DecisionResolved {  // decision_resolved
  std::string decision, option;
  std::string text;  // free text: a message, a reason, a commit id for `hand`
  int minutes = 0;   // of `longer`
};
struct DecisionWithdrawn {  // decision_withdrawn: its cause has gone
  std::string decision, reason;
};

struct Remark {  // remark: something a reader of the log should know
  std::string task, text;
};

// Of a newer version: kept as it is (Event::as_read), without effect.
struct UnknownEvent {
  std::string type;
};

using EventBody =
    std::variant<PlanCreated, DefinitionChanged, SnapshotTaken, PlanStateSet, PlanRenamed,
                 RunStarted, RunResumed, RunWaits, BaseTaken, RunEnded, ControlRequested,
                 AttemptStarted, AttemptRenewed, AttemptEnded, TaskQueued, TaskSet, TaskApproved,
                 WaveStarted, WaveMerged, WaveCommitted, WaveVerified, WaveCompleted, WaveAbandoned,
                 WaveRewritten, LandingStarted, Landed, DecisionAsked, DecisionResolved,
                 DecisionWithdrawn, Remark, UnknownEvent>;

struct Event {
  std::string id;           // 20 hex digits
  std::string actor;        // 12 hex digits
  std::uint64_t clock = 0;  // Lamport
  Millis time = 0;
  EventBody body;
  // The line it came from, where that says more than the fields do: keys of a newer version.
  // to_line() gives it back, so that passing an event on never breaks its id. Mostly empty.
  std::string as_read;
};

std::string_view type_of(const EventBody& body);

}  // namespace gitplan
