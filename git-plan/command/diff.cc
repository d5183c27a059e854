// `git plan diff`: what changed in a plan's definition, shown by git in the user's own way.
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "git-plan/command/context.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/history.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

// Git labels the sides with their paths where it is given <commit>:plan.md, with ids where it is
// given blobs. A definition that no commit shows as plan.md (not flushed yet) goes by its id.
Result<std::map<std::string, std::string>> names_of(const Git& git, const std::string& plan) {
  std::map<std::string, std::string> names;
  GITPLAN_TRY_ASSIGN(const std::string commits,
                     git.read({"log", "--full-history", "--format=%H:plan.md", "refs/plans/" + plan,
                               "--", "plan.md"}));
  if (commits.empty()) return names;
  GITPLAN_TRY_ASSIGN(const std::string blobs,
                     git.read({"cat-file", "--batch-check=%(objectname)"}, commits + "\n"));
  std::istringstream left(commits), right(blobs);
  for (std::string name, blob; std::getline(left, name) && std::getline(right, blob);)
    names.emplace(blob, name);
  return names;
}

// The definitions in the order in which they were made: newest last.
std::vector<std::string> definitions(const std::vector<Event>& events) {
  std::vector<std::string> all;
  for (const Event& event : events) {
    if (const auto* created = std::get_if<PlanCreated>(&event.body))
      all.push_back(created->definition);
    if (const auto* changed = std::get_if<DefinitionChanged>(&event.body))
      all.push_back(changed->definition);
  }
  return all;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Without an id before: there is only one definition.
int print_json(Context& context, const std::string& plan, const std::string& before,
               const std::string& after, const std::string& difference) {
  context.out().line(json_text({{"schema", 1},
                                {"plan", plan},
                                {"before", text_or_null(before)},
                                {"after", text_or_null(after)},
                                {"diff", difference}}));
  return 0;
}

// Names as git shall show them.
Result<std::string> difference(Context& context, const std::string& before,
                               const std::string& after) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const bool color = context.out().color() && !context.json();
  return repository->git().read(
      {"diff", color ? "--color=always" : "--color=never", before, after, "--"});
}

Result<int> show(Context& context, const std::string& text) {
  Output& out = context.out();
  context.page();
  out.print(out.screen() ? printable_colored(text) : text);
  if (!text.empty()) out.line();
  return 0;
}

Result<int> diff(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(const PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  if (view.ledger.heads.empty()) return failed("plan '" + view.id + "' has no definition");
  std::string before,
      after = view.ledger.heads.size() > 1 && view.ledger.state != PlanState::kConflicted
                  ? view.definition
                  : view.ledger.heads.front();
  const auto head_at = [&](std::size_t index) -> Result<std::string> {
    GITPLAN_TRY_ASSIGN(const PlanView then,
                       plan_at(context, view.id, *arguments.positional(index)));
    if (then.ledger.heads.empty()) return failed("there was no definition then");
    return then.definition.empty() ? then.ledger.heads.front() : then.definition;
  };
  if (arguments.positional(1)) {
    GITPLAN_TRY_ASSIGN(before, head_at(1));
    if (arguments.positional(2)) {
      GITPLAN_TRY_ASSIGN(after, head_at(2));
    }
  } else if (view.ledger.state == PlanState::kConflicted) {
    before = view.ledger.heads.front();
    after = view.ledger.heads[1];
  } else {
    GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(view.id));
    std::vector<std::string> all = definitions(events);
    const auto newest = std::find(all.rbegin(), all.rend(), after);
    if (newest == all.rend() || newest + 1 == all.rend()) {
      if (context.json()) return print_json(context, view.id, "", after, "");
      context.out().note("The definition of '" + view.id +
                         "' has not changed since it was created.");
      return 0;
    }
    before = *(newest + 1);
  }
  GITPLAN_TRY_ASSIGN(const auto names, names_of(repository->git(), view.id));
  const auto name = [&](const std::string& blob) {
    const auto found = names.find(blob);
    return found == names.end() ? blob : found->second;
  };
  GITPLAN_TRY_ASSIGN(std::string text, difference(context, name(before), name(after)));
  if (!context.json()) return show(context, text);
  if (!text.empty()) text += '\n';
  return print_json(context, view.id, before, after, text);
}

}  // namespace

const CommandInfo kDiffCommand{
    .name = "diff",
    .summary = "Show what changed in a plan's definition",
    .usage = "git plan diff <plan> [<change> [<change>]] [--json]",
    .group = Group::kPlans,
    .json = true,
    .positionals = {{"<plan>", true, false, Completes::kPlan},
                    {"<change>", false, false},
                    {"<change>", false, false}},
    .run = diff,
};

}  // namespace gitplan
