#include "core/ledger/resolution.h"

#include <algorithm>

#include "core/ledger/apart.h"

namespace gitplan {
namespace {

// The newest run of the clone in whose run it was asked.
Run* run_asked_in(Ledger& ledger, const Decision& decision) {
  const Run* asked = ledger.run(decision.asked.run);
  const auto found = std::find_if(ledger.runs.rbegin(), ledger.runs.rend(), [&](const Run& one) {
    return asked == nullptr || one.actor == asked->actor;
  });
  return found == ledger.runs.rend() ? nullptr : &*found;
}

void abort_plan(Ledger& ledger, const Decision& decision) {
  Run* run = run_asked_in(ledger, decision);
  if (run != nullptr && run->outcome.empty()) {
    run->control = "abort";
  } else {
    ledger.state = PlanState::kAborted;
  }
}

// Back to the start, keeping its attempts; nothing for a task that is over.
void start_again(TaskRecord& task) {
  if (task.status == TaskStatus::kCompleted || task.status == TaskStatus::kRunning) return;
  task.status = TaskStatus::kPending;
  task.transient_failures = 0;
  task.queued_until = 0;
  task.merge.reset();
}

Wave* held_wave(Ledger& ledger, const DecisionAsked& asked) {
  for (auto& wave : ledger.waves)
    if (wave.held() && wave.number == asked.wave && wave.run == asked.run) return &wave;
  return nullptr;
}

void resolve_failure(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  TaskRecord& task = ledger.tasks[decision.asked.task];
  if (key.verb == "skip") {
    if (task.status == TaskStatus::kCompleted || task.status == TaskStatus::kRunning) return;
    task.status = TaskStatus::kSkipped;
    const bool timed_out = decision.asked.kind == "timed_out";
    task.reason = !decision.text.empty() ? decision.text
                  : timed_out            ? "skipped after it timed out"
                                         : "skipped after it failed";
    return;
  }
  if (key.verb == "longer") {
    const Attempt* last = task.last();
    const int before = last != nullptr && last->minutes > 0 ? last->minutes : task.minutes;
    constexpr int kYear = 365 * 24 * 60;  // a journal from elsewhere may say any number
    task.minutes = decision.minutes > 0 ? decision.minutes : std::min(before, kYear) * 2;
  }
  if (key.verb == "retry" || key.verb == "longer" || key.verb == "edit") start_again(task);
}

// Approved: the gate is open for this text, the checkpoint for this attempt. Rejected: stopped
// until somebody starts it afresh, with what was said.
void resolve_gate(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  TaskRecord& task = ledger.tasks[decision.asked.task];
  const bool checkpoint = decision.asked.kind == "checkpoint";
  const bool fits = checkpoint
                        ? task.status == TaskStatus::kFinished
                        : task.status == TaskStatus::kPending || task.status == TaskStatus::kQueued;
  if (!fits) return;
  if (key.verb == "approve") {
    if (checkpoint)
      task.checked = task.last()->id;
    else
      task.approved = decision.asked.text_hash;
  } else if (key.verb == "reject") {
    task.status = TaskStatus::kCancelled;
    task.reason = "rejected" + (decision.text.empty() ? "" : ": " + decision.text);
    if (checkpoint) task.feedback = decision.text;
  }
}

void resolve_budget(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  const std::string& name = decision.asked.task;
  if (key.verb == "more")
    ++(name.empty() ? ledger.budget_raises : ledger.tasks[name].budget_raises);
  if (key.verb != "skip" || name.empty()) return;
  TaskRecord& task = ledger.tasks[name];
  if (task.status != TaskStatus::kPending && task.status != TaskStatus::kQueued) return;
  task.status = TaskStatus::kSkipped;
  task.reason = decision.text.empty() ? "skipped: its budget was spent" : decision.text;
}

void add_new(const std::vector<std::string>& words, std::vector<std::string>& to) {
  for (const std::string& word : words)
    if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

void resolve_plan_overlap(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  const std::vector<std::string>& plans = decision.asked.plans;
  if (key.verb == "run" || key.verb == "queue") add_new(plans, ledger.overlaps_seen);
  if (key.verb == "queue") add_new(plans, ledger.queued_after);
  Run* run = run_asked_in(ledger, decision);
  if (key.verb == "cancel" && run != nullptr && run->outcome.empty() && run->control != "abort")
    run->control = "cancel";
}

void resolve_overlap(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  TaskRecord& task = ledger.tasks[decision.asked.task];
  if (key.verb == "keep") task.merge = MergeChoice{key.argument, {}};
  if (key.verb == "hand") task.merge = MergeChoice{{}, decision.text};
  if (key.verb == "rerun") start_again(ledger.tasks[key.argument]);
}

// `mine`: the attempt's commit is without the files that the user had changed.
void resolve_mixed(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  TaskRecord& task = ledger.tasks[decision.asked.task];
  if (task.status != TaskStatus::kFinished) return;
  if (key.verb == "keep") task.merge = MergeChoice{{}, decision.asked.commit};
  if (key.verb == "hand") task.merge = MergeChoice{{}, decision.text};
}

// `keep` names a task: the plan's version of the files where it is a side, the user's of the
// others.
bool takes_theirs(const Conflict& conflict, const OptionKey& key) {
  if (key.verb != "keep") return key.verb == "theirs";
  return std::any_of(conflict.sides.begin(), conflict.sides.end(), [&key](const Side& side) {
    return side.who == key.argument && side.who != "user";
  });
}

void resolve_landing(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  Run* run = run_asked_in(ledger, decision);
  if (run == nullptr) return;
  if (key.verb == "mine" || key.verb == "theirs" || key.verb == "keep" || key.verb == "wait" ||
      key.verb == "leave")
    run->land_choice = decision.option;
  if (key.verb == "mine" || key.verb == "theirs" || key.verb == "keep")
    for (const Conflict& conflict : decision.asked.conflicts) {
      LandAnswers& answers = run->land_answers;
      (is_uncommitted(conflict) ? answers.uncommitted : answers.committed)[conflict.path] =
          takes_theirs(conflict, key) ? "theirs" : "mine";
    }
  if (key.verb == "hand") run->land_choice = run->land_answers.by_hand = decision.text;
  if (key.verb == "leave") run->land = "never";
  if (key.verb == "message") run->land_message = decision.text;
  if (key.verb == "no-hooks") run->land_no_hooks = true;
  if (key.verb == "unsigned") run->land_unsigned = true;
  if (key.verb == "onto") {
    run->target = key.argument.rfind("refs/", 0) == 0 ? key.argument : "refs/heads/" + key.argument;
    run->landing_branch.clear();
    run->landing_commit.clear();
    run->land_choice.clear();
    run->land_answers = {};
  }
}

void resolve_commit(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  Wave* wave = held_wave(ledger, decision.asked);
  if (wave == nullptr) return;
  if (key.verb == "message") wave->message = decision.text;
  if (key.verb == "no-hooks") wave->no_hooks = true;
  if (key.verb == "unsigned") wave->unsigned_commit = true;
}

void resolve_verify(Ledger& ledger, const Decision& decision, const OptionKey& key) {
  Wave* wave = held_wave(ledger, decision.asked);
  if (wave == nullptr) return;
  if (key.verb == "accept") {
    wave->accepted = true;
    wave->phase = WavePhase::kVerified;
  }
  if (key.verb == "drop") {
    wave->phase = WavePhase::kAbandoned;
    wave->reason = "'" + key.argument + "' was dropped after verify failed";
    TaskRecord& task = ledger.tasks[key.argument];
    if (task.status == TaskStatus::kFinished) task.status = TaskStatus::kFailed;
    task.reason = "dropped from wave " + std::to_string(wave->number) + ": verify failed";
  }
}

}  // namespace

OptionKey split_option(std::string_view option) {
  const auto colon = option.find(':');
  if (colon == std::string_view::npos) return {std::string(option), {}};
  return {std::string(option.substr(0, colon)), std::string(option.substr(colon + 1))};
}

void apply_resolution(Ledger& ledger, const Decision& decision) {
  const OptionKey key = split_option(decision.option);
  const std::string& kind = decision.asked.kind;
  if (key.verb == "abort") {
    abort_plan(ledger, decision);
  } else if (kind == "failed" || kind == "timed_out") {
    resolve_failure(ledger, decision, key);
  } else if (kind == "approval_gate" || kind == "checkpoint") {
    resolve_gate(ledger, decision, key);
  } else if (kind == "budget") {
    resolve_budget(ledger, decision, key);
  } else if (kind == "plan_overlap") {
    resolve_plan_overlap(ledger, decision, key);
  } else if (kind == "stale_references") {  // `edit` and `fix` are in the definition
    if (key.verb == "run") add_new(decision.asked.paths, ledger.stale_seen);
  } else if (kind == "other_plan") {
    if (Run* run = run_asked_in(ledger, decision); run != nullptr && key.verb == "run")
      run->waits_not = true;
  } else if (kind == "completed_twice") {
    if (key.verb == "keep") take_attempt_of(ledger, decision.asked.task, key.argument);
  } else if (kind == "merge_conflict") {
    resolve_overlap(ledger, decision, key);
  } else if (kind == "dirty_path") {
    resolve_mixed(ledger, decision, key);
  } else if (kind == "fork_user_conflict" || kind == "branch_moved" || kind == "branch_gone" ||
             !decision.asked.branch.empty()) {
    resolve_landing(ledger, decision, key);
  } else if (kind == "commit_refused") {
    resolve_commit(ledger, decision, key);
  } else if (kind == "verify_failed") {
    resolve_verify(ledger, decision, key);
  }
}

}  // namespace gitplan
