// `git plan edit`: a plan's text in the user's editor.
#include "core/plan/plan_file.h"
#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/confirm.h"
#include "git-plan/definition/draft.h"
#include "git-plan/definition/heads.h"
#include "git-plan/definition/rewrite.h"
#include "git-plan/terminal/prompt.h"

namespace gitplan {
namespace {

constexpr std::string_view kFile = "plan.md";

Result<Rewritten> write_text(Context& context, const PlanView& before, const std::string& text,
                             bool force) {
  Rewrite change;
  change.reason = "edit";
  change.file = kFile;
  change.force = force;
  change.read_whole = true;
  change.text = [&](const PlanView& now) -> Result<std::string> {
    if (now.ledger.heads != before.ledger.heads)
      return error(ErrorCode::kRefused,
                   "'" + now.id + "' was changed by someone else while it was edited",
                   "'git plan diff " + now.id + "' shows their change; then edit again");
    return text;
  };
  return rewrite(context, before.id, change);
}

Status check_text(const Store& store, const PlanView& view, const std::string& text, bool force) {
  GITPLAN_TRY(check_markers(text, kFile));
  const Result<CheckedDefinition> checked = check_rewrite(store, view, text, kFile, force);
  return checked ? Status() : Status(checked.error());
}

// The errors are shown, and the text can be mended where a person is there.
Result<bool> mend(Context& context, const Error& fault) {
  if (!context.interactive()) return false;
  context.out().error(fault, false);
  return ask_yes_no(context.out(), "Edit again?", true);
}

Result<int> edit(Context& context, const Arguments& arguments) {
  const bool force = arguments.has("--force");
  GITPLAN_TRY_ASSIGN(const EditMode mode, edit_mode(context, arguments.has("--yes")));
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string start, text_of_heads(context, view));
  Output& out = context.out();
  std::string text = start, kept;
  for (;;) {
    GITPLAN_TRY_ASSIGN(const Draft draft, edit_draft(context, view.id, text, kEditPlanHelp));
    if (!draft.changed && kept.empty()) {
      out.note("Nothing changed.");
      return 0;
    }
    if (draft.changed) text = draft.text;
    kept = draft.path;
    if (const Status good = check_text(*store, view, text, force); !good) {
      GITPLAN_TRY_ASSIGN(const bool again, mend(context, good.error()));
      if (again) continue;
      return keep_draft(kept, text, good.error());
    }
    GITPLAN_TRY_ASSIGN(const Answer answer, confirm_text(context, mode, view.text, text, true));
    if (answer == Answer::kApply) break;
    if (answer == Answer::kAgain) continue;
    return keep_draft(kept, text, error(ErrorCode::kInterrupted, "nothing was changed"));
  }
  Result<Rewritten> done = write_text(context, view, text, force);
  if (!done) return keep_draft(kept, text, std::move(done).error());
  drop_draft(kept);
  print_warnings(out, done->warnings);
  out.note(done->changed ? "Changed '" + view.id + "'." : "Nothing changed.");
  return 0;
}

}  // namespace

const CommandInfo kEditCommand{
    .name = "edit",
    .summary = "Change a plan in the editor",
    .usage = "git plan edit <plan> [--yes] [--force]",
    .group = Group::kPlans,
    .inside_task = false,
    .options = {{"--yes", "-y", "", "do not ask before the change is written"},
                {"--force", "", "", "'## Outcome' may change although it is written"}},
    .positionals = {{"<plan>", true, false, Completes::kPlan}},
    .run = edit,
};

}  // namespace gitplan
