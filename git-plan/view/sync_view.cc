#include "git-plan/view/sync_view.h"

#include <nlohmann/json.hpp>

#include "git-plan/terminal/prompt.h"
#include "git-plan/trust/trust.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"
#include "refs/sync/local_plans.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;
using Got = PulledPlan::What;
using Gave = PushedPlan::What;

std::string_view word(Got what) {
  switch (what) {
    case Got::kNew: return "new";
    case Got::kForward: return "forward";
    case Got::kUnited: return "united";
    case Got::kPurged: return "purged";
    case Got::kRefused: return "refused";
    case Got::kNothing: return "same";
  }
  return "same";
}

std::string_view word(Gave what) {
  switch (what) {
    case Gave::kNew: return "new";
    case Gave::kForward: return "forward";
    case Gave::kPurged: return "purged";
    case Gave::kKept: return "kept work";
    case Gave::kBranch: return "branch";
    case Gave::kRefused: return "refused";
  }
  return "refused";
}

Cell marked(std::string_view text, bool refused) {
  return {std::string(text), refused ? Style::kBad : Style::kGood};
}

struct State {
  std::string words;  // "active, 2/7"
  PlanState state = PlanState::kActive;
  bool trusted = true;
};

Result<State> state_of(Context& context, const std::string& id) {
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  GITPLAN_TRY_ASSIGN(const PlanView view, store->load(id));
  const Progress at = progress(view.plan, view.ledger);
  State state;
  state.state = view.ledger.state;
  state.words = spoken(name(view.ledger.state));
  if (at.total > 0) state.words += ", " + std::to_string(at.done) + "/" + std::to_string(at.total);
  if (view.ledger.state == PlanState::kConflicted) state.words += ": " + view.conflict;
  GITPLAN_TRY_ASSIGN(state.trusted, is_trusted(context, view));
  return state;
}

// The lines, and what is to be said once for all of them.
struct PulledLines {
  Table table{{"", "", ""}};
  Json plans = Json::array();
  std::vector<std::string> conflicted, untrusted;
  bool refused = false, awaits_word = false;

  Status add(Context& context, const PulledPlan& plan) {
    State state;
    if (plan.what == Got::kRefused) {
      refused = refused || !plan.awaits_word;
      awaits_word = awaits_word || plan.awaits_word;
      state.words = plan.why;
    } else {
      GITPLAN_TRY_ASSIGN(state, state_of(context, plan.id));
      if (state.state == PlanState::kConflicted) conflicted.push_back(plan.id);
      if (!state.trusted && state.state != PlanState::kDeleted) untrusted.push_back(plan.id);
    }
    std::string words = state.words;
    if (!plan.there.empty()) words += " (there: " + plan.there + ")";
    if (!plan.renamed.empty())
      words += "; the plan here that had this name is '" + plan.renamed + "' now";
    table.row({marked(word(plan.what), plan.what == Got::kRefused),
               {plan.id, Style::kBold},
               {printable(words)}});
    Json one{{"id", plan.id}, {"what", word(plan.what)}};
    if (plan.what != Got::kRefused) one["state"] = name(state.state);
    if (plan.what == Got::kRefused) one["why"] = plan.why;
    if (!plan.there.empty()) one["there"] = plan.there;
    if (!plan.renamed.empty()) one["renamed"] = plan.renamed;
    if (plan.what != Got::kRefused) one["trusted"] = state.trusted;
    plans.push_back(std::move(one));
    return {};
  }

  int status() const {
    if (awaits_word && !refused) return exit_status(ErrorCode::kDecision);
    if (!conflicted.empty() && !refused) return exit_status(ErrorCode::kConflicted);
    return refused ? exit_status(ErrorCode::kFailed) : 0;
  }
};

void say_after(Context& context, const Pulled& pulled, const PulledLines& lines) {
  Output& out = context.out();
  for (const PulledPlan& plan : pulled.plans)
    if (!plan.hint.empty()) out.note("hint: " + printable(plan.hint));
  for (const std::string& id : lines.conflicted)
    out.note("hint: two changes of '" + id + "' do not merge: 'git plan edit " + id +
             "' shows both and takes your text");
  if (!lines.untrusted.empty())
    out.note("hint: what came from elsewhere runs when it was read here: 'git plan trust " +
             lines.untrusted.front() + "'" + (lines.untrusted.size() > 1 ? " and so on" : ""));
  if (pulled.new_actor)
    out.warning(
        "this clone is a copy, or an older state of itself: it writes under a new name from now "
        "on, and trusts nothing that it trusted");
}

}  // namespace

PullOptions pull_options(Context& context, std::vector<std::string> plans, bool yes) {
  PullOptions options;
  options.plans = std::move(plans);
  options.agree_to_purge = [&context, yes](const std::string& id) -> Result<bool> {
    if (yes) return true;
    if (!context.interactive()) return false;
    return ask_yes_no(context.out(),
                      "'" + id + "' was purged elsewhere. Take it away here, with all of its work?",
                      false);
  };
  return options;
}

Result<int> show_pulled(Context& context, const Remote& remote, const Pulled& pulled) {
  PulledLines lines;
  for (const PulledPlan& plan : pulled.plans) GITPLAN_TRY(lines.add(context, plan));
  Output& out = context.out();
  if (context.json()) {
    out.line(json_text({{"schema", 1}, {"remote", remote.name}, {"plans", lines.plans}}));
    return lines.status();
  }
  if (pulled.plans.empty()) {
    out.note(pulled.same == 0 ? "'" + remote.name + "' has no plans."
                              : "Everything of '" + remote.name +
                                    "' is here: " + counted(pulled.same, "plan") + ".");
  } else {
    out.line("From " + remote.name);
    out.print(lines.table.render(out, 2));
  }
  say_after(context, pulled, lines);
  return lines.status();
}

Result<int> show_pushed(Context& context, const Remote& remote, const Pushed& pushed) {
  PulledLines pulled;
  for (const PulledPlan& plan : pushed.pulled.plans) GITPLAN_TRY(pulled.add(context, plan));
  Table table({"", "", ""});
  Json refs = Json::array();
  bool refused = false;
  for (const PushedPlan& one : pushed.refs) {
    const bool no = one.what == Gave::kRefused;
    refused = refused || no;
    std::string words = one.why;
    if (!one.there.empty()) words += (words.empty() ? "" : " ") + ("(there: " + one.there + ")");
    table.row({marked(word(one.what), no), {one.id, Style::kBold}, {printable(words)}});
    Json said{{"id", one.id}, {"what", word(one.what)}};
    if (!one.there.empty()) said["there"] = one.there;
    if (no) said["why"] = one.why;
    refs.push_back(std::move(said));
  }
  const int status = refused ? exit_status(ErrorCode::kFailed) : pulled.status();
  Output& out = context.out();
  if (context.json()) {
    out.line(json_text(
        {{"schema", 1}, {"remote", remote.name}, {"pulled", pulled.plans}, {"refs", refs}}));
    return status;
  }
  if (!pushed.pulled.plans.empty()) {
    out.line("From " + remote.name);
    out.print(pulled.table.render(out, 2));
  }
  if (pushed.refs.empty()) {
    out.note("'" + remote.name + "' has everything" +
             (pushed.same == 0 ? "." : ": " + counted(pushed.same, "plan") + "."));
  } else {
    out.line("To " + remote.name);
    out.print(table.render(out, 2));
  }
  if (refused)
    out.note(
        "hint: a server may take no refs/plans/: where it takes branches only, set "
        "plan.refPrefix to refs/heads/plans/");
  say_after(context, pushed.pulled, pulled);
  return status;
}

Result<int> show_seen(Context& context, const Remote& remote) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const PlanTrees trees(*repository);
  GITPLAN_TRY_ASSIGN(const auto seen, trees.refs_below(remote.seen_plans()));
  GITPLAN_TRY_ASSIGN(const LocalPlans local, LocalPlans::of(*repository));
  Table table({"", ""});
  Json plans = Json::array();
  std::size_t other = 0;
  for (const auto& [id, at] : seen) {
    const auto here = local.tip(id);
    if (here && (git_oid_equal(&*here, &at) ||
                 git_graph_descendant_of(repository->raw(), &*here, &at) == 1))
      continue;
    ++other;
    const std::string_view what = here ? "changed" : "new";
    table.row({marked(what, false), {printable(id), Style::kBold}});
    plans.push_back({{"id", id}, {"what", what}});
  }
  Output& out = context.out();
  if (context.json()) {
    out.line(json_text({{"schema", 1}, {"remote", remote.name}, {"plans", plans}}));
  } else if (other == 0) {
    out.note("Everything of '" + remote.name + "' is here: " + counted(seen.size(), "plan") + ".");
  } else {
    out.line("At " + remote.name);
    out.print(table.render(out, 2));
    out.note("'git plan pull " + remote.name + "' takes it in.");
  }
  return 0;
}

}  // namespace gitplan
