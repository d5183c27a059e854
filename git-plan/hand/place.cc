#include "git-plan/hand/place.h"

#include "git-plan/executor/attempt_files.h"
#include "git-plan/trust/inside_task.h"
#include "refs/fork/worktrees.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

// "git plan: <plan> <task> <attempt>" (refs/fork/worktrees.h); no name holds a blank.
HandPlace place_of(std::string_view reason) {
  HandPlace place;
  if (!reason.starts_with(kLockPrefix)) return place;
  reason.remove_prefix(kLockPrefix.size());
  const std::size_t first = reason.find(' ');
  const std::size_t second = first == reason.npos ? first : reason.find(' ', first + 1);
  if (second == reason.npos) return place;
  place.plan = reason.substr(0, first);
  place.task = reason.substr(first + 1, second - first - 1);
  place.attempt = reason.substr(second + 1);
  while (place.attempt.ends_with('\n')) place.attempt.pop_back();
  return place;
}

// Where the task was taken; a repository without a main worktree is what is left then.
Result<std::string> left_for(Context& context, const HandPlace& place) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  if (const auto dir = store->plan_dir(place.plan); dir.ok()) {
    const std::string file = attempt_dir(*dir, place.task, place.attempt) + "/claimed";
    std::string from = read_small_file(file).value_or("");
    while (from.ends_with('\n')) from.pop_back();
    if (!from.empty() && is_directory(from)) return from;
  }
  GITPLAN_TRY_ASSIGN(const auto trees, list_worktrees(*repository));
  for (const Worktree& tree : trees)
    if (tree.main) return tree.path;
  return repository->common_dir();
}

}  // namespace

Result<HandPlace> hand_place(Context& context) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  if (repository->bare()) return HandPlace();
  // The main worktree, without a look at all others.
  if (repository->common_dir() == repository->work_tree() + "/.git") return HandPlace();
  const auto tree = worktree_at(*repository, repository->work_tree());
  if (!tree || tree->main) return HandPlace();
  HandPlace place = place_of(tree->lock_reason);
  if (place.plan.empty()) return place;
  GITPLAN_TRY_ASSIGN(const std::string from, left_for(context, place));
  GITPLAN_TRY(context.move_to(from));
  return place;
}

Status for_own_task_only(Context& context, std::string_view command, const std::string& plan,
                         const std::string& task) {
  const std::string around = task_around(context);
  if (around.empty()) return {};
  const std::string its_plan = context.environment("PLAN_ID").value_or("");
  if (task == around && (its_plan.empty() || its_plan == plan)) return {};
  return error(ErrorCode::kRefused,
               "inside a task ('" + around + "') 'git plan " + std::string(command) +
                   "' is for that task only",
               "leave the others to whoever runs the plan");
}

}  // namespace gitplan
