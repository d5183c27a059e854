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
  const bool same_heads = view.ledger.heads.size() == 1 && view.ledger.heads.front() == definition;
  if (!same_heads) {
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
