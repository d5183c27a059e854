// git plan next: which tasks are ready, and taking one to work on it by hand.
#include <nlohmann/json.hpp>

#include "git-plan/command/plan_task.h"
#include "git-plan/command/table.h"
#include "git-plan/hand/claim.h"
#include "git-plan/hand/place.h"
#include "git-plan/hand/take_in.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

// The only plan that could be worked on; a tree's own.
Result<std::string> plan_meant(Context& context, const Arguments& arguments,
                               const HandPlace& place) {
  if (const auto named = arguments.positional(0)) return *named;
  if (!place.plan.empty()) return place.plan;
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> all, store->list());
  std::vector<std::string> active;
  for (const Summary& summary : all) {
    switch (summary.state) {
      case PlanState::kActive:
      case PlanState::kQueued:
      case PlanState::kRunning:
      case PlanState::kPaused:
      case PlanState::kFailed:
        if (summary.fault.empty()) active.push_back(summary.id);
        break;
      default: break;
    }
  }
  if (active.size() == 1) return active.front();
  if (active.empty())
    return error(ErrorCode::kNotFound, "there is no active plan", "'git plan list' shows all");
  return error(ErrorCode::kAmbiguous, "several plans are active: " + joined(active),
               "git plan next <plan>");
}

Result<int> list(Context& context, const std::string& plan) {
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(plan));
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  GITPLAN_TRY_ASSIGN(const std::optional<Error> held, hold_on_plan(context, view, facts));
  const auto holds = holds_on_tasks(view, facts, context.now());
  const std::vector<Task>& all = view.plan.tasks();
  Json ready = Json::array(), tasks = Json::array();
  Table table({"", ""}), waiting({"", ""});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (facts.tasks[i].readiness == Readiness::kDone) continue;
    const bool can = !held && !holds[i];
    if (can) ready.push_back(all[i].name);
    tasks.push_back(
        {{"name", all[i].name},
         {"ready", can},
         {"readiness", name(facts.tasks[i].readiness)},
         {"description", all[i].description},
         {"role", all[i].role},
         {"files", all[i].files},
         {"why", holds[i] ? Json(holds[i]->message) : Json()},
         {"hint", holds[i] && !holds[i]->hint.empty() ? Json(holds[i]->hint) : Json()}});
    if (can)
      table.row({{all[i].name, Style::kBold}, {first_line(all[i].description)}});
    else if (holds[i])
      waiting.row({{holds[i]->message}, {holds[i]->hint, Style::kDim}});
  }
  Output& out = context.out();
  if (context.json()) {
    Json why;
    if (held) why = {{"message", held->message}, {"hint", held->hint}};
    out.line(json_text({{"schema", 1},
                        {"plan", view.id},
                        {"ready", std::move(ready)},
                        {"held", std::move(why)},
                        {"tasks", std::move(tasks)}}));
    return 0;
  }
  if (!table.empty()) {
    out.print(table.render(out, 0));
  } else if (held) {
    out.line("Nothing is ready: " + one_line(held->message, 4000) +
             (held->hint.empty() ? "" : " (" + one_line(held->hint, 1000) + ")"));
  } else if (waiting.empty()) {
    out.note(all.empty() ? "The plan has no tasks." : "All tasks are done.");
  } else {
    out.line("Nothing is ready:");
    out.print(waiting.render(out, 2));
  }
  return 0;
}

Result<int> claim(Context& context, const std::string& plan, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Claim taken, claim_task(context, plan, arguments.value("--task")));
  const Task& task = *taken.view.plan.find(taken.task);
  const std::string words = taken.view.id + " " + taken.task;
  Output& out = context.out();
  if (context.json()) {
    Json environment = Json::object();
    for (const std::string& variable : taken.environment)
      environment[variable.substr(0, variable.find('='))] = variable.substr(variable.find('=') + 1);
    out.line(json_text({{"schema", 1},
                        {"plan", taken.view.id},
                        {"task", taken.task},
                        {"attempt", taken.attempt},
                        {"description", task.description},
                        {"role", task.role},
                        {"lease", to_rfc3339(taken.lease)},
                        {"worktree", taken.tree},
                        {"cwd", task.cwd.empty() ? taken.tree : taken.tree + "/" + task.cwd},
                        {"environment", std::move(environment)},
                        {"brief", {{"path", taken.folder + "/brief.md"}, {"text", taken.brief}}}}));
    return 0;
  }
  out.line(out.styled(Style::kBold, printable(taken.task)) + ", attempt " + taken.attempt +
           (task.description.empty() ? "" : ": " + one_line(first_line(task.description), 1000)));
  out.line("  work in  " + printable(taken.tree));
  out.line("  brief    " + printable(taken.folder) + "/brief.md");
  out.line("  until    " + moment(taken.lease, context.now()) + " UTC; git plan next " +
           printable(taken.view.id) + " --renew " + printable(taken.task));
  out.line("  then     git plan done " + printable(words));
  out.line("  or       git plan fail " + printable(words) + " <reason>");
  return 0;
}

Result<int> renew(Context& context, const std::string& plan, const std::string& task,
                  const std::string& attempt) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(plan));
  GITPLAN_TRY(task_of(view, task));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const int minutes, settings->integer("plan.lease"));
  AttemptRenewed renewed;
  const auto decide = [&](const PlanView& now) -> Result<Store::Change> {
    GITPLAN_TRY_ASSIGN(const Attempt claimed, attempt_by_hand(now, task, attempt));
    renewed = {task, claimed.id, context.now() + minutes * Millis{60000}};
    Store::Change change;
    change.bodies.push_back(renewed);
    return change;
  };
  GITPLAN_TRY(store->change(view.id, decide));
  if (context.json())
    context.out().line(json_text({{"schema", 1},
                                  {"plan", view.id},
                                  {"task", task},
                                  {"attempt", renewed.attempt},
                                  {"lease", to_rfc3339(renewed.lease)}}));
  else
    context.out().line(printable(task) + ", attempt " + renewed.attempt + ": until " +
                       moment(renewed.lease, context.now()) + " UTC");
  return 0;
}

Result<int> next(Context& context, const Arguments& arguments) {
  const auto renewed = arguments.value("--renew");
  const bool claims = arguments.has("--claim");
  if (renewed && claims)
    return error(ErrorCode::kUsage, "options '--claim' and '--renew' exclude each other");
  if (arguments.has("--task") && !claims)
    return error(ErrorCode::kUsage, "option '--task' needs '--claim'");
  GITPLAN_TRY_ASSIGN(const HandPlace place, hand_place(context));
  GITPLAN_TRY_ASSIGN(const std::string named, plan_meant(context, arguments, place));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::string plan, store->resolve(named));
  if (!renewed && !claims) return list(context, plan);
  GITPLAN_TRY(for_own_task_only(context, "next", plan,
                                renewed ? *renewed : arguments.value("--task").value_or("")));
  if (claims) return claim(context, plan, arguments);
  const bool own = place.plan == plan && place.task == *renewed;
  return renew(context, plan, *renewed, own ? place.attempt : "");
}

}  // namespace

const CommandInfo kNextCommand{
    .name = "next",
    .summary = "List the tasks that are ready, or take one to work on by hand",
    .usage =
        "git plan next [<plan>] [--json]\n"
        "       git plan next [<plan>] --claim [--task <name>] [--json]\n"
        "       git plan next [<plan>] --renew <task> [--json]",
    .group = Group::kWork,
    .json = true,
    .options = {{.name = "--claim", .help = "take the first one: a worktree, a brief and a lease"},
                {.name = "--task",
                 .argument = "<name>",
                 .help = "take this one",
                 .completes = Completes::kTask},
                {.name = "--renew",
                 .argument = "<task>",
                 .help = "put off the end of its lease",
                 .completes = Completes::kTask}},
    .positionals = {{.name = "<plan>", .required = false, .completes = Completes::kPlan}},
    .run = next,
};

}  // namespace gitplan
