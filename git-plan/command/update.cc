// `git plan update`: changes of a plan that need no editor.
#include <nlohmann/json.hpp>

#include "core/plan/plan_edit.h"
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/confirm.h"
#include "git-plan/definition/input.h"
#include "git-plan/definition/rewrite.h"
#include "git-plan/view/json_parts.h"

namespace gitplan {
namespace {

struct Assignment {
  std::string task, key, value;
};

Error usage(std::string message) {
  return error(ErrorCode::kUsage, std::move(message),
               "usage: " + std::string(kUpdateCommand.usage));
}

// "parser.timeout_minutes=60". A task's name may have dots, its key has none.
Result<Assignment> assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::size_t dot = equals == std::string::npos ? equals : word.rfind('.', equals);
  if (dot == std::string::npos || dot == 0 || dot + 1 == equals)
    return usage("'--set' takes <task>.<key>=<value>, not '" + word + "'");
  return Assignment{word.substr(0, dot), word.substr(dot + 1, equals - dot - 1),
                    word.substr(equals + 1)};
}

struct Changes {
  std::optional<std::string> title, body;
  std::vector<std::string> tags, add, drop, concerns;
  std::vector<Assignment> set;
  bool retag = false;

  bool definition() const {
    return title || body || retag || !add.empty() || !drop.empty() || !set.empty();
  }
};

Result<Changes> changes_of(const Arguments& arguments) {
  Changes changes;
  changes.title = arguments.value("--title");
  changes.retag = arguments.has("--tag");
  for (const std::string& tag : arguments.values("--tag"))
    if (!tag.empty()) changes.tags.push_back(tag);
  changes.add = arguments.values("--add-task");
  changes.drop = arguments.values("--drop-task");
  for (const std::string& word : arguments.values("--set")) {
    GITPLAN_TRY_ASSIGN(Assignment set, assignment(word));
    changes.set.push_back(std::move(set));
  }
  for (const std::string& text : arguments.values("--concern")) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      return error(ErrorCode::kInvalid, "a concern is a text, and this one is empty");
    changes.concerns.push_back(text);
  }
  if (const auto file = arguments.value("--body")) {
    GITPLAN_TRY_ASSIGN(InputText input, read_input(*file));
    if (input.text.find_first_not_of(" \t\r\n") == std::string::npos)
      return error(ErrorCode::kInvalid, input.name + " is empty", "a plan needs a body");
    changes.body = std::move(input.text);
  }
  if (!changes.definition() && changes.concerns.empty())
    return usage("'git plan update' needs something to change");
  return changes;
}

Result<std::string> changed_text(const Changes& changes, const PlanView& view) {
  if (view.ledger.state == PlanState::kConflicted)
    return error(ErrorCode::kConflicted, "two changes of '" + view.id + "' did not merge",
                 "'git plan edit " + view.id + "' shows both");
  std::string text = view.text;
  if (changes.title) {
    GITPLAN_TRY_ASSIGN(text, set_key(text, "title", *changes.title));
  }
  if (changes.retag) {
    GITPLAN_TRY_ASSIGN(text, set_list(text, "tags", changes.tags));
  }
  if (changes.body) {
    GITPLAN_TRY_ASSIGN(text, set_body(text, *changes.body));
  }
  for (const Assignment& set : changes.set) {
    GITPLAN_TRY_ASSIGN(text, set_task_key(text, set.task, set.key, set.value));
  }
  for (const std::string& task : changes.add) {
    GITPLAN_TRY_ASSIGN(text, add_task(text, task));
  }
  for (const std::string& task : changes.drop) {
    GITPLAN_TRY_ASSIGN(text, drop_task(text, task));
  }
  return text;
}

// True: it is written, or there is nothing to write.
Result<bool> agreed(Context& context, const Arguments& arguments, const PlanView& view,
                    const std::string& text) {
  if (text == view.text) return true;
  GITPLAN_TRY_ASSIGN(const EditMode mode, edit_mode(context, arguments.has("--yes")));
  GITPLAN_TRY_ASSIGN(const Answer answer, confirm_text(context, mode, view.text, text, false));
  return answer == Answer::kApply;
}

Status record_concerns(Store& store, const std::string& id, const Changes& changes) {
  if (changes.concerns.empty()) return {};
  const auto decide = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    for (const std::string& text : changes.concerns)
      change.bodies.push_back(Remark{"", "concern: " + text});
    return change;
  };
  const Result<PlanView> changed = store.change(id, decide);
  return changed ? Status() : Status(changed.error());
}

void report(Context& context, const Rewritten& done, const Changes& changes) {
  Output& out = context.out();
  const bool anything = done.changed || !changes.concerns.empty();
  if (context.json()) {
    out.line(json_text({{"schema", 1},
                        {"plan", plan_json(summary_of(done.view), false)},
                        {"changed", anything},
                        {"warnings", diagnostics_json(done.warnings)}}));
    return;
  }
  print_warnings(out, done.warnings);
  if (done.changed) out.note("Changed '" + done.view.id + "'.");
  if (!changes.concerns.empty()) out.note("Noted for the planner of '" + done.view.id + "'.");
  if (!anything) out.note("Nothing changed.");
}

Result<int> update(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Changes changes, changes_of(arguments));
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  Rewritten done;
  done.view = view;
  if (changes.definition()) {
    Rewrite change;
    change.reason = "update";
    change.force = arguments.has("--force");
    change.text = [&](const PlanView& now) { return changed_text(changes, now); };
    GITPLAN_TRY_ASSIGN(const std::string text, change.text(view));
    if (const auto good = check_rewrite(*store, view, text, change.file, change.force); !good)
      return good.error();
    GITPLAN_TRY_ASSIGN(const bool yes, agreed(context, arguments, view, text));
    if (!yes) return error(ErrorCode::kInterrupted, "nothing was changed");
    GITPLAN_TRY_ASSIGN(done, rewrite(context, view.id, change));
  }
  GITPLAN_TRY(record_concerns(*store, view.id, changes));
  report(context, done, changes);
  return 0;
}

}  // namespace

const CommandInfo kUpdateCommand{
    .name = "update",
    .summary = "Change a plan without the editor",
    .usage =
        "git plan update <plan> [--title <text>] [--tag <tag>]... [--body <file>]\n"
        "                       [--set <task>.<key>=<value>]... [--add-task <yaml>]...\n"
        "                       [--drop-task <name>]... [--concern <text>]...\n"
        "                       [--yes] [--force] [--json]",
    .group = Group::kPlans,
    .inside_task = false,
    .json = true,
    .options =
        {{"--title", "", "<text>", "a new title"},
         {"--tag", "", "<tag>", "its tags from now on ('' alone: none)", true},
         {"--body", "", "<file>", "a new body; '-' is standard input", false, Completes::kFile},
         {"--set", "", "<task>.<key>=<value>", "one key of one task; the value is YAML", true},
         {"--add-task", "", "<yaml>", "a task at the end: its name, or a YAML mapping", true},
         {"--drop-task", "", "<name>", "remove a task", true, Completes::kTask},
         {"--concern", "", "<text>", "note something for the planner", true},
         {"--yes", "-y", "", "do not ask before the change is written"},
         {"--force", "", "", "'## Outcome' may change although it is written"}},
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = update,
};

}  // namespace gitplan
