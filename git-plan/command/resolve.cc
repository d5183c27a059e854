// git plan resolve: answers what a run has stopped to ask, from anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/edit_distance.h"
#include "core/ledger/resolution.h"
#include "git-plan/command/hand_merge.h"
#include "git-plan/command/plan_task.h"
#include "git-plan/command/run_summary.h"
#include "git-plan/command/table.h"
#include "git-plan/definition/remap.h"
#include "git-plan/definition/stale.h"
#include "git-plan/terminal/prompt.h"
#include "git-plan/trust/person.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/overlap_view.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

std::vector<const Decision*> open_decisions(const Ledger& ledger) {
  std::vector<const Decision*> open;
  for (const Decision& decision : ledger.decisions)
    if (decision.open()) open.push_back(&decision);
  return open;
}

std::vector<std::string> ids_of(const std::vector<const Decision*>& decisions) {
  std::vector<std::string> ids;
  for (const Decision* decision : decisions) ids.push_back(decision->asked.decision);
  return ids;
}

// By its id, the task that no other open one is about, or a unique beginning of its id.
Result<const Decision*> find_decision(const PlanView& view, const std::string& word) {
  const std::vector<const Decision*> open = open_decisions(view.ledger);
  std::vector<const Decision*> about, fitting;
  for (const Decision* decision : open) {
    if (decision->asked.decision == word) return decision;
    if (decision->asked.task == word) about.push_back(decision);
    if (decision->asked.decision.starts_with(word)) fitting.push_back(decision);
  }
  if (!about.empty()) fitting = about;
  if (fitting.size() == 1) return fitting.front();
  if (!fitting.empty())
    return error(ErrorCode::kAmbiguous,
                 "decision '" + word + "' could be: " + joined(ids_of(fitting)));
  if (const Decision* answered = view.ledger.decision(word))
    return error(ErrorCode::kRefused, "decision '" + word + "' was answered: " + answered->option);
  const std::vector<std::string> all = ids_of(open);
  const auto near = nearest(word, all);
  return error(ErrorCode::kNotFound, "plan '" + view.id + "' has no open decision '" + word + "'",
               near          ? "did you mean '" + *near + "'?"
               : all.empty() ? "nothing is asked"
                             : "open: " + joined(all));
}

Status check_option(const PlanView& view, const DecisionAsked& asked, const std::string& option) {
  std::vector<std::string> keys;
  for (const DecisionOption& offered : asked.options) {
    const bool branch = offered.key == "onto:<branch>" && option.starts_with("onto:");
    if (offered.key == option || branch) {
      if (offered.disabled.empty()) return {};
      return error(ErrorCode::kRefused, "'" + option + "' cannot be chosen: " + offered.disabled);
    }
    if (offered.disabled.empty()) keys.push_back(offered.key);
  }
  const auto near = nearest(option, keys);
  return error(
      ErrorCode::kInvalid,
      "decision '" + asked.decision + "' of plan '" + view.id + "' has no option '" + option + "'",
      near ? "did you mean '" + *near + "'?" : "options: " + joined(keys));
}

// Without a decision's name there must be one open.
Result<const Decision*> only_decision(const PlanView& view, const std::string& option) {
  const std::vector<const Decision*> open = open_decisions(view.ledger);
  if (open.size() == 1) return open.front();
  if (open.empty())
    return error(ErrorCode::kNotFound, "plan '" + view.id + "' has no open decision",
                 "'git plan status " + view.id + "' shows how far it is");
  // Only those that have the option can be meant.
  std::vector<const Decision*> able;
  for (const Decision* decision : open)
    if (check_option(view, decision->asked, option).ok()) able.push_back(decision);
  if (able.size() == 1) return able.front();
  if (able.empty()) return check_option(view, open.front()->asked, option).error();
  Error several =
      error(ErrorCode::kAmbiguous,
            "plan '" + view.id + "' has " + counted(open.size(), "open decision") + ": name one");
  for (const Decision* decision : able)
    several.hint += (several.hint.empty() ? "" : "\n") +
                    resolve_command(view.id, decision->asked.decision, option) + "    (" +
                    first_line(decision->asked.what) + ")";
  return several;
}

Status check_branch(Context& context, const std::string& option) {
  const OptionKey key = split_option(option);
  if (key.verb != "onto") return {};
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  const std::string ref =
      key.argument.starts_with("refs/") ? key.argument : "refs/heads/" + key.argument;
  if (!key.argument.empty() && key.argument != "<branch>") {
    GITPLAN_TRY_ASSIGN(const std::optional<std::string> tip, repository->ref(ref));
    if (tip) return {};
  }
  return error(
      ErrorCode::kNotFound, "there is no branch '" + key.argument + "'",
      "git branch " + (key.argument.empty() ? std::string("<name>") : key.argument) + " makes it");
}

Result<std::string> edited_message(Context& context, const PlanView& view,
                                   const DecisionAsked& asked) {
  if (!context.interactive())
    return error(ErrorCode::kUsage, "the option 'message' needs the text",
                 resolve_command(view.id, asked.decision, "message"));
  std::string draft;
  for (const std::string& name : asked.tasks)
    if (const Task* task = view.plan.find(name))
      draft += (task->description.empty() ? name : first_line(task->description)) + "\n";
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const std::optional<std::string> text,
                     edit_text(repository->git(), draft, "PLAN_MESSAGE"));
  if (text) return *text;
  return error(ErrorCode::kInterrupted, "the message was left as it was: nothing is answered");
}

Status edit_plan(Context& context, const std::string& id, bool yes) {
  Arguments arguments;
  arguments.rest = {id};
  if (yes) arguments.options["--yes"] = {""};
  const CommandInfo* edit = find_command("edit");
  GITPLAN_TRY_ASSIGN(const int status, edit->run(context, arguments));
  if (status == 0) return {};
  return failed("the plan was not changed: nothing is answered");
}

Status fix_references(Context& context, const PlanView& view, const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(Repository * repository, context.repository());
  GITPLAN_TRY_ASSIGN(const Settings* settings, context.settings());
  GITPLAN_TRY_ASSIGN(const CheckedReferences found, check_at_head(*repository, *settings, view));
  const auto keep = [](const CheckedReference&) { return std::optional<Place>(); };
  GITPLAN_TRY_ASSIGN(const Remapped done, remap(context, view, found, keep));
  if (!context.json())
    for (const Remapped::Change& change : done.changes)
      context.out().line("plan.md:" + std::to_string(change.line) + ": " + printable(change.from) +
                         " -> " + printable(change.to));
  for (const Remapped::Left& left : done.left)
    if (const Reference& written = left.reference.mention.reference;
        !written.task.empty() && std::ranges::find(asked.paths, written.path) != asked.paths.end())
      return error(ErrorCode::kRefused,
                   written.path + " is stale still: " + left.why + "; nothing is answered",
                   "git plan check " + view.id + " --fix");
  return {};
}

struct Answer {
  std::string option, text;
  int minutes = 0;
  bool done = false;  // of `hand`
  bool yes = false;   // of `edit`
};

// Opens the tree for `hand`; true when the answer is not there yet.
Result<bool> opens_tree(Context& context, const PlanView& view, const PlanFacts& facts,
                        const DecisionAsked& asked, const Answer& answer) {
  if (answer.option != "hand" || answer.done) return false;
  GITPLAN_TRY_ASSIGN(const HandMerge merge, open_hand_merge(context, view, facts, asked));
  Output& out = context.out();
  if (context.json()) {
    out.line(json_text({{"schema", 1},
                        {"plan", view.id},
                        {"decision", asked.decision},
                        {"option", answer.option},
                        {"recorded", false},
                        {"worktree", merge.tree},
                        {"conflicts", merge.conflicts}}));
    return true;
  }
  out.line((merge.opened ? "Opened a worktree with both sides merged: "
                         : "The worktree is open already: ") +
           merge.tree);
  for (const std::string& path : merge.conflicts) out.line("  in conflict: " + printable(path));
  out.line("When they are solved: " + resolve_command(view.id, asked.decision, "hand") + " --done");
  return true;
}

// `view` answers nothing.
Status show_meetings(Context& context, const PlanView& view, const DecisionAsked& asked) {
  GITPLAN_TRY_ASSIGN(const std::vector<Meeting> met, meetings_of(context, view.id, asked));
  if (context.json())
    context.out().line(json_text({{"schema", 1},
                                  {"plan", view.id},
                                  {"decision", asked.decision},
                                  {"option", "view"},
                                  {"recorded", false},
                                  {"meetings", meetings_json(met)}}));
  else
    context.out().print(meetings_text(context.out(), met));
  return {};
}

Result<int> record(Context& context, const PlanView& view, const PlanFacts& facts,
                   const DecisionAsked& asked, Answer answer) {
  GITPLAN_TRY(check_option(view, asked, answer.option));
  if (answer.option == "view") {
    GITPLAN_TRY(show_meetings(context, view, asked));
    return 0;
  }
  GITPLAN_TRY(check_branch(context, answer.option));
  if (answer.option == "approve") GITPLAN_TRY(need_person(context, "approving", view.id));
  GITPLAN_TRY_ASSIGN(const bool later, opens_tree(context, view, facts, asked, answer));
  if (later) return 0;
  if (answer.option == "hand") {
    GITPLAN_TRY_ASSIGN(answer.text, finish_hand_merge(context, view, facts, asked));
  } else if (answer.option == "message" && answer.text.empty()) {
    GITPLAN_TRY_ASSIGN(answer.text, edited_message(context, view, asked));
  } else if (answer.option == "edit") {
    GITPLAN_TRY(edit_plan(context, view.id, answer.yes));
  } else if (answer.option == "fix") {
    GITPLAN_TRY(fix_references(context, view, asked));
  }
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  const auto decide = [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies.push_back(
        DecisionResolved{asked.decision, answer.option, answer.text, answer.minutes});
    return change;
  };
  if (Result<PlanView> done = store->change(view.id, decide); !done.ok())
    return std::move(done).error();
  Output& out = context.out();
  if (context.json())
    out.line(json_text({{"schema", 1},
                        {"plan", view.id},
                        {"decision", asked.decision},
                        {"option", answer.option},
                        {"recorded", true}}));
  else
    out.line("Answered decision " + asked.decision + " of '" + view.id + "': " + answer.option +
             ".");
  if (answer.option == "hand") {
    if (Status closed = close_hand_merge(context, facts, asked); !closed.ok())
      out.warning(closed.error().message + "; 'git plan gc' removes it");
  }
  return 0;
}

// The command that goes on, where nobody is at work who would.
void say_next(Context& context, const PlanView& view, const PlanFacts& facts) {
  Output& out = context.out();
  if (RunLock::holder(facts.dir))
    out.note("Run " + facts.holder.value_or(RunHolder{}).run + " goes on with it.");
  else if (view.ledger.state != PlanState::kAborted)
    out.note("Go on" + go_on(view));
}

int print_json(Context& context, const PlanView& view, const PlanFacts& facts) {
  nlohmann::ordered_json decisions = nlohmann::ordered_json::array();
  for (const Decision* decision : open_decisions(view.ledger))
    decisions.push_back(decision_json(view.ledger, decision->asked, facts.dir));
  const bool any = !decisions.empty();
  context.out().line(
      json_text({{"schema", 1}, {"plan", view.id}, {"decisions", std::move(decisions)}}));
  return any ? exit_status(ErrorCode::kDecision) : 0;
}

Result<int> ask_all(Context& context, PlanView view, const PlanFacts& facts, bool yes) {
  if (context.json()) return print_json(context, view, facts);
  Output& out = context.out();
  const std::vector<const Decision*> open = open_decisions(view.ledger);
  if (open.empty()) {
    out.note("Plan '" + view.id + "' has no open decision.");
    return 0;
  }
  bool left = false;
  std::vector<DecisionAsked> all;
  for (const Decision* decision : open) all.push_back(decision->asked);
  for (const DecisionAsked& asked : all) {
    if (!context.interactive()) {
      out.print(decision_panel(out, view.id, view.ledger, asked, facts.dir));
      left = true;
      continue;
    }
    out.print(decision_panel(out, view.id, view.ledger, asked, facts.dir, false));
    std::optional<Choice> choice = ask_decision(out, asked);
    while (choice && choice->key == "view") {
      GITPLAN_TRY(show_meetings(context, view, asked));
      choice = ask_decision(out, asked);
    }
    if (!choice) {
      left = true;
      continue;
    }
    left = left || choice->key == "hand";  // it is answered when the work there is done
    Answer answer{choice->key, choice->text, choice->minutes};
    answer.yes = yes;
    GITPLAN_TRY_ASSIGN(const int status, record(context, view, facts, asked, std::move(answer)));
    if (status != 0) return status;
  }
  if (left) return exit_status(ErrorCode::kDecision);
  say_next(context, view, facts);
  return 0;
}

Result<int> resolve(Context& context, const Arguments& arguments) {
  GITPLAN_TRY_ASSIGN(PlanView view, context.plan(*arguments.positional(0)));
  GITPLAN_TRY_ASSIGN(const PlanFacts facts, plan_facts(context, view));
  const std::vector<std::string> words = arguments.positionals(1);
  const bool yes = arguments.has("--yes");
  if (words.empty()) return ask_all(context, std::move(view), facts, yes);
  if (words.size() > 2)
    return error(ErrorCode::kUsage, "too many words: '" + words[2] + "'",
                 "git plan resolve <plan> [<decision>|<task>] <option>");
  const std::string& option = words.back();
  Result<const Decision*> found =
      words.size() == 2 ? find_decision(view, words[0]) : only_decision(view, option);
  if (!found.ok()) return std::move(found).error();
  const DecisionAsked asked = (*found)->asked;
  Answer answer{option, arguments.value("--message").value_or("")};
  answer.done = arguments.has("--done");
  if (answer.done && option != "hand")
    return error(ErrorCode::kUsage, "option '--done' belongs to 'hand'");
  answer.yes = yes;
  if (answer.yes && option != "edit")
    return error(ErrorCode::kUsage, "option '--yes' belongs to 'edit'");
  if (const auto minutes = arguments.value("--minutes")) {
    if (option != "longer")
      return error(ErrorCode::kUsage, "option '--minutes' belongs to 'longer'");
    GITPLAN_TRY_ASSIGN(answer.minutes, count_of("--minutes", *minutes, 100000));
  }
  const bool only_opens = (option == "hand" && !answer.done) || option == "view";
  GITPLAN_TRY_ASSIGN(const int status, record(context, view, facts, asked, std::move(answer)));
  if (status == 0 && !only_opens) {
    GITPLAN_TRY_ASSIGN(Store * store, context.store());
    GITPLAN_TRY_ASSIGN(view, store->load(view.id));
    say_next(context, view, facts);
  }
  return status;
}

}  // namespace

const CommandInfo kResolveCommand{
    .name = "resolve",
    .summary = "Answer a decision that a run waits for",
    .usage =
        "git plan resolve <plan> [<decision>|<task>] <option> [--minutes <n>] [-m <text>]\n"
        "                        [--done] [--yes] [--json]\n"
        "       git plan resolve <plan> [--json]",
    .group = Group::kWork,
    .inside_task = false,
    .json = true,
    .options = {{.name = "--minutes",
                 .argument = "<n>",
                 .help = "the time that 'longer' gives; without it twice what it had"},
                {.name = "--message",
                 .letter = "-m",
                 .argument = "<text>",
                 .help = "the message for 'message', a reason for other options"},
                {.name = "--done", .help = "of 'hand': take what was merged in the worktree"},
                {.name = "--yes",
                 .letter = "-y",
                 .help = "of 'edit': do not ask before the change is written"}},
    .positionals = {{.name = "<plan>", .completes = Completes::kPlan},
                    {.name = "<decision>",
                     .required = false,
                     .repeatable = true,
                     .completes = Completes::kDecision}},
    .run = resolve,
};

}  // namespace gitplan
