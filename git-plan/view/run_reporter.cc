#include "git-plan/view/run_reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "git-plan/terminal/prompt.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/event_lines.h"
#include "git-plan/view/run_lines.h"

namespace gitplan {
namespace {

// Cursor movements mean something there.
bool can_draw(const Context& context) {
  return context.environment("TERM").value_or("dumb") != "dumb";
}

}  // namespace

RunReporter::RunReporter(Context& context, std::string plan, std::string plan_dir)
    : context_(context), plan_(std::move(plan)), plan_dir_(std::move(plan_dir)) {
  if (context_.out().terminal() && !context_.json() && can_draw(context_))
    live_ = std::make_unique<LiveLines>(STDOUT_FILENO);
}

RunReporter::~RunReporter() = default;

void RunReporter::finish() { live_.reset(); }

void RunReporter::say(std::string_view text, Style style) {
  Output& out = context_.out();
  if (context_.json())
    out.note(text);
  else if (live_)
    live_->above(out.styled(style, text));
  else
    out.line(out.styled(style, text));
  if (!live_) std::fflush(stdout);  // a reader of the pipe sees each event when it happens
}

void RunReporter::on_event(const Event& event, const Ledger& ledger, const Plan& plan) {
  // Where nothing is to be verified, everything passes.
  const auto* verified = std::get_if<WaveVerified>(&event.body);
  if (verified != nullptr && verified->passed && plan.orchestration->verify.empty()) return;
  for (const EventLine& line : event_lines(event, ledger)) say(line.text, line.style);
  if (std::holds_alternative<DecisionAsked>(event.body)) ledger_ = ledger;
}

void RunReporter::on_progress(const std::vector<TaskProgress>& tasks, const Ledger& ledger,
                              const Plan& plan) {
  if (!live_) return;
  const Output& out = context_.out();
  const Millis now = context_.now();
  int width = 0;
  for (const TaskProgress& task : tasks) width = std::max(width, display_width(task.task));
  std::vector<std::string> lines;
  for (const TaskProgress& task : tasks)
    lines.push_back(
        task_line(out, task.task, width, task.phase, now - task.started, task.last_line));
  if (!waiting_.empty()) lines.push_back("  " + out.styled(Style::kWarn, waiting_));
  lines.push_back(total_line(out, plan, ledger, static_cast<int>(tasks.size()), now));
  live_->draw(lines);
}

void RunReporter::on_wait(std::string_view reason) {
  const std::string text = one_line(reason, 400);
  if (text == waiting_) return;
  waiting_ = text;
  if (!waiting_.empty()) say("waits: " + waiting_, Style::kWarn);
}

void RunReporter::on_warning(std::string_view text) {
  if (live_)
    live_->above(context_.out().styled(Style::kWarn, "warning: " + one_line(text, 2000)));
  else
    context_.out().warning(one_line(text, 2000));
}

std::optional<DecisionResolved> RunReporter::on_decision(const DecisionAsked& decision) {
  Output& out = context_.out();
  if (live_) live_->clear();
  out.line();
  out.print(decision_panel(out, plan_, ledger_, decision, plan_dir_, /*with_options=*/false));
  const Result<std::optional<Choice>> choice = ask_decision(out, decision);
  if (!choice.ok()) {
    out.error(choice.error(), false);
    return std::nullopt;
  }
  if (!choice->has_value()) {
    out.note("It stays open: git plan resolve " + plan_ + " " + decision.decision);
    return std::nullopt;
  }
  const Choice& chosen = **choice;
  return DecisionResolved{decision.decision, chosen.key, chosen.text, chosen.minutes};
}

}  // namespace gitplan
