// The ledger: what a plan's journal folds to. How far the work is, and what waits for whom.
//
// fold.h makes it, the engine, every view and every command read it. It knows no definition: what a
// task says is in the Plan, what became of it is here; readiness.h puts the two together.
// On disk (ledger.json, for people and other tools): core/ledger/FORMAT.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/timestamp.h"
#include "core/journal/event.h"

namespace gitplan {

enum class PlanState {
  kDraft,
  kInReview,
  kPendingApproval,
  kActive,
  kQueued,
  kRunning,
  kPaused,
  kCompleted,
  kFailed,
  kAborted,
  kConflicted,
  kArchived,
  kDeleted
};

enum class TaskStatus {
  kPending,
  kQueued,
  kRunning,
  kFinished,
  kCompleted,
  kFailed,
  kCancelled,
  kTimedOut,
  kSkipped
};

struct Attempt {
  std::string id, run, agent, role, mode, base, branch, text_hash;
  int minutes = 0;
  Millis lease = 0;  // until when it is worked on by hand; 0: a run looks after it
  Millis started = 0, ended = 0;
  std::string outcome;  // empty while it runs
  std::string failure, error;
  int exit_code = 0;
  std::string commit;
  std::vector<std::string> paths, remarks;
  bool output = false;
  std::vector<Finding> findings;
  std::int64_t tokens = 0;
  double cost_usd = 0;
  bool limited = false;  // it met a limit of its agent that ends at a known time: no try is used up
  std::string actor;
  bool in_place() const { return branch.empty(); }  // it worked in the user's own working tree
  bool by_hand() const { return lease > 0; }
  bool changed() const { return !commit.empty() && commit != base; }
};

// What a decision said about an overlap: used when the task is integrated again.
struct MergeChoice {
  std::string keep;    // the side whose lines win; empty: none chosen
  std::string commit;  // merged by hand: this commit is taken
};

struct TaskRecord {
  TaskStatus status = TaskStatus::kPending;
  std::vector<Attempt> attempts;       // in the order they started
  int wave = 0;                        // of the wave that completed it
  std::string commit;                  // that wave's commit; empty: it changed nothing
  std::vector<std::string> rewritten;  // what amends and rebases made of that commit, newest last
  std::string reason;                  // of a skip
  Millis queued_until = 0;
  int transient_failures = 0;  // since it was last set to pending by a person
  int minutes = 0;             // given by a decision (`longer`); 0: the plan's
  std::optional<MergeChoice> merge;
  std::string approved;   // the text_hash that a person let start (approval_gate)
  std::string checked;    // the attempt that a person let pass (checkpoint)
  std::string feedback;   // what a person said who rejected it; for the next attempt's brief
  int budget_raises = 0;  // how often a person gave as much again as budget_usd

  // The commit is its wave's, or one that was made of it.
  bool stands_in(std::string_view id) const;
  const Attempt* last() const { return attempts.empty() ? nullptr : &attempts.back(); }
  // A wave with it has something to merge.
  bool has_work() const { return last() != nullptr && (last()->changed() || merge.has_value()); }
  // The attempt that somebody has taken by hand and not given back; nothing: nobody has.
  const Attempt* claimed() const {
    return status == TaskStatus::kRunning && last()->by_hand() ? last() : nullptr;
  }
};

enum class WavePhase { kStarted, kMerged, kCommitted, kVerified, kCompleted, kAbandoned };

struct Wave {
  int number = 0;
  std::string run, base;
  std::string actor;  // the clone that makes it
  WavePhase phase = WavePhase::kStarted;
  std::vector<std::string> tasks, dropped;
  std::string tree, commit;
  std::vector<AutoMerge> auto_merged;
  bool verified = false, accepted = false;
  std::string failed_command;
  std::string transition, reason;
  // What a decision allowed for its commit.
  bool no_hooks = false, unsigned_commit = false;
  std::string message;  // replaces the subject and body that the engine would write
  bool held() const { return phase != WavePhase::kCompleted && phase != WavePhase::kAbandoned; }
};

// What decisions said about the files where a landing met those of the user: by path, "mine" or
// "theirs" (the plan's). An answer holds for the files that its decision named, and for no other.
struct LandAnswers {
  std::map<std::string, std::string> committed;    // the user's side came as a commit
  std::map<std::string, std::string> uncommitted;  // is_uncommitted()
  std::string by_hand;                             // a commit that holds both sides; empty: none
};

struct Run {
  std::string id, actor, target, target_tip, base, land;
  std::vector<std::string> tasks;
  int jobs = 0;
  Millis started = 0, ended = 0;
  std::string outcome, reason;                 // empty while it lasts
  std::string control;                         // the strongest of pause, cancel, abort asked for
  std::string waits;                           // for another plan: why; empty: it does not
  bool waits_not = false;                      // a person let it start without the other plan
  std::string landing_branch, landing_commit;  // being landed
  std::string landed_branch, landed_commit;
  std::string landed_tip;  // the plan's commit that landed; landed_commit may be a merge of it
  // What decisions said about its landing; used up when it has landed. The choice: "mine",
  // "theirs", "keep:<task>", a commit made by hand, "wait", or "leave".
  std::string land_choice;
  LandAnswers land_answers;
  bool land_no_hooks = false, land_unsigned = false;  // of the merge commit
  std::string land_message;                           // replaces its subject and body
};

struct Decision {
  DecisionAsked asked;
  Millis asked_at = 0;
  std::string option, text;  // empty while it is open
  int minutes = 0;
  Millis resolved_at = 0;
  std::string resolved_by;  // actor
  bool open() const { return option.empty(); }
};

struct ActorRecord {
  std::string last_id;
  std::uint64_t clock = 0;
  std::uint64_t events = 0;
  std::uint64_t worked = 0;  // the clock of its newest event that is work (core/ledger/apart.h)
};

struct DefinitionStep {  // a text of the plan, and those that it took the place of
  std::string definition;
  std::vector<std::string> replaces;
};

struct Misfit {  // an event that had no effect
  std::string id, type, why;
};

struct Ledger {
  std::string plan, title, from;
  std::vector<std::string> former_names;  // newest last
  Millis created = 0, last_activity = 0;
  PlanState state = PlanState::kActive;
  std::string state_by;                      // the actor whose event made it so
  std::optional<PlanState> before_deletion;  // of a plan that is deleted
  std::vector<std::string> heads;            // definition blobs; several: not merged
  std::uint64_t clock = 0;
  std::map<std::string, ActorRecord> actors;
  std::map<std::string, TaskRecord, std::less<>> tasks;
  std::vector<Wave> waves;
  std::vector<Run> runs;
  std::vector<Decision> decisions;
  SnapshotTaken snapshot;
  std::map<std::string, Millis> agent_limits;  // by agent: when it may be asked again
  int budget_raises = 0;                       // of the plan's budget_usd
  // Of plans that were at work on the same files, until this one is completed: ids of those that a
  // person has looked at, and, of these, of those that this one starts after.
  std::vector<std::string> overlaps_seen, queued_after;
  // Stale references that a person let tasks start with, until the next snapshot.
  std::vector<std::string> stale_seen;
  std::vector<std::string> remarks;
  std::vector<Misfit> misfits;
  std::uint64_t events = 0;
  std::string last_definition_event;            // ids, for undo
  std::vector<std::string> definition_history;  // newest last; what undo goes back to
  std::vector<DefinitionStep> lineage;          // newest last, bounded: what heads were made from
  // The clone that looks at it: run() and waves are its own then. The store sets it; it is no part
  // of what the journal folds to. Empty: nobody's view, all count.
  std::string self;

  const TaskRecord& task(std::string_view name) const;  // a pending one where nothing happened yet
  // Somebody chose to leave the result on the integration branch, and nothing has landed since.
  bool left_unlanded() const;
  // The newest of this clone, and of any.
  const Run* run() const;
  const Run* newest_run() const { return runs.empty() ? nullptr : &runs.back(); }
  const Run* run(std::string_view id) const;
  // Another clone has the task: its attempt runs, waits or is to be integrated there.
  bool elsewhere(const TaskRecord& task) const;
  const Wave* wave(int number) const;  // the latest of that number
  const Wave* wave(std::string_view run, int number) const;
  // Of this clone: the one between started and completed, if any, and the newest that is completed
  // and has a commit.
  const Wave* held_wave() const;
  const Wave* newest_result() const;
  bool started_in(std::string_view run) const;  // an attempt or a wave, or one is half made
  const Decision* decision(std::string_view id) const;
  bool has_open_decision(std::string_view task) const;
  double spent(std::string_view task) const;  // USD, by all attempts
  double spent() const;
};

std::string_view name(PlanState state);
std::string_view name(TaskStatus status);
std::string_view name(WavePhase phase);
std::optional<PlanState> plan_state(std::string_view name);
std::optional<TaskStatus> task_status(std::string_view name);
std::optional<WavePhase> wave_phase(std::string_view name);

}  // namespace gitplan
