#include "git-plan/view/run_reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "git-plan/terminal/prompt.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/event_lines.h"
#include "git-plan/view/overlap_view.h"
#include "git-plan/view/run_lines.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

constexpr Millis kLongCleaning = 2000;

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

void RunReporter::finish() {
  for (const std::string& line : std::exchange(held_back_, {})) print(line);
  live_.reset();
}

void RunReporter::print(std::string_view line) {
  if (live_)
    live_->above(line);
  else
    context_.out().line(line);
}

void RunReporter::say(std::string_view text, Style style) {
  Output& out = context_.out();
  if (context_.json()) {
    out.note(text);
    return;
  }
  if (asking_) {
    held_back_.push_back(out.styled(style, text));
    return;
  }
  for (const std::string& line : std::exchange(held_back_, {})) print(line);
  print(out.styled(style, text));
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
  if (!live_ || asking_) return;
  for (const std::string& line : std::exchange(held_back_, {})) print(line);
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

// A terminal sees how far it is, what reads a pipe only why nothing comes: where it takes long.
void RunReporter::on_cleaning(std::size_t done, std::size_t all, Millis since) {
  if (all == 0) return;
  if (live_) {
    if (!asking_) live_->draw({cleaning_line(context_.out(), done, all)});
  } else if (!cleaning_said_ && context_.now() - since >= kLongCleaning) {
    cleaning_said_ = true;
    say("removing " + counted(all, "worktree"), Style::kDim);
  }
}

void RunReporter::on_warning(std::string_view text) {
  if (live_)
    say("warning: " + one_line(text, 2000), Style::kWarn);
  else
    context_.out().warning(one_line(text, 2000));
}

void RunReporter::on_note(std::string_view text) { say(one_line(text, 2000), Style::kPlain); }

void RunReporter::on_terminal(bool lent) {
  if (lent && live_) live_->clear();
  asking_ = lent;
}

Observer::Question RunReporter::on_decision(const DecisionAsked& decision) {
  Output& out = context_.out();
  if (live_) live_->clear();
  out.line();
  out.print(decision_panel(out, plan_, ledger_, decision, plan_dir_, /*with_options=*/false));
  asking_ = true;
  std::string details;  // looked up here: the answer comes on another thread
  if (decision.kind == "plan_overlap")
    if (const auto met = meetings_of(context_, plan_, decision)) details = meetings_text(out, *met);
  return [this, decision, details](int give_up) {
    auto answer = ask(decision, details, give_up);
    asking_ = false;
    return answer;
  };
}

std::optional<DecisionResolved> RunReporter::ask(const DecisionAsked& decision,
                                                 const std::string& details, int give_up) {
  Output& out = context_.out();
  std::optional<Choice> choice = ask_decision(out, decision, give_up);
  while (choice && choice->key == "view") {
    out.print(details);
    choice = ask_decision(out, decision, give_up);
  }
  if (!choice) {
    out.note("It stays open: git plan resolve " + plan_ + " " + decision.decision);
    return std::nullopt;
  }
  // What needs an editor or a worktree, or changes the plan, is not for a terminal on which a run
  // is at work.
  if (choice->key == "hand" || choice->key == "edit" || choice->key == "fix") {
    out.note("Do it in another terminal, or when this run has ended: " +
             resolve_command(plan_, decision.decision, choice->key));
    return std::nullopt;
  }
  return DecisionResolved{decision.decision, choice->key, choice->text, choice->minutes};
}

}  // namespace gitplan
