#include "git-plan/view/decision_panel.h"

#include <fmt/format.h>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/verify_log.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

constexpr std::size_t kLogLines = 8;

// "  label    text", further lines of the text below its first.
void field(const Output& out, std::string& panel, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  std::string clean = printable(text);
  while (clean.ends_with('\n')) clean.pop_back();
  std::size_t begin = 0;
  bool first = true;
  while (begin <= clean.size()) {
    const std::size_t end = std::min(clean.find('\n', begin), clean.size());
    const std::string head = fmt::format("  {:<8}", first ? label : std::string_view());
    panel += out.styled(Style::kDim, head) + clean.substr(begin, end - begin) + "\n";
    begin = end + 1;
    first = false;
  }
}

}  // namespace

std::vector<std::string> decision_log(const Ledger& ledger, const DecisionAsked& asked,
                                      const std::string& plan_dir) {
  if (asked.kind == "verify_failed")
    return last_lines(verify_log_path(plan_dir, asked.wave), kLogLines);
  const Attempt* last = asked.task.empty() ? nullptr : ledger.task(asked.task).last();
  if (last == nullptr || !asked.conflicts.empty()) return {};
  return last_log_lines(attempt_dir(plan_dir, asked.task, last->id), kLogLines);
}

std::string resolve_command(std::string_view plan, std::string_view decision,
                            std::string_view option) {
  std::string command = fmt::format("git plan resolve {} {} {}", plan, decision, option);
  if (option == "message") command += " -m <text>";
  return command;
}

std::string decision_panel(const Output& out, std::string_view plan, const Ledger& ledger,
                           const DecisionAsked& asked, const std::string& plan_dir,
                           bool with_options) {
  std::string title = fmt::format("Decision {}: {}", asked.decision, spoken(asked.kind));
  if (!asked.task.empty()) title += ", task " + asked.task;
  if (asked.task.empty() && asked.wave > 0) title += fmt::format(", wave {}", asked.wave);
  std::string panel = out.styled(Style::kWarn, printable(title)) + "\n";
  if (with_options) field(out, panel, "what", asked.what);
  std::string log;
  for (const std::string& line : decision_log(ledger, asked, plan_dir))
    log += "| " + one_line(line, std::max(20, out.width() - 14)) + "\n";
  if (!log.empty() && asked.kind == "verify_failed")
    log += fmt::format("all of it: git plan output {} --verify\n", plan);
  field(out, panel, "log", log);
  if (!with_options) return panel;
  field(out, panel, "why", asked.why);
  field(out, panel, "impact", asked.impact);
  if (asked.options.empty()) return panel;
  Table options({"", "", ""});
  std::string refused;
  for (const DecisionOption& option : asked.options) {
    if (option.disabled.empty())
      options.row({{option.key, Style::kBold},
                   {option.label},
                   {resolve_command(plan, asked.decision, option.key), Style::kAccent}});
    else
      refused += fmt::format("    {}: not possible, {}\n", printable(option.key),
                             printable(option.disabled));
  }
  return panel + "  " + out.styled(Style::kDim, "options") + "\n" + options.render(out, 4) +
         refused;
}

}  // namespace gitplan
