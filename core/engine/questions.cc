#include "core/engine/questions.h"

#include <algorithm>

#include "core/engine/question_words.h"

namespace gitplan {
namespace {

// `commit`: "the commit of wave 2". The options are those of any commit that was refused.
void say_refusal(DecisionAsked& asked, const std::string& commit, const std::string& by,
                 const std::string& output) {
  asked.kind = "commit_refused";
  if (by == "timeout") {
    asked.what = commit + " did not end within plan.commitTimeout";
    asked.why = "A hook or the signing program hung; it was stopped.";
  } else if (by == "signer") {
    asked.what = commit + " could not be signed";
    asked.why = "commit.gpgsign is set and the signing program failed.";
  } else if (by == "hook") {
    asked.what = "a hook refused " + commit;
    asked.why = "Hooks run for the commits of a plan as for your own.";
  } else {
    asked.what = "git could not make " + commit;
    asked.why = "See what git said below.";
  }
  if (!output.empty()) asked.what += ":\n" + output;
  asked.options = {{"retry", "try the commit again", ""},
                   {"message", "try with another message (-m <text>)", ""},
                   {"no-hooks", "make this commit without hooks", ""},
                   {"unsigned", "make this commit without a signature", ""},
                   abort_option()};
}

}  // namespace

DecisionAsked ask_about_failure(std::string_view task, const TaskRecord& record,
                                const std::vector<std::string>& blocked) {
  const Attempt* last = record.last();
  const bool timed_out = record.status == TaskStatus::kTimedOut;
  DecisionAsked asked;
  asked.kind = timed_out ? "timed_out" : "failed";
  asked.task = task;
  asked.tasks = {std::string(task)};
  const int minutes = last != nullptr ? last->minutes : 0;
  if (!record.reason.empty()) {
    asked.what = quoted(task) + " was " + record.reason;
    asked.why = "Its change is kept, but it is not part of the wave.";
  } else if (timed_out) {
    const bool idle = last != nullptr && last->failure == "idle";
    asked.what =
        quoted(task) + (idle ? " was idle for too long"
                             : " ran out of time after " + std::to_string(minutes) + " min");
    asked.why =
        idle ? "It wrote nothing and used no processor time for as long as idle_minutes allows."
             : "It was still at work when its timeout_minutes were over.";
  } else {
    asked.what = quoted(task) + " failed";
    if (last != nullptr && !last->error.empty()) asked.what += ": " + last->error;
    if (last != nullptr && last->failure == "fork") {
      asked.why = "Its worktree could not be made.";
    } else if (last != nullptr && last->failure == "setup") {
      asked.why = "Its worktree could not be made ready: it never started.";
    } else if (last != nullptr && last->failure == "evidence") {
      asked.why = "It ended well, but what the plan asks for as proof is not there.";
    } else if (last != nullptr && last->failure == "config") {
      asked.why = "Its command could not be run.";
    } else {
      asked.why = "Its command ended with status " +
                  std::to_string(last != nullptr ? last->exit_code : 0) + ".";
    }
  }
  asked.impact = impact_of(blocked);
  asked.options = {{"retry", "start it again", ""}};
  // Other faults, also idleness, are not mended by more time.
  if (timed_out && last != nullptr && last->failure != "idle")
    asked.options.push_back(
        {"longer", "start it again with twice the time (--minutes N: that many)", ""});
  const std::vector<DecisionOption> always{
      {"edit", "edit the plan, then start it again", ""},
      {"skip",
       blocked.empty() ? "go on without it" : "go on without it: unblocks what depends on it", ""},
      abort_option()};
  asked.options.insert(asked.options.end(), always.begin(), always.end());
  return asked;
}

DecisionAsked ask_about_overlap(const Merged::Overlap& overlap,
                                const std::vector<std::string>& rerunnable,
                                const std::vector<std::string>& blocked) {
  DecisionAsked asked;
  asked.kind = "merge_conflict";
  asked.task = overlap.task;
  const std::vector<std::string> others = parties(overlap.conflicts, overlap.task);
  asked.tasks = {overlap.task};
  asked.tasks.insert(asked.tasks.end(), others.begin(), others.end());
  asked.conflicts = overlap.conflicts;
  asked.what = quoted(overlap.task) + " changed lines that " +
               (others.empty() ? std::string("somebody else") : listed(others)) +
               " changed too:\n" + all_described(overlap.conflicts);
  asked.why = "Both changed the same lines: git cannot tell which of them is meant.";
  asked.impact = impact_of(blocked);
  asked.options.push_back(
      {"keep:" + overlap.task, "take the lines of " + quoted(overlap.task), ""});
  // What was merged before stays whole, whichever of its tasks is named.
  for (const auto& other : others)
    asked.options.push_back({"keep:" + other, "keep the lines of " + listed(others), ""});
  if (others.empty()) asked.options.push_back({"keep:user", "keep the lines that are there", ""});
  asked.options.push_back({"hand", "open a worktree and merge there", ""});
  asked.options.push_back(
      {"rerun:" + overlap.task, "do " + quoted(overlap.task) + " again on top of the others", ""});
  for (const auto& other : others) {
    const bool can = std::find(rerunnable.begin(), rerunnable.end(), other) != rerunnable.end();
    asked.options.push_back(
        {"rerun:" + other, "do " + quoted(other) + " again on top of " + quoted(overlap.task),
         can ? "" : "it is part of a wave, and what is completed stays as it is"});
  }
  asked.options.push_back(abort_option());
  return asked;
}

DecisionAsked ask_about_mixed(const Collected& collected, const std::vector<std::string>& blocked) {
  const std::string& task = collected.ended.task;
  std::vector<std::string> dirty, outside;
  for (const Conflict& one : collected.mixed)
    (one.kind == "outside" ? outside : dirty).push_back(one.path);
  DecisionAsked asked;
  asked.kind = "dirty_path";
  asked.task = task;
  asked.tasks = {task};
  asked.commit = collected.with_mixed;
  asked.conflicts = collected.mixed;
  asked.what = quoted(task) + " has finished in your working tree";
  if (!dirty.empty())
    asked.what += ", and changed files that had changes of yours before: " + first_few(dirty);
  if (!outside.empty())
    asked.what += (dirty.empty() ? "; files" : "; other files") +
                  std::string(" outside of every scope changed meanwhile: ") + first_few(outside);
  asked.why = dirty.empty() ? "Nobody knows whether the task changed them, or another, or you."
                            : "What of it is yours and what is the task's cannot be told apart.";
  asked.impact = "Nothing of it is committed before. " + impact_of(blocked);
  asked.options = {
      {"keep:" + task, "take these files into its commit as they are, with your changes", ""},
      {"mine", "leave these files out of its commit; they stay as they are", ""},
      {"hand", "open a worktree with both, and decide there line by line", ""},
      abort_option()};
  return asked;
}

DecisionAsked ask_about_commit(const Wave& wave, const CommitRefused& refused) {
  DecisionAsked asked;
  say_refusal(asked, "the commit of wave " + std::to_string(wave.number), refused.by,
              refused.output);
  asked.wave = wave.number;
  asked.tasks = wave.tasks;
  asked.impact = "The wave waits: " + listed(wave.tasks) + " and what depends on it.";
  return asked;
}

DecisionAsked ask_about_landing_commit(const LandRefused& refused) {
  DecisionAsked asked;
  say_refusal(asked, "the commit that merges the plan into " + quoted(branch_name(refused.branch)),
              refused.by, refused.output);
  asked.branch = refused.branch;
  asked.impact = kNothingLost;
  return asked;
}

DecisionAsked ask_about_verify(const Wave& wave, const Verified& verified,
                               const std::vector<std::vector<std::string>>& blocked) {
  DecisionAsked asked;
  asked.kind = "verify_failed";
  asked.wave = wave.number;
  asked.tasks = wave.tasks;
  asked.what = "wave " + std::to_string(wave.number) + " does not verify: " + verified.command;
  asked.why = "The command failed on commit " + wave.commit.substr(0, 12) + ", which holds " +
              listed(wave.tasks) + ".";
  asked.impact = "The wave is not part of the plan's result until it verifies or is accepted.";
  asked.options = {{"retry", "verify again", ""},
                   {"accept", "take the wave although it fails", ""}};
  for (std::size_t i = 0; i < wave.tasks.size(); ++i) {
    std::string label = "make the wave without " + quoted(wave.tasks[i]);
    // Whether to go on without it is a question of its own only where something needs it.
    if (i >= blocked.size() || blocked[i].empty())
      label += ", which is skipped";
    else
      label += "; as " + first_few(blocked[i]) + (blocked[i].size() == 1 ? " needs" : " need") +
               " it, you are asked about it next";
    asked.options.push_back({"drop:" + wave.tasks[i], std::move(label), ""});
  }
  asked.options.push_back(abort_option());
  return asked;
}

DecisionAsked ask_about_integration_branch(std::string_view plan, const Wave& wave,
                                           const AdvanceRefused& refused) {
  DecisionAsked asked;
  asked.kind = "branch_moved";
  asked.wave = wave.number;
  asked.tasks = wave.tasks;
  const std::string base = wave.base.substr(0, 12);
  if (!refused.checked_out.empty()) {
    asked.what = "the plan's integration branch is checked out in " + quoted(refused.checked_out);
    asked.why = "Moving it would turn wave " + std::to_string(wave.number) +
                " into changes of that work tree.";
    asked.impact = "Nothing more is integrated until another branch is checked out there.";
  } else {
    asked.what = "the plan's integration branch was moved to " + refused.found.substr(0, 12);
    asked.why = "Wave " + std::to_string(wave.number) + " stands on " + base +
                ", and only git plan moves that branch.";
    asked.impact = "Nothing more is integrated until the branch is back:\ngit branch -f plan/" +
                   std::string(plan) + "/integration " + base;
  }
  asked.options = {{"retry", "look again, after that was put right", ""}, abort_option()};
  return asked;
}

}  // namespace gitplan
