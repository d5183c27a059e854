#include "git-plan/hand/take_in.h"

#include <csignal>
#include <filesystem>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/collect.h"
#include "git-plan/executor/loop.h"
#include "git-plan/executor/shim.h"
#include "git-plan/executor/task_folder.h"
#include "git-plan/view/words.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

constexpr Millis kMinute = 60000;

std::string quoted(const std::string& name) { return "'" + name + "'"; }

}  // namespace

ForkSpec fork_of(const PlanView& view, const std::string& plan_dir, const std::string& task,
                 const Attempt& attempt) {
  return {view.id,
          view.identity.substr(0, 16),
          task,
          attempt.id,
          attempt.base,
          attempt.branch,
          attempt_dir(plan_dir, task, attempt.id)};
}

TaskPlace place_of(const PlanView& view, const Task& task, const std::string& attempt,
                   const std::string& tree) {
  TaskPlace place;
  place.plan = view.id;
  place.task = task.name;
  place.role = task.role;
  place.attempt = attempt;
  place.folder = task_folder(tree, attempt);
  return place;
}

Status with_shell(Context& context, const std::function<Status(Repository&, ShellRuns&)>& job) {
  const std::string program = std::filesystem::path(context.program_path()).parent_path();
  GITPLAN_TRY_ASSIGN(const std::string shim, find_shim(program));
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Repository own, repository->again());
  ShellRuns shell(shim);
  Status done;
  bool interrupted = false;
  {
    Loop loop;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      loop.on_signal(signal, [&] {
        interrupted = true;
        shell.stop_all("cancel");
      });
    loop.work([&]() -> Loop::Action {
      done = job(own, shell);
      return [] {};
    });
    while (loop.jobs() > 0) loop.run_once();
  }
  if (interrupted) return error(ErrorCode::kInterrupted, "it was interrupted");
  return done;
}

Result<Attempt> attempt_by_hand(const PlanView& view, const std::string& task,
                                const std::string& attempt) {
  const TaskRecord& record = view.ledger.task(task);
  const Attempt* claimed = record.claimed();
  if (claimed != nullptr && (attempt.empty() || claimed->id == attempt)) return *claimed;
  for (const Attempt& known : record.attempts) {
    if (attempt.empty() || known.id != attempt || known.outcome.empty()) continue;
    return error(ErrorCode::kRefused,
                 "attempt " + attempt + " of " + quoted(task) + " is over: " +
                     spoken(known.outcome) + (known.error.empty() ? "" : ", " + known.error),
                 "its work is kept: git plan attempts " + view.id + " " + task);
  }
  if (!attempt.empty() && claimed != nullptr)
    return error(ErrorCode::kRefused,
                 quoted(task) + " is worked on by attempt " + claimed->id + ", not " + attempt,
                 "git plan attempts " + view.id + " " + task);
  return error(ErrorCode::kRefused,
               quoted(task) + " is not worked on by hand: it is " + spoken(name(record.status)),
               "'git plan next " + view.id + " --claim --task " + task + "' takes it");
}

Result<AttemptEnded> take_in(Context& context, const PlanView& view, const Task& task,
                             const Attempt& attempt, bool prove) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(view.id));
  GITPLAN_TRY_ASSIGN(const std::string scope, settings->text("plan.scope"));
  CollectJob job;
  job.task = task;
  job.fork = fork_of(view, plan_dir, task.name, attempt);
  job.enforce_scope = scope == "enforce";
  std::string tree = read_small_file(job.fork.attempt_dir + "/tree").value_or("");
  while (tree.ends_with('\n')) tree.pop_back();
  job.environment = task_environment(place_of(view, task, attempt.id, tree));
  job.check_deadline = std::max(attempt.minutes, 1) * kMinute;
  Collected collected;
  const auto go = [&](Repository& repository, ShellRuns& shell) -> Status {
    Forks forks(repository, *settings, store->actor());
    collected = prove ? collect(job, repository, forks, shell)
                      : collect_unproved(job, repository, forks, shell);
    return {};
  };
  GITPLAN_TRY(with_shell(context, go));
  return std::move(collected.ended);
}

Result<PlanView> record_end(Context& context, const std::string& plan, AttemptEnded ended) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(plan));
  const auto end = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies.push_back(ended);
    if (!ended.output) return change;
    const std::string dir = attempt_dir(plan_dir, ended.task, ended.attempt);
    if (const auto output = read_small_file(dir + "/output.md")) {
      change.attachments.push_back(
          {"outputs/" + ended.task + "/" + ended.attempt + ".md", *output + "\n"});
      change.attachments.push_back({"outputs/" + ended.task + ".md", *output + "\n"});
    }
    return change;
  };
  return store->change(plan, end);
}

Status leave_tree(Context& context, const PlanView& view, const Task& task,
                  const Attempt& attempt) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(view.id));
  const ForkSpec fork = fork_of(view, plan_dir, task.name, attempt);
  Forks forks(*repository, *settings, store->actor());
  return forks.is_untouched(fork) ? forks.release(fork) : forks.detach(fork);
}

Result<bool> take_back_expired(Context& context, const PlanView& view, const Task& task,
                               const Attempt& attempt) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(view.id));
  const auto lock = AttemptLock::take(attempt_dir(plan_dir, task.name, attempt.id));
  if (!lock && lock.error().code == ErrorCode::kBusy) return false;
  if (!lock) return lock.error();
  GITPLAN_TRY_ASSIGN(AttemptEnded ended, take_in(context, view, task, attempt, false));
  ended.error = "its lease ended" + (ended.outcome == "failed" ? ", and " + ended.error : "");
  ended.outcome = "lost";
  ended.failure.clear();
  const auto end = [&](const PlanView& now) -> Result<Store::Change> {
    Store::Change change;
    const Attempt* claimed = now.ledger.task(task.name).claimed();
    const bool still = claimed != nullptr && claimed->id == attempt.id;
    if (still && claimed->lease <= context.now()) change.bodies.push_back(ended);
    return change;
  };
  GITPLAN_TRY(store->change(view.id, end));
  return true;
}

}  // namespace gitplan
