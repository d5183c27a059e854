#include "git-plan/definition/rewrite.h"

#include <filesystem>
#include <fstream>

#include "core/plan/markdown.h"
#include "git-plan/trust/trust.h"
#include "refs/snapshot/snapshot.h"

namespace gitplan {
namespace {

// The lines below `## Outcome`, without blank ones.
std::string outcome_of(const Plan& plan) {
  std::string text;
  for_each_line(plan.body, plan.body_line, [&](const MarkdownLine& line) {
    if (line.section == "outcome" && line.heading == 0 && !line.text.empty())
      text += std::string(line.text) + "\n";
  });
  return text;
}

bool settled(TaskStatus status) {
  return status == TaskStatus::kRunning || status == TaskStatus::kFinished ||
         status == TaskStatus::kCompleted;
}

Diagnostic task_fault(std::string_view file, const std::string& task, TaskStatus status,
                      const Task* written) {
  Diagnostic d;
  d.code = "task-settled";
  d.file = std::string(file);
  d.target = task;
  d.message = "task '" + task + "' is " + std::string(name(status)) + " and cannot be " +
              (written == nullptr ? "dropped" : "changed");
  d.fix = "what is running or completed stays as it is; add a task for what is missing";
  if (written != nullptr) {
    d.line = written->position.line;
    d.column = written->position.column;
  }
  return d;
}

Status check_settled(const PlanView& view, const Plan& plan, std::string_view file) {
  Error fault = error(ErrorCode::kInvalid, "");
  for (const Task& before : view.plan.tasks()) {
    const TaskStatus status = view.ledger.task(before.name).status;
    if (!settled(status)) continue;
    const Task* now = plan.find(before.name);
    if (now != nullptr && now->text_hash == before.text_hash) continue;
    fault.diagnostics.push_back(task_fault(file, before.name, status, now));
  }
  if (fault.diagnostics.empty()) return {};
  const std::size_t count = fault.diagnostics.size();
  fault.message =
      std::string(file) + " has " + std::to_string(count) + (count == 1 ? " error" : " errors");
  return fault;
}

bool in_one_of(const std::vector<std::string>& heads, const std::string& head) {
  return heads.size() == 1 && heads.front() == head;
}

}  // namespace

Result<CheckedDefinition> check_rewrite(const Store& store, const PlanView& view, std::string text,
                                        std::string_view file, bool force) {
  GITPLAN_TRY_ASSIGN(CheckedDefinition checked,
                     check_definition(store, std::move(text), file, view.id));
  GITPLAN_TRY(check_settled(view, checked.plan, file));
  const std::string outcome = outcome_of(view.plan);
  if (!force && !outcome.empty() && outcome_of(checked.plan) != outcome)
    return error(ErrorCode::kInvalid, "'## Outcome' of '" + view.id + "' is written already",
                 "'--force' changes it nevertheless");
  return checked;
}

Result<Rewritten> rewrite(Context& context, std::string_view id, const Rewrite& change) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  Rewritten done;
  bool was_trusted = false;
  const auto decide = [&](const PlanView& view) -> Result<Store::Change> {
    Store::Change events;
    GITPLAN_TRY_ASSIGN(std::string text, change.text(view));
    done.changed = !in_one_of(view.ledger.heads, Store::blob_id(text));
    if (!done.changed) {
      if (!change.note_anew) return events;
      GITPLAN_TRY_ASSIGN(SnapshotTaken again,
                         take_snapshot(*repository, view.plan, &view, change.unsettled));
      events.bodies.push_back(std::move(again));
      return events;
    }
    GITPLAN_TRY_ASSIGN(CheckedDefinition checked,
                       check_rewrite(*store, view, std::move(text), change.file, change.force));
    GITPLAN_TRY_ASSIGN(was_trusted, is_trusted(context, view));
    GITPLAN_TRY_ASSIGN(SnapshotTaken snapshot,
                       take_snapshot(*repository, checked.plan, &view, change.unsettled));
    events.bodies.push_back(DefinitionChanged{Store::blob_id(checked.text), view.ledger.heads,
                                              checked.plan.title, change.reason});
    events.bodies.push_back(std::move(snapshot));
    events.definitions.push_back(std::move(checked.text));
    done.warnings = std::move(checked.warnings);
    return events;
  };
  GITPLAN_TRY_ASSIGN(done.view, store->change(id, decide));
  if (!done.changed) return done;
  if (was_trusted || change.read_whole) GITPLAN_TRY(trust(context, done.view));
  GITPLAN_TRY_ASSIGN(std::vector<Diagnostic> overlapping,
                     overlaps(context, done.view.plan, done.view.id, change.file));
  done.warnings.insert(done.warnings.end(), overlapping.begin(), overlapping.end());
  return done;
}

Result<std::string> text_difference(Context& context, std::string_view before,
                                    std::string_view after) {
  namespace fs = std::filesystem;
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const fs::path folder = fs::path(repository->local_dir()) / "edit" / context.random_hex(8);
  std::error_code fault;
  for (const auto& [side, text] : {std::pair("a", before), std::pair("b", after)}) {
    fs::create_directories(folder / side, fault);
    std::ofstream(folder / side / "plan.md", std::ios::binary) << text;
  }
  const std::string color = context.out().color() ? "--color=always" : "--color=never";
  const GitCall call{.args = {"diff", "--no-index", "--no-ext-diff", "--no-prefix", color,
                              "a/plan.md", "b/plan.md"},
                     .directory = folder,
                     .environment = {},
                     .input = {},
                     .deadline = {}};
  const Result<Outcome> outcome = repository->git().call(call);
  fs::remove_all(folder, fault);
  if (!outcome) return outcome.error();
  if (outcome->exit_status > 1) return failed("git diff failed: " + outcome->error);
  return outcome->output;
}

}  // namespace gitplan
