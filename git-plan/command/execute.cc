// git plan execute: looks at everything first, asks once, then runs the plan and tells what
// happens.
#include <cctype>
#include <filesystem>

#include "git-plan/command/detach.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/preflight.h"
#include "git-plan/command/run_plan.h"
#include "git-plan/command/table.h"
#include "git-plan/hand/place.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

// The parser has checked the word.
std::optional<Mode> mode_of(const Arguments& arguments) {
  const std::string word = arguments.value("--mode").value_or("");
  for (const Mode mode : {Mode::kInline, Mode::kClean, Mode::kForked})
    if (name(mode) == word) return mode;
  return std::nullopt;
}

Result<ExecuteOptions> options_of(Context& context, const Arguments& arguments) {
  ExecuteOptions options;
  options.tasks = arguments.values("--task");
  options.resume = arguments.has("--resume");
  options.no_land = arguments.has("--no-land");
  options.interactive = context.interactive() && !context.json();
  options.program_dir = std::filesystem::path(context.program_path()).parent_path();
  if (const auto jobs = arguments.value("--jobs")) {
    GITPLAN_TRY_ASSIGN(options.jobs, count_of("--jobs", *jobs, 1000));
  }
  return options;
}

// A plan that came from elsewhere: its commands are shown before anybody is asked.
Status ask_for_trust(Context& context, const PlanView& view) {
  Output& out = context.out();
  GITPLAN_TRY_ASSIGN(std::string why, why_not_trusted(context, view));
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  out.line(printable(why) + ".");
  GITPLAN_TRY(show_for_trust(context, view));
  GITPLAN_TRY_ASSIGN(const bool yes, ask_yes_no(out, "Trust it and go on?", false));
  if (!yes)
    return error(ErrorCode::kNotTrusted, "nothing was started",
                 "git plan show " + view.id + " shows all of it");
  return trust(context, view);
}

Result<int> dry_run(Context& context, const PlanView& view, const Preflight& report,
                    std::optional<Mode> mode) {
  Output& out = context.out();
  if (context.json())
    out.line(preflight_json(view, report, mode));
  else
    out.print(preflight_text(out, view, report, mode, true));
  return report.faults.empty() ? 0 : exit_status(report.fault()->code);
}

void warn(Context& context, const Preflight& report) {
  for (const Preflight::Check& check : report.checks) {
    if (check.state != Preflight::State::kWarning || check.asked) continue;
    std::string text = check.text;
    if (!check.details.empty()) text += ": " + joined(check.details, "; ");
    context.out().warning(one_line(text, 4000));
  }
}

// What is left of all that was looked at before a run: a large plan is not kept through it.
struct Looked {
  std::string plan, dir;
  std::optional<int> status;  // the exit status, where nothing is to be run
};

Result<Looked> look(Context& context, const Arguments& arguments, const ExecuteOptions& options) {
  const std::optional<Mode> mode = options.mode;
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*arguments.positional(0)));
  const bool only_look = arguments.has("--dry-run");
  if (options.interactive && !only_look) {
    GITPLAN_TRY_ASSIGN(const bool trusted, is_trusted(context, view));
    if (!trusted) GITPLAN_TRY(ask_for_trust(context, view));
  }
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  GITPLAN_TRY_ASSIGN(const Preflight report, preflight(context, view, facts, options, mode));
  Looked looked{view.id, facts.dir, {}};
  if (only_look) {
    GITPLAN_TRY_ASSIGN(looked.status, dry_run(context, view, report, mode));
    return looked;
  }
  if (!report.faults.empty()) {
    looked.status = all_faults(context, report);
    return looked;
  }
  warn(context, report);

  Output& out = context.out();
  if (options.interactive && !arguments.has("--yes") && report.count > 0) {
    GITPLAN_TRY_ASSIGN(const bool yes, ask_yes_no(out, start_question(report), true));
    if (!yes) {
      out.note("Nothing was started.");
      looked.status = exit_status(ErrorCode::kInterrupted);
    }
  }
  return looked;
}

Result<int> execute(Context& context, const Arguments& arguments) {
  if (Result<HandPlace> place = hand_place(context); !place.ok()) return std::move(place).error();
  GITPLAN_TRY_ASSIGN(ExecuteOptions options, options_of(context, arguments));
  options.mode = mode_of(arguments);
  if (arguments.has("--detach") && arguments.has("--dry-run"))
    return error(ErrorCode::kUsage, "options '--detach' and '--dry-run' exclude each other");
  GITPLAN_TRY_ASSIGN(const Looked looked, look(context, arguments, options));
  if (looked.status) return *looked.status;
  if (arguments.has("--detach")) return execute_detached(context, looked.plan, looked.dir, options);
  return run_plan(context, looked.plan, looked.dir, std::move(options));
}

}  // namespace

const CommandInfo kExecuteCommand{
    .name = "execute",
    .summary = "Run a plan's tasks, wave by wave, and land the result",
    .usage =
        "git plan execute <plan> [--mode <mode>] [--task <name>…] [--resume] [--dry-run]\n"
        "                        [--jobs <n>] [--no-land] [--detach] [--yes]",
    .group = Group::kWork,
    .inside_task = false,
    .json = true,
    .options =
        {{.name = "--mode",
          .argument = "<mode>",
          .help = "how all tasks run, whatever the plan says",
          .completes = Completes::kWords,
          .words = "inline|clean|forked"},
         {.name = "--task",
          .argument = "<name>",
          .help = "only this task",
          .repeatable = true,
          .completes = Completes::kTask},
         {.name = "--resume", .help = "also start failed, cancelled and timed-out tasks again"},
         {.name = "--dry-run",
          .letter = "-n",
          .help = "show what would run and land, and write nothing"},
         {.name = "--jobs", .letter = "-j", .argument = "<n>", .help = "at most this many at once"},
         {.name = "--no-land", .help = "leave the result on the plan's integration branch"},
         {.name = "--detach", .help = "run in the background; return when the run has begun"},
         {.name = "--yes", .letter = "-y", .help = "start without asking"}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan}},
    .run = execute,
};

}  // namespace gitplan
