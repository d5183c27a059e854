// `git plan undo`: takes the newest change back, by a new event. Nothing is ever rewound.
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/rewrite.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

enum class Kind { kNothing, kDefinition, kDeletion, kSkip };

struct Undoable {
  Kind kind = Kind::kNothing;
  std::string task;    // of a skip
  std::string reason;  // of the change of the definition: "edit"
};

Error refused(const std::string& what, const std::string& hint) {
  return error(ErrorCode::kRefused, what, hint);
}

// Code that a wave made is in the repository; only git takes that back.
Error code_landed(const PlanView& view, int wave, const std::string& commit,
                  const std::string& where) {
  return refused("the newest change of '" + view.id + "' is wave " + std::to_string(wave) +
                     ", and its code is on '" + where + "' (" + short_id(commit) + ")",
                 "'git revert " + short_id(commit) + "' on that branch takes the code back");
}

// A later run may have landed it.
std::string where_of(const Repository& repository, const PlanView& view,
                     const std::string& commit) {
  for (const Run& run : view.ledger.runs)
    if (!run.landed_commit.empty() && repository.is_ancestor(commit, run.landed_commit))
      return branch_name(run.landed_branch);
  return "plan/" + view.id + "/integration";
}

// Finds the newest event that can be taken back; waves with code in front of it forbid it.
struct Search {
  const Repository& repository;
  const PlanView& view;
  Undoable found;
  std::optional<Error> no;

  bool over() const { return found.kind != Kind::kNothing || no.has_value(); }

  void operator()(const PlanStateSet& e) {
    if (e.state == "deleted" && view.ledger.state == PlanState::kDeleted)
      found.kind = Kind::kDeletion;
  }
  void operator()(const TaskSet& e) {
    if (e.status == "skipped") skip(e.task);
  }
  void operator()(const DecisionResolved& e) {
    const Decision* decision = view.ledger.decision(e.decision);
    if (e.option == "skip" && decision != nullptr) skip(decision->asked.task);
  }
  void operator()(const DefinitionChanged& e) {
    const auto& history = view.ledger.definition_history;
    if (e.reason == "undo" || history.size() < 2 || history.back() != e.definition) return;
    found.kind = Kind::kDefinition;
    found.reason = e.reason;
  }
  void operator()(const WaveCompleted& e) {
    if (!e.commit.empty())
      no = code_landed(view, e.wave, e.commit, where_of(repository, view, e.commit));
  }
  template <typename Other>
  void operator()(const Other&) {}

 private:
  void skip(const std::string& task) {
    if (view.ledger.task(task).status != TaskStatus::kSkipped) return;
    found.kind = Kind::kSkip;
    found.task = task;
  }
};

Result<Undoable> newest(const Repository& repository, const PlanView& view,
                        const std::vector<Event>& events) {
  Search search{repository, view, {}, {}};
  for (auto event = events.rbegin(); event != events.rend() && !search.over(); ++event)
    std::visit(search, event->body);
  if (search.no) return *search.no;
  if (search.found.kind == Kind::kNothing)
    return refused("there is nothing to undo in '" + view.id + "'",
                   "'git plan log " + view.id + "' shows what happened to it");
  return search.found;
}

Result<int> undo_definition(Context& context, const PlanView& view, const Undoable& what) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  Rewrite change;
  change.reason = "undo";
  change.force = true;  // what undo goes back to was there before
  change.text = [&](const PlanView& now) -> Result<std::string> {
    const auto& history = now.ledger.definition_history;
    if (history != view.ledger.definition_history || history.size() < 2)
      return refused("'" + view.id + "' has changed in this moment", "look at it and try again");
    return store->blob(history[history.size() - 2]);
  };
  GITPLAN_TRY_ASSIGN(const Rewritten done, rewrite(context, view.id, change));
  print_warnings(context.out(), done.warnings);
  context.out().note("Took back the last " +
                     (what.reason.empty()                ? "change"
                      : what.reason.starts_with("task ") ? "change by " + what.reason
                                                         : what.reason) +
                     " of '" + view.id + "'.");
  return 0;
}

Result<int> undo(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(view.id));
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Undoable what, newest(*repository, view, events));
  if (what.kind == Kind::kDefinition) return undo_definition(context, view, what);
  const auto decide = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    if (what.kind == Kind::kDeletion)
      change.bodies.push_back(PlanStateSet{"active", "undo of the deletion"});
    else
      change.bodies.push_back(TaskSet{what.task, "pending", "undo of the skip"});
    return change;
  };
  const Result<PlanView> changed = store->change(view.id, decide);
  if (!changed) return changed.error();
  context.out().note(what.kind == Kind::kDeletion
                         ? "'" + view.id + "' is " + spoken(name(changed->ledger.state)) + " again."
                         : "Task '" + what.task + "' of '" + view.id + "' is pending again.");
  return 0;
}

}  // namespace

const CommandInfo kUndoCommand{
    .name = "undo",
    .summary = "Take back the newest change, deletion or skip of a plan",
    .usage = "git plan undo <plan>",
    .group = Group::kPlans,
    .inside_task = false,
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = undo,
};

}  // namespace gitplan
