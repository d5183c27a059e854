// `git plan list`: the plans of the repository, from their tip commits alone.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "git-plan/command/table.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/plan_facts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/task_tree.h"
#include "git-plan/view/time_ago.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

struct Filter {
  std::string status = "active";
  std::vector<std::string> tags;
  std::optional<Millis> after, before;  // of the day of creation

  bool takes(const Summary& summary) const {
    const bool archived = summary.state == PlanState::kArchived;
    if (summary.state == PlanState::kDeleted) return false;
    if (status == "active" && archived) return false;
    if (status == "archived" && !archived) return false;
    if (after && summary.created < *after) return false;
    if (before && summary.created >= *before) return false;
    return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
      return std::find(summary.tags.begin(), summary.tags.end(), tag) != summary.tags.end();
    });
  }
};

Result<std::optional<Millis>> date(const Arguments& arguments, const std::string& option) {
  const auto given = arguments.value(option);
  if (!given) return std::optional<Millis>();
  const std::optional<Millis> time = from_rfc3339(*given);
  if (time) return time;
  return error(
      ErrorCode::kUsage, "'" + option + "' takes a date, not '" + *given + "'",
      "write it as 2026-03-03 or 2026-03-03T10:00:00Z\nusage: " + std::string(kListCommand.usage));
}

Result<Filter> filter_of(const Arguments& arguments) {
  Filter filter;
  filter.status = arguments.value("--status").value_or("active");
  filter.tags = arguments.values("--tag");
  GITPLAN_TRY_ASSIGN(filter.after, date(arguments, "--after"));
  GITPLAN_TRY_ASSIGN(filter.before, date(arguments, "--before"));
  return filter;
}

// No plan here, but perhaps elsewhere: a clone fetches no plans by itself.
Result<std::string> nothing_there(Context& context, bool filtered) {
  if (filtered) return std::string("No plan fits.");
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const std::string remotes, repository->git().read({"remote"}));
  const std::string none = "No plans. 'git plan create' makes one.";
  return remotes.empty()
             ? none
             : "No plans here. 'git plan create' makes one; a clone has none by itself: 'git plan "
               "pull " +
                   remotes.substr(0, remotes.find('\n')) + "' takes in those of others.";
}

struct Row {
  Summary summary;
  bool stale = false;
};

std::string rows_text(const Output& out, const std::vector<Row>& rows, Millis now) {
  Table table({"", "", "", "", "", "", ""});
  for (const auto& [s, stale] : rows) {
    const std::string progress =
        s.total == 0 ? "-" : std::to_string(s.done) + "/" + std::to_string(s.total);
    table.row({{s.id, Style::kBold},
               {std::string(name(s.state)), style_of(s.state)},
               {progress},
               {time_ago(s.last_activity, now), Style::kDim},
               {stale ? "stale" : "", Style::kWarn},
               {s.tags.empty() ? "" : "[" + joined(s.tags) + "]", Style::kInfo},
               {s.title}});
  }
  return table.render(out, 0);
}

Status print_trees(Context& context, const std::vector<Row>& rows) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  Output& out = context.out();
  for (const auto& [summary, stale] : rows) {
    out.print(rows_text(out, {{summary, stale}}, context.now()));
    const Result<PlanView> view = store->load(summary.id);
    if (view.ok())
      out.print(task_tree(out, view->plan, view->ledger));
    else  // one damaged plan hides no other
      out.warning(printable(view.error().message));
  }
  return {};
}

Result<int> list(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const Filter filter, filter_of(arguments));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(std::vector<Summary> plans, store->list());
  std::vector<Row> rows;
  rows.reserve(plans.size());
  for (Summary& summary : plans) {
    if (!summary.fault.empty()) context.out().warning(printable(summary.fault));
    if (!summary.fault.empty() || !filter.takes(summary)) continue;
    GITPLAN_TRY_ASSIGN(const bool stale,
                       is_stale(context, summary.state, summary.last_activity, summary.ttl_days));
    rows.push_back({std::move(summary), stale});
  }
  if (context.json()) {
    auto all = nlohmann::ordered_json::array();
    for (const Row& row : rows) all.push_back(plan_json(row.summary, row.stale));
    context.out().line(json_text({{"schema", 1}, {"plans", all}}));
    return 0;
  }
  if (rows.empty()) {
    GITPLAN_TRY_ASSIGN(const std::string text, nothing_there(context, !plans.empty()));
    context.out().note(text);
    return 0;
  }
  context.page();
  if (arguments.has("--tree"))
    GITPLAN_TRY(print_trees(context, rows));
  else
    context.out().print(rows_text(context.out(), rows, context.now()));
  return 0;
}

}  // namespace

const CommandInfo kListCommand{
    .name = "list",
    .summary = "List plans with their state and progress",
    .usage =
        "git plan list [--status active|archived|all] [--tag <tag>]... [--after <date>] "
        "[--before <date>] [--tree] [--json]",
    .group = Group::kPlans,
    .json = true,
    .options = {{"--status", "", "<which>", "active (the default), archived or all", false,
                 Completes::kWords, "active|archived|all"},
                {"--tag", "", "<tag>", "only plans with this tag", true},
                {"--after", "", "<date>", "only plans created on that day or later"},
                {"--before", "", "<date>", "only plans created before that day"},
                {"--tree", "", "", "draw the tasks of each plan as a graph"}},
    .run = list,
};

}  // namespace gitplan
