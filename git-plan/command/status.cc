// git plan status: how far plans are; with --watch until the run ends. Reads only.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "git-plan/command/plan_task.h"
#include "git-plan/command/table.h"
#include "git-plan/executor/waiting.h"
#include "git-plan/hand/place.h"
#include "git-plan/view/event_lines.h"
#include "git-plan/view/live_lines.h"
#include "git-plan/view/status_view.h"

namespace gitplan {
namespace {

constexpr auto kLook = std::chrono::milliseconds(500);

bool may_go_on(PlanState state) {
  switch (state) {
    case PlanState::kQueued:
    case PlanState::kRunning:
    case PlanState::kPaused:
    case PlanState::kFailed: return true;
    default: return false;
  }
}

Result<int> overview(Context& context) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> all, store->list());
  std::vector<PlanRow> rows;
  for (const Summary& summary : all) {
    if (!summary.fault.empty()) context.out().warning(printable(summary.fault));
    if (!summary.fault.empty() || !may_go_on(summary.state)) continue;
    PlanRow row{summary};
    // The lock first: a run that ends in between has then written how.
    GITPLAN_TRY_ASSIGN(const std::string dir, store->plan_dir(summary.id));
    row.holder = RunLock::holder(dir);
    if (row.holder) row.waiting = waiting_of_run(dir);
    GITPLAN_TRY_ASSIGN(const PlanView view, store->load(summary.id));
    row.summary.state = view.ledger.state;
    GITPLAN_TRY_ASSIGN(row.stale, is_stale(context, view.ledger.state, view.ledger.last_activity,
                                           summary.ttl_days));
    for (const Decision& decision : view.ledger.decisions) row.decisions += decision.open() ? 1 : 0;
    rows.push_back(std::move(row));
  }
  Output& out = context.out();
  if (context.json())
    out.line(overview_json(rows));
  else if (rows.empty())
    out.note("No plan runs, waits or has a decision. 'git plan list' shows all plans.");
  else
    out.print(overview_text(out, rows, context.now()));
  return 0;
}

Result<int> print_status(Context& context, const PlanView& view, const PlanFacts& facts,
                         const StatusOptions& options) {
  Output& out = context.out();
  if (!context.json()) {
    out.print(status_text(out, view, facts, options, context.now()));
    return 0;
  }
  std::string output;
  if (!options.task.empty()) {
    const Attempt* last = view.ledger.task(options.task).last();
    if (last != nullptr && last->output) {
      GITPLAN_TRY_ASSIGN(Store * store, context.store());
      GITPLAN_TRY_ASSIGN(const std::optional<std::string> text,
                         store->file(view.id, "outputs/" + options.task + "/" + last->id + ".md"));
      output = text.value_or("");
    }
  }
  out.line(status_json(view, facts, options, output));
  return 0;
}

// Draws again in place on a terminal; in a pipe a line an event; with JSON a document a change.
class Watch {
 public:
  Watch(Context& context, StatusOptions options)
      : context_(context),
        options_(std::move(options)),
        draws_(context.out().terminal() && !context.json() &&
               context.environment("TERM").value_or("dumb") != "dumb"),
        live_(STDOUT_FILENO) {}

  Result<int> run(PlanView view) {
    GITPLAN_TRY_ASSIGN(Store * store, context_.store());
    bool first = true;
    while (true) {
      GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context_, view));
      GITPLAN_TRY(show(view, facts, first));
      if (!facts.holder) break;
      first = false;
      std::this_thread::sleep_for(kLook);
      GITPLAN_TRY_ASSIGN(view, store->load(view.id));
    }
    live_.clear();
    if (context_.json()) return 0;
    GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context_, view));
    return print_status(context_, view, facts, options_);
  }

 private:
  Status show(const PlanView& view, const PlanFacts& facts, bool first) {
    Output& out = context_.out();
    if (draws_) {
      live_.draw(watch_lines(out, view, facts, context_.now()));
      return {};
    }
    const bool waits_anew = facts.waiting != waiting_;
    if (view.ledger.events == seen_ && !waits_anew) return {};
    waiting_ = facts.waiting;
    if (context_.json()) {
      GITPLAN_TRY(print_status(context_, view, facts, options_));
    } else {
      GITPLAN_TRY_ASSIGN(Store * store, context_.store());
      GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(view.id));
      for (std::size_t i = first ? events.size() : seen_; i < events.size(); ++i)
        for (const EventLine& line : event_lines(events[i], view.ledger)) out.line(line.text);
      // That it waits for another plan is an event too.
      const Run* run_at_work = view.ledger.run();
      const bool told = !first && run_at_work != nullptr && !run_at_work->waits.empty();
      if (waits_anew && !waiting_.empty() && !told) out.line("waits: " + one_line(waiting_, 400));
    }
    std::fflush(stdout);
    seen_ = view.ledger.events;
    return {};
  }

  Context& context_;
  StatusOptions options_;
  bool draws_;
  LiveLines live_;
  std::uint64_t seen_ = 0;
  std::string waiting_;  // what was said last
};

Result<int> status(Context& context, const Arguments& arguments) {
  const std::optional<std::string> name = arguments.positional(0);
  if (!name) {
    for (const std::string_view option : {"--task", "--watch"})
      if (arguments.has(option))
        return error(ErrorCode::kUsage, "option '" + std::string(option) + "' needs a plan",
                     "git plan status <plan> " + std::string(option));
    return overview(context);
  }
  if (Result<HandPlace> place = hand_place(context); !place.ok()) return std::move(place).error();
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*name));
  StatusOptions options{arguments.value("--task").value_or("")};
  if (!options.task.empty()) {
    if (Result<const Task*> task = task_of(view, options.task); !task.ok())
      return std::move(task).error();
  }
  if (arguments.has("--watch")) return Watch(context, std::move(options)).run(std::move(view));
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  return print_status(context, view, facts, options);
}

}  // namespace

const CommandInfo kStatusCommand{
    .name = "status",
    .summary = "Show how far a plan is, or which plans run, wait or ask",
    .usage = "git plan status [<plan>] [--task <name>] [--watch] [--json]",
    .group = Group::kWork,
    .json = true,
    .options = {{.name = "--task",
                 .argument = "<name>",
                 .help = "only this task",
                 .completes = Completes::kTask},
                {.name = "--watch", .letter = "-w", .help = "follow until the run ends"}},
    .positionals = {{.name = "<plan>", .required = false, .completes = Completes::kPlan}},
    .run = status,
};

}  // namespace gitplan
