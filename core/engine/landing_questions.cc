// The questions about landing: the user's branch or files are in the way.
#include <algorithm>

#include "core/engine/question_words.h"
#include "core/engine/questions.h"

namespace gitplan {
namespace {

bool is_side(const Conflict& conflict, std::string_view who) {
  return std::any_of(conflict.sides.begin(), conflict.sides.end(),
                     [who](const Side& side) { return side.who == who; });
}

bool deleted_by_user(const Conflict& conflict) {
  return std::any_of(conflict.sides.begin(), conflict.sides.end(),
                     [](const Side& side) { return side.who == "user" && side.deleted; });
}

std::string paths_of(const std::vector<const Conflict*>& conflicts) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  const std::size_t named = conflicts.size() > kNamed + 1 ? kNamed : conflicts.size();
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == conflicts.size() ? " and " : ", ") + conflicts[i]->path;
  if (named < conflicts.size())
    text += " and " + std::to_string(conflicts.size() - named) + " more files";
  return text;
}

// What happens to the versions of the user's that give way.
std::string what_becomes_of_yours(const std::vector<const Conflict*>& taken) {
  const auto deleted = std::count_if(taken.begin(), taken.end(),
                                     [](const Conflict* one) { return deleted_by_user(*one); });
  const bool all = deleted == static_cast<std::ptrdiff_t>(taken.size());
  std::string text;
  if (!all) text = "; yours, staged or not, are kept in a commit";
  if (deleted > 0) text += all ? "; your deletion is undone" : ", and your deletions are undone";
  return text;
}

// The plan's side of the files that a task changed; all others stay the user's.
DecisionOption keep_option(const LandConflict& conflict, const std::string& task) {
  std::vector<const Conflict*> taken, left;
  std::vector<std::string> others;
  for (const Conflict& one : conflict.conflicts) {
    (is_side(one, task) ? taken : left).push_back(&one);
    if (!is_side(one, task)) continue;
    for (const std::string& who : parties({one}, task))
      if (std::find(others.begin(), others.end(), who) == others.end()) others.push_back(who);
  }
  std::string label;
  if (conflict.dirty) {
    label = "take the plan's " + paths_of(taken);
    if (!others.empty()) label += " (with what " + listed(others) + " did there)";
    label += what_becomes_of_yours(taken);
    if (!left.empty()) label += "; leave " + paths_of(left) + " as you have it";
  } else {
    label = "take the plan's side where both changed " + paths_of(taken);
    if (!others.empty()) label += " (also what " + listed(others) + " did there)";
    if (!left.empty()) label += "; keep yours in " + paths_of(left);
  }
  return {"keep:" + task, label, ""};
}

DecisionOption theirs_option(const LandConflict& conflict) {
  std::vector<const Conflict*> all;
  for (const Conflict& one : conflict.conflicts) all.push_back(&one);
  return {"theirs",
          conflict.dirty ? "take all of these files from the plan" + what_becomes_of_yours(all)
                         : "take the plan's side wherever both changed them",
          ""};
}

// Changes that git status does not show, and why.
std::string why_hidden(const std::vector<Conflict>& conflicts) {
  std::string text;
  for (const Conflict& one : conflicts) {
    if (one.kind == "skip-worktree" || one.kind == "assume-unchanged")
      text += "\n" + quoted(one.path) + " is marked " + one.kind +
              ", so git status does not show your change; 'git update-index --no-" + one.kind +
              "' takes the mark away.";
    else if (one.kind == "rm --cached")
      text += "\n" + quoted(one.path) + " is no longer in your index, but still a file.";
  }
  return text;
}

}  // namespace

DecisionAsked ask_about_landing(const LandConflict& conflict) {
  DecisionAsked asked;
  asked.kind = "fork_user_conflict";
  asked.branch = conflict.branch;
  asked.conflicts = conflict.conflicts;
  asked.tasks = parties(conflict.conflicts);
  const std::string branch = quoted(branch_name(conflict.branch));
  if (conflict.dirty) {
    asked.what = "files that the plan changed have changes of yours that are not committed:\n" +
                 all_described(conflict.conflicts);
    asked.why = "The result lands on " + branch + ", which is checked out with these changes." +
                why_hidden(conflict.conflicts);
  } else {
    asked.what = branch + " has moved and changed lines that the plan changed too:\n" +
                 all_described(conflict.conflicts);
    asked.why = "Commits came to " + branch + " while the plan ran.";
  }
  asked.impact = kNothingLost;
  asked.options.push_back(
      {"mine",
       conflict.dirty
           ? "land, and leave these files, and what you staged of them, as they are; the "
             "plan's changes then show in them as undone"
           : "keep your side where both changed them",
       ""});
  for (const auto& task : asked.tasks) asked.options.push_back(keep_option(conflict, task));
  const bool one_takes_all =
      asked.tasks.size() == 1 &&
      std::all_of(conflict.conflicts.begin(), conflict.conflicts.end(),
                  [&](const Conflict& one) { return is_side(one, asked.tasks.front()); });
  if (!one_takes_all) asked.options.push_back(theirs_option(conflict));
  asked.options.push_back(
      {"hand", "open a worktree and merge there",
       conflict.dirty ? "what is not committed cannot be merged: commit it, then choose wait"
                      : ""});
  // Commits that clash do not go away by themselves.
  if (conflict.dirty)
    asked.options.push_back({"wait", "land as soon as nothing is in the way", ""});
  asked.options.push_back(abort_option());
  return asked;
}

DecisionAsked ask_about_branch(const LandRefused& refused) {
  DecisionAsked asked;
  asked.kind = refused.gone ? "branch_gone" : "branch_moved";
  asked.branch = refused.branch;
  const std::string branch = quoted(branch_name(refused.branch));
  asked.what = refused.gone
                   ? "the branch " + branch + ", where the plan's result should land, is gone"
                   : "the plan's result could not land on " + branch + ": " + refused.reason;
  if (!refused.output.empty()) asked.what += "\n" + refused.output;
  asked.why = refused.gone ? "It was deleted or renamed while the plan ran."
                           : "The branch does not take it as it is.";
  asked.impact = kNothingLost;
  asked.options = {{"retry", "try again", ""},
                   {"onto:<branch>", "land on another branch", ""},
                   {"leave", "leave it on the integration branch", ""}};
  return asked;
}

}  // namespace gitplan
