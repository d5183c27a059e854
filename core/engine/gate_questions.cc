// Questions before a task starts or after it has finished: what a person wanted to be asked.
#include <fmt/format.h>

#include <algorithm>

#include "core/engine/question_words.h"
#include "core/engine/questions.h"

namespace gitplan {
namespace {

std::string dollars(double amount) { return fmt::format("{:.2f} USD", amount); }

// "what is said of the task, or its name"
std::string told(const Task& task) {
  return quoted(task.name) + (task.description.empty() ? "" : ":\n" + task.description);
}

}  // namespace

DecisionAsked ask_for_approval(const Task& task, const std::vector<std::string>& blocked) {
  DecisionAsked asked;
  asked.kind = "approval_gate";
  asked.task = task.name;
  asked.tasks = {task.name};
  asked.text_hash = task.text_hash;
  asked.what = "a person's approval is needed to start " + told(task);
  if (!task.run.empty()) asked.what += "\nIt runs: " + task.run;
  asked.why = "The plan asks for it: 'approval_gate' of " + quoted(task.name) + " is true.";
  asked.impact = impact_of(blocked);
  asked.options = {{"approve", "let it start", ""},
                   {"reject", "do not start it (-m <text>: why)", ""},
                   abort_option()};
  return asked;
}

DecisionAsked ask_about_checkpoint(const Task& task, const TaskRecord& record,
                                   const std::vector<std::string>& blocked) {
  DecisionAsked asked;
  asked.kind = "checkpoint";
  asked.task = task.name;
  asked.tasks = {task.name};
  asked.text_hash = task.text_hash;
  const Attempt* last = record.last();
  const std::size_t changed = last == nullptr ? 0 : last->paths.size();
  asked.what = quoted(task.name) + " has finished and ";
  switch (task.checkpoint) {
    case Checkpoint::kDecision: asked.what += "waits for a person's decision"; break;
    case Checkpoint::kHumanAction: asked.what += "waits for what a person has to do"; break;
    default: asked.what += "waits for a person to look at it"; break;
  }
  if (!task.exit_criteria.empty()) asked.what += ":\n" + task.exit_criteria;
  asked.what += "\n";
  if (changed == 0) {
    asked.what += "It changed nothing.";
  } else {
    asked.what += "It changed " + first_few(last->paths) + ": git diff " +
                  last->base.substr(0, 12) + " " + last->commit.substr(0, 12);
  }
  asked.why = "The plan asks for it: 'checkpoint' of " + quoted(task.name) + " is " +
              std::string(name(task.checkpoint)) + ".";
  asked.impact = "It is not integrated before. " + impact_of(blocked);
  asked.options = {{"approve", "take it", ""},
                   {"reject", "do not take it (-m <text>: what its next attempt is told)", ""},
                   abort_option()};
  return asked;
}

DecisionAsked ask_about_budget(const Task& task, double spent,
                               const std::vector<std::string>& blocked) {
  DecisionAsked asked;
  asked.kind = "budget";
  asked.task = task.name;
  asked.tasks = {task.name};
  asked.what = quoted(task.name) + " has cost " + dollars(spent);
  asked.why = "Its budget_usd is " + dollars(*task.budget_usd) + ": it is not started again.";
  asked.impact = impact_of(blocked);
  asked.options = {
      {"more", "allow as much once more", ""}, {"skip", "go on without it", ""}, abort_option()};
  return asked;
}

DecisionAsked ask_about_plan_budget(double spent) {
  DecisionAsked asked;
  asked.kind = "budget";
  asked.what = "the plan has cost " + dollars(spent);
  asked.why = "That reaches its budget_usd: no agent is started any more.";
  asked.impact = "What runs goes on, and so do tasks with a command of their own ('run').";
  asked.options = {{"more", "allow as much once more", ""}, abort_option()};
  return asked;
}

DecisionAsked ask_about_other_plan(const WaitsFor& other, const OtherPlan& found, bool queued) {
  DecisionAsked asked;
  asked.kind = "other_plan";
  asked.what = found.state == OtherPlan::State::kGone
                   ? "the plan " + quoted(other.plan) + ", which this one waits for, is not there"
                   : "the plan " + quoted(other.plan) + ", which this one waits for, stopped";
  if (!found.why.empty()) asked.what += ": " + found.why;
  asked.plans = {other.plan};
  asked.why =
      queued ? "This one was queued after it, since both touch the same files."
             : "'waits_for' names it" +
                   (other.tasks.empty()
                        ? std::string(".")
                        : ", its " + std::string(other.tasks.size() == 1 ? "task " : "tasks ") +
                              listed(other.tasks) + ".");
  asked.impact = "Nothing of this plan starts before.";
  asked.options = {{"retry", "look again, and wait for it", ""},
                   {"run", "start without waiting for it", ""},
                   abort_option()};
  return asked;
}

DecisionAsked ask_about_stale_references(const std::vector<StaleReference>& stale) {
  constexpr std::size_t kNamed = 8;
  bool fixable = true;
  DecisionAsked asked;
  asked.kind = "stale_references";
  for (std::size_t i = 0; i < stale.size(); ++i) {
    const StaleReference& reference = stale[i];
    fixable = fixable && reference.fixable;
    if (std::ranges::count(asked.tasks, reference.task) == 0) asked.tasks.push_back(reference.task);
    if (std::ranges::count(asked.paths, reference.path) == 0) asked.paths.push_back(reference.path);
    if (i < kNamed)
      asked.why += (i == 0 ? "" : "\n") + reference.path + ", which " + quoted(reference.task) +
                   " names, " + reference.what;
  }
  if (stale.size() > kNamed)
    asked.why += "\nand " + std::to_string(stale.size() - kNamed) + " more";
  asked.what = stale.size() == 1 ? "a file that the plan names is not where it was"
                                 : std::to_string(stale.size()) +
                                       " files that the plan names are not where they were";
  asked.impact = "Nothing of this plan starts before: its tasks would look in the wrong place.";
  asked.options = {
      {"fix", "put the new places into the plan", fixable ? "" : "not all new places are certain"},
      {"edit", "change the plan, then go on", ""},
      {"run", "start with the plan as it is", ""},
      abort_option()};
  return asked;
}

DecisionAsked ask_about_plan_overlap(const std::vector<PlanOverlap>& others) {
  constexpr std::size_t kNamed = 5;
  const bool one = others.size() == 1;
  DecisionAsked asked;
  asked.kind = "plan_overlap";
  for (const PlanOverlap& other : others) {
    asked.plans.push_back(other.plan);
    if (asked.plans.size() <= kNamed)
      asked.why += (asked.why.empty() ? "" : "\n") + quoted(other.plan) + ": " + other.where;
  }
  if (others.size() > kNamed)
    asked.why += "\nand " + std::to_string(others.size() - kNamed) + " more";
  asked.what = one ? "the plan " + quoted(others.front().plan) + " is at work on the same files"
                   : std::to_string(others.size()) + " plans are at work on the same files";
  asked.impact =
      "Nothing of this plan starts before. Where both change the same lines, the one "
      "that lands last has to merge.";
  asked.options = {
      {"run", "start now, whatever they do", ""},
      {"queue", one ? "start when it is completed" : "start when they are completed", ""},
      {"view", "show where they meet, then ask again", ""},
      {"cancel", "do not start", ""}};
  return asked;
}

}  // namespace gitplan
