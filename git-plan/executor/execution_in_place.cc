// Attempts in the user's own working tree: noting what is there before one begins, whose scopes
// meet, and leaving nothing of ours in the tree. What such an attempt changed is told apart in
// refs/wave/in_place.h.
#include <unistd.h>

#include <algorithm>

#include "core/base/branch_name.h"
#include "git-plan/executor/execution.h"
#include "git-plan/executor/task_folder.h"
#include "refs/git/small_file.h"
#include "refs/wave/branch_state.h"

namespace gitplan {
namespace {

struct Begun {
  std::string waits;  // why it must be tried again
  std::string head;   // the commit that the tree stands at
};

}  // namespace

void Execution::begin_in_tree(const Fork& effect) {
  if (!tree_lock_) {
    std::string held;
    auto lock = NamedLocks::take(repository_.local_dir(),
                                 {"working tree " + repository_.work_tree()}, held);
    if (!lock || !*lock) {
      live_.erase(effect.task);
      if (!lock)
        return input(ForkFailed{effect.task, effect.attempt, "fork", lock.error().message});
      say_wait("another plan has a task at work in this working tree");
      return input(SlotRefused{effect.task, effect.attempt});
    }
    tree_lock_ = std::move(*lock);
  }
  const ForkSpec spec = fork_spec(effect.task, effect.attempt);
  const std::string branch = engine_->ledger().run()->target;
  std::vector<std::string> earlier;
  for (const Attempt& known : engine_->ledger().task(effect.task).attempts)
    if (known.id != effect.attempt && known.in_place())
      earlier.push_back(files_of(effect.task, known.id).dir());
  loop_.work([this, spec, branch, earlier]() -> Loop::Action {
    const auto go = [&]() -> Result<Begun> {
      GITPLAN_TRY_ASSIGN(RepositoryPool::Lease lease, repositories_.take());
      Repository& repository = *lease;
      if (repository.path_at(spec.base, ".git-plan"))
        return error(ErrorCode::kRefused,
                     "'.git-plan' is tracked by git, but git plan keeps its own files there",
                     "git rm -r --cached .git-plan, and commit that");
      GITPLAN_TRY_ASSIGN(const auto waits, gitplan::reason_to_wait(repository, branch));
      if (waits) return Begun{*waits, {}};
      GITPLAN_TRY_ASSIGN(const auto own, repository.ref(setup_.integration_branch));
      GITPLAN_TRY_ASSIGN(const auto tip, repository.ref(branch));
      if (own && tip && !repository.is_ancestor(*own, *tip))
        return error(ErrorCode::kRefused,
                     "'" + branch_name(branch) + "' does not hold what the plan has integrated",
                     "git log " + branch_name(setup_.integration_branch));
      GITPLAN_TRY_ASSIGN(const InPlaceStart start, begin_in_place(repository, spec, setup_.actor,
                                                                  branch, earlier, tree_memo_));
      return Begun{{}, start.head};
    };
    return [this, spec, begun = go()] {
      Live* there = live(spec.task, spec.attempt);
      if (there == nullptr) return;
      if (!begun) {
        const Error& why = begun.error();
        input(ForkFailed{spec.task, spec.attempt, "fork",
                         why.message + (why.hint.empty() ? "" : "; " + why.hint)});
        live_.erase(spec.task);
      } else if (!begun->waits.empty()) {
        say_wait(begun->waits);
        live_.erase(spec.task);
        input(SlotRefused{spec.task, spec.attempt});
      } else {
        say_wait({});
        input(ForkReady{spec.task, spec.attempt, begun->head});
      }
    };
  });
}

// Of an optimistic task: its own scope, and those of all that were in the tree while it was.
InPlaceScope Execution::scope_in_place(std::string_view task, std::string_view attempt) const {
  InPlaceScope scope;
  const Plan& plan = engine_->plan();
  const Task* mine = plan.find(task);
  if (mine == nullptr || !plan.optimistic(*mine) || mine->files.empty()) return scope;
  scope.own = mine->files;
  const Millis since = recorded(task, attempt).started;
  for (const auto& [name, record] : engine_->ledger().tasks) {
    const bool meanwhile = std::ranges::any_of(record.attempts, [since](const Attempt& known) {
      return known.in_place() && (known.ended == 0 || known.ended >= since);
    });
    if (!meanwhile || name == mine->name) continue;
    const Task* other = plan.find(name);
    if (other != nullptr && plan.optimistic(*other))
      scope.others.insert(scope.others.end(), other->files.begin(), other->files.end());
  }
  return scope;
}

// True: it was such an attempt.
bool Execution::release_in_place(const Release& effect) {
  const AttemptFiles files = files_of(effect.task, effect.attempt);
  if (!exists(files.path("working-tree"))) return false;
  remove_task_folder(files.tree(), effect.attempt);
  ::unlink(files.path("working-tree").c_str());
  return true;
}

// What was done there has landed: another plan may have it.
void Execution::give_tree_back() {
  for (const auto& [name, live] : live_)
    if (const Attempt& known = recorded(name, live.attempt); !known.id.empty() && known.in_place())
      return;
  tree_lock_.reset();
}

}  // namespace gitplan
