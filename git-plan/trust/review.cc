// What a person reads before a plan is trusted.
#include <algorithm>

#include "core/plan/plan_file.h"
#include "git-plan/trust/trust.h"
#include "git-plan/trust/trust_file.h"

namespace gitplan {
namespace {

std::string one(const PlanCommand& command) {
  return command.where + (command.agent ? " (agent): " : ": ") + one_line(command.text, 200);
}

bool same(const PlanCommand& a, const PlanCommand& b) {
  return a.where == b.where && a.text == b.text && a.agent == b.agent;
}

// Those of `all` that are not in `others`.
std::vector<std::string> missing(const std::vector<PlanCommand>& all,
                                 const std::vector<PlanCommand>& others, std::string_view word) {
  std::vector<std::string> lines;
  for (const PlanCommand& command : all)
    if (std::none_of(others.begin(), others.end(),
                     [&](const PlanCommand& other) { return same(command, other); }))
      lines.push_back(std::string(word) + one(command));
  return lines;
}

}  // namespace

Result<TrustChange> changed_since_trusted(Context& context, const PlanView& view) {
  TrustChange change;
  GITPLAN_TRY_ASSIGN(const TrustFile file, TrustFile::of(context, view));
  if (file.lines().empty()) return change;
  change.known = true;
  const std::string& definition = file.lines().back().definition;
  if (view.definition != definition) {
    GITPLAN_TRY_ASSIGN(Store * store, context.store());
    const Result<std::string> text = store->blob(definition);
    Result<ParsedPlan> before =
        text ? parse_plan(*text) : Result<ParsedPlan>(failed("the trusted version is gone"));
    const std::vector<PlanCommand> now = commands_of(view.plan);
    const std::vector<PlanCommand> then =
        before ? commands_of(before->plan) : std::vector<PlanCommand>();
    for (std::string& line : missing(now, then, "new: ")) change.lines.push_back(std::move(line));
    for (std::string& line : missing(then, now, "gone: ")) change.lines.push_back(std::move(line));
    if (change.lines.empty())
      change.lines.push_back("the text (the commands are the same); 'git plan diff " + view.id +
                             "' shows it");
  } else {
    change.lines.push_back("outputs or findings that another clone left");
  }
  return change;
}

Result<std::string> why_not_trusted(Context& context, const PlanView& view) {
  GITPLAN_TRY_ASSIGN(const TrustFile file, TrustFile::of(context, view));
  GITPLAN_TRY_ASSIGN(Store * store, context.store());
  if (file.revoked() != 0)
    return "trust in this plan was revoked here on " + date_of(file.revoked());
  GITPLAN_TRY_ASSIGN(const std::vector<Event> events, store->journal(view.id));
  if (file.lines().empty()) {
    const auto created = std::find_if(events.begin(), events.end(), [](const Event& event) {
      return std::holds_alternative<PlanCreated>(event.body);
    });
    const bool here = created != events.end() && created->actor == store->actor();
    const std::string from = here ? std::get<PlanCreated>(created->body).from : std::string();
    if (from.empty()) return std::string("this plan was not created here");
    return "this plan was copied from '" + from + "', which was not read here";
  }
  if (view.definition == file.lines().back().definition)
    return std::string(
        "outputs that another clone left came to this plan since it was trusted here");
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const auto* changed = std::get_if<DefinitionChanged>(&event->body);
    if (changed == nullptr) continue;
    if (changed->definition == file.lines().back().definition) break;
    if (event->actor != store->actor())
      return std::string("another clone changed this plan since it was trusted here");
    if (changed->reason.starts_with("task "))
      return changed->reason + " changed this plan since it was trusted here";
  }
  return std::string("this plan was changed since it was trusted here");
}

Status show_for_trust(Context& context, const PlanView& view) {
  Output& out = context.out();
  const std::vector<PlanCommand> commands = commands_of(view.plan);
  out.line(out.styled(Style::kBold, printable(view.plan.title)) + " (" + view.id + ")");
  out.line(commands.empty() ? "It would run nothing." : "It would run:");
  for (const PlanCommand& command : commands) {
    out.line("  " + out.styled(Style::kInfo, printable(command.where)) +
             (command.agent ? ", by an agent:" : ":"));
    std::string text = printable(command.text);
    while (text.ends_with('\n')) text.pop_back();
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out.line("    " + text.substr(at, end - at));
      at = end + 1;
    }
  }
  GITPLAN_TRY_ASSIGN(const TrustChange change, changed_since_trusted(context, view));
  if (!change.known) return {};
  out.line("Changed since it was trusted here:");
  for (const std::string& line : change.lines) out.line("  " + printable(line));
  return {};
}

}  // namespace gitplan
