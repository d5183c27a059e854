// `git plan trust`: a person has read a plan that came from elsewhere, and it may run here.
#include "git-plan/trust/trust.h"

#include <nlohmann/json.hpp>

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/trust/person.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"

namespace gitplan {
namespace {

Result<int> list(Context& context) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const std::vector<Summary> plans, store->list());
  Table table({"", "", ""});
  auto rows = nlohmann::ordered_json::array();
  for (const Summary& summary : plans) {
    if (!summary.fault.empty() || summary.state == PlanState::kDeleted) continue;
    GITPLAN_TRY_ASSIGN(const PlanView view, store->load(summary.id));
    GITPLAN_TRY_ASSIGN(const bool trusted, is_trusted(context, view));
    table.row({{summary.id},
               {trusted ? "trusted" : "not trusted", trusted ? Style::kGood : Style::kWarn},
               {summary.title}});
    rows.push_back({{"id", summary.id}, {"title", summary.title}, {"trusted", trusted}});
  }
  if (context.json())
    context.out().line(json_text({{"schema", 1}, {"plans", rows}}));
  else
    context.out().print(table.render(context.out(), 0));
  return 0;
}

// How it is now, for programs or for people.
int tell(Context& context, const PlanView& view, bool trusted, const std::string& words) {
  if (context.json())
    context.out().line(json_text({{"schema", 1}, {"plan", view.id}, {"trusted", trusted}}));
  else
    context.out().note("'" + view.id + "' " + words);
  return 0;
}

Result<int> revoke(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const bool was, revoke_trust(context, view));
  return tell(context, view, false,
              was ? "is no longer trusted here." : "was not trusted here; nothing changed.");
}

// True: a person (or the configuration that stands for one) says yes.
Result<bool> agreed(Context& context, const PlanView& view) {
  GITPLAN_TRY(need_person(context, "trusting", view.id));
  if (context.interactive()) return ask_yes_no(context.out(), "Trust this plan here?", false);
  return true;
}

Result<int> trust_command(Context& context, const Arguments& arguments) {
  const std::optional<std::string> name = arguments.positional(0);
  if (arguments.has("--list")) {
    if (name || arguments.has("--revoke"))
      return error(ErrorCode::kUsage, "'--list' goes with no plan and not with '--revoke'",
                   "usage: " + std::string(kTrustCommand.usage));
    return list(context);
  }
  if (!name)
    return error(ErrorCode::kUsage, "'git plan trust' needs <plan>",
                 "usage: " + std::string(kTrustCommand.usage));
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*name));
  if (arguments.has("--revoke")) return revoke(context, view);
  GITPLAN_TRY_ASSIGN(const bool trusted, is_trusted(context, view));
  if (trusted) return tell(context, view, true, "is trusted here already.");
  if (!context.json()) GITPLAN_TRY(show_for_trust(context, view));
  GITPLAN_TRY_ASSIGN(const bool yes, agreed(context, view));
  if (!yes)
    return error(ErrorCode::kNotTrusted, "'" + view.id + "' is not trusted here",
                 "'git plan show " + view.id + "' shows all of it");
  GITPLAN_TRY(trust(context, view));
  return tell(context, view, true, "is trusted here, as it is now.");
}

}  // namespace

const CommandInfo kTrustCommand{
    .name = "trust",
    .summary = "Say that a plan from elsewhere was read and may run here",
    .usage = "git plan trust (<plan> [--revoke] | --list) [--json]",
    .group = Group::kGit,
    .inside_task = false,
    .json = true,
    .options = {{"--list", "", "", "say which plans are trusted here"},
                {"--revoke", "", "", "take the word back"}},
    .positionals = {{"<plan>", false, false, Completes::kPlan}},
    .run = trust_command,
};

}  // namespace gitplan
