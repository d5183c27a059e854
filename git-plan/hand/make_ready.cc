#include "git-plan/hand/make_ready.h"

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/environment.h"
#include "git-plan/executor/prepare.h"
#include "git-plan/executor/task_folder.h"
#include "git-plan/hand/take_in.h"
#include "refs/fork/forks.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr Millis kMinute = 60000;

struct Maker {
  Context& context;
  PlanView& view;
  const AttemptStarted& started;
  const Task& task;
  std::string kind = "fork";  // the part that failed, if one does

  Result<Claim> make() {
    GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
    GITPLAN_TRY_ASSIGN(Store * store, context.store());
    GITPLAN_TRY_ASSIGN(const std::string plan_dir, store->plan_dir(view.id));
    const ForkSpec spec = fork_of(view, plan_dir, task.name, *view.ledger.task(task.name).last());
    GITPLAN_TRY(make_directories(spec.attempt_dir));
    GITPLAN_TRY(write_file(plan_dir + "/id", view.id + "\n"));
    const std::string& from = repository->work_tree();
    GITPLAN_TRY(write_file(spec.attempt_dir + "/claimed",
                           (from.empty() ? repository->common_dir() : from) + "\n"));
    if (repository->path_at(spec.base, ".git-plan"))
      return error(ErrorCode::kRefused,
                   "'.git-plan' is tracked by git, but git plan keeps its own files there",
                   "git rm -r --cached .git-plan, and commit that");
    Claim claim;
    claim.task = task.name;
    claim.attempt = started.attempt;
    claim.lease = started.lease;
    GITPLAN_TRY(tree(*store, spec, claim));
    GITPLAN_TRY(folder(*store, spec, claim));
    claim.view = std::move(view);
    return claim;
  }

 private:
  Status tree(Store& store, const ForkSpec& spec, Claim& claim) {
    PrepareJob job;
    job.attempt_dir = spec.attempt_dir;
    job.copy = view.plan.orchestration->copy;
    job.setup = view.plan.orchestration->setup;
    job.deadline = started.minutes * kMinute;
    GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
    const auto go = [&](Repository& repository, ShellRuns& shell) -> Status {
      Forks forks(repository, *settings, store.actor());
      GITPLAN_TRY_ASSIGN(job.tree, forks.ensure(spec));
      kind = "setup";
      job.environment = task_environment(place_of(view, task, started.attempt, job.tree));
      return prepare(job, repository, shell);
    };
    GITPLAN_TRY(with_shell(context, go));
    claim.tree = job.tree;
    claim.folder = task_folder(job.tree, started.attempt);
    for (const std::string& variable : job.environment)
      if (variable.starts_with("PLAN_")) claim.environment.push_back(variable);
    return {};
  }

  Status folder(Store& store, const ForkSpec& spec, Claim& claim) {
    FolderContent content;
    content.plan_text = view.text;
    const auto output_of = [&](std::string_view path) -> std::optional<std::string> {
      const auto stored = store.file(view.id, path);
      if (!stored || !*stored) return std::nullopt;
      content.outputs.emplace(path.substr(path.find('/') + 1), **stored);
      return *stored;
    };
    GITPLAN_TRY_ASSIGN(const std::vector<SoftLock> others, soft_locks(store, view.id));
    content.brief = compose_brief(view, task, started.attempt, output_of, others);
    GITPLAN_TRY(make_task_folder(claim.tree, started.attempt, content));
    GITPLAN_TRY(write_file(spec.attempt_dir + "/brief", content.brief));
    claim.brief = std::move(content.brief);
    return {};
  }
};

}  // namespace

Result<Claim> make_ready(Context& context, PlanView view, const AttemptStarted& started) {
  const std::string id = view.id;
  const Task task = *view.plan.find(started.task);
  Maker maker{context, view, started, task};
  Result<Claim> made = maker.make();
  if (made) return made;
  AttemptEnded ended;
  ended.task = started.task;
  ended.attempt = started.attempt;
  ended.error = made.error().message;
  ended.commit = started.base;
  const bool interrupted = made.error().code == ErrorCode::kInterrupted;
  ended.outcome = interrupted ? "lost" : "failed";
  if (!interrupted) ended.failure = maker.kind;
  GITPLAN_TRY(record_end(context, id, std::move(ended)));
  return std::move(made).error().in("'" + started.task + "' was not taken");
}

}  // namespace gitplan
