// What a run needs of the repository: a commit to start from, a branch to land on.
#include <algorithm>

#include "git-plan/command/git_version.h"
#include "git-plan/command/preflight_inspection.h"
#include "git-plan/view/words.h"
#include "refs/fork/forks.h"

namespace gitplan {

Status Inspection::repository() {
  GITPLAN_TRY_ASSIGN(Repository * repository, context_.repository());
  GITPLAN_TRY_ASSIGN(Store * store, context_.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context_.settings());
  const std::size_t before = report_.faults.size();
  const auto refused = [&](std::string message, std::string hint,
                           ErrorCode code = ErrorCode::kRefused) {
    bad("repository", error(code, std::move(message), std::move(hint)));
  };
  if (repository->work_tree_is_guess())
    refused("nothing says where the work tree of '" + repository->git_dir() +
                "' is (--git-dir without --work-tree), and git takes the current directory for it",
            "start it in the work tree, or name that: git --git-dir='" + repository->git_dir() +
                "' --work-tree=<directory> plan execute " + view_.id);
  if (Status version = require_git(); !version.ok())
    refused(version.error().message, version.error().hint, ErrorCode::kUnsupported);
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> head, repository->head_commit());
  if (!head)
    refused("HEAD has no commit yet, and tasks start from one",
            "git commit --allow-empty -m 'Start'");
  if (const auto operation = repository->operation_in_progress())
    refused("this work tree is in the middle of a " + *operation,
            "end it with 'git " + *operation +
                (*operation == "bisect" ? " reset'" : " --continue' or '--abort'"));
  if (const auto fault =
          Forks(*repository, *settings, store->actor()).branch_prefix_fault(view_.id))
    refused(*fault, "");
  if (const auto tip = foreign_integration())
    refused("the branch 'plan/" + view_.id + "/integration' is at " + short_id(*tip) +
                ", which no wave of this plan made",
            "git branch -m plan/" + view_.id + "/integration <other name>");
  report_.target = facts_.next_target;
  const Result<std::string> land = settings->text("plan.land");
  report_.land = land ? *land : "end";  // configuration() says what is wrong with it
  if (options_.no_land || report_.target.empty() || view_.ledger.left_unlanded())
    report_.land = "never";
  if (report_.faults.size() != before) return {};
  if (const auto fault = working_tree_fault(*repository)) {
    bad("repository", *fault);
    return {};
  }
  if (report_.target.empty())
    warn("repository",
         "HEAD is detached: nothing lands, the result stays on plan/" + view_.id + "/integration");
  else
    good("repository", where_it_starts(*repository));
  return {};
}

// What stands against a task in the user's working tree, which lands at once.
std::optional<Error> Inspection::working_tree_fault(const Repository& repository) const {
  const Plan plan = with_mode(view_.plan, mode_);
  const auto& tasks = plan.tasks();
  std::string name;
  for (const auto& level : report_.levels)
    for (const int at : level)
      if (name.empty() && plan.in_place(tasks[static_cast<std::size_t>(at)]))
        name = tasks[static_cast<std::size_t>(at)].name;
  if (name.empty()) return std::nullopt;
  const std::string works = "task '" + name + "' works in your working tree, ";
  const std::string forked = "write 'mode: forked', or use --mode forked";
  const auto refused = [](std::string what, std::string hint) {
    return error(ErrorCode::kRefused, std::move(what), std::move(hint));
  };
  if (repository.bare())
    return refused(works + "and this repository is bare", "start it in a worktree, or " + forked);
  if (report_.target.empty())
    return refused(works + "and HEAD is detached, so that nothing could land",
                   "git switch <branch>, or " + forked);
  if (report_.land == "never")
    return refused(
        works + "so what it does lands at once, and " +
            (options_.no_land ? "--no-land" : "plan.land or an answer of yours") +
            " says that nothing lands",
        (options_.no_land ? "leave out --no-land, or " : "git -c plan.land=end plan …, or ") +
            forked);
  const auto head = repository.head_branch();
  if (head && head->value_or("") != report_.target)
    return refused(
        works + "which is not on '" + branch_name(report_.target) + "', where the plan lands",
        "git switch " + branch_name(report_.target));
  return std::nullopt;
}

// The tip of an integration branch that is not the plan's own work.
std::optional<std::string> Inspection::foreign_integration() const {
  if (facts_.integration.empty()) return std::nullopt;
  for (const Wave& wave : view_.ledger.waves)
    if (wave.commit == facts_.base) return std::nullopt;
  for (const gitplan::Run& run : view_.ledger.runs)
    if (run.base == facts_.base) return std::nullopt;
  return facts_.base;
}

std::string Inspection::where_it_starts(const Repository& repository) const {
  const auto tip = repository.ref(report_.target);
  std::string text = branch_name(report_.target);
  if (tip && *tip) text += " at " + short_id(**tip);
  if (!facts_.integration.empty() && !(tip && *tip == facts_.base))
    text += ", on top of the plan's waves so far (" + short_id(facts_.base) + ")";
  return text;
}

}  // namespace gitplan
