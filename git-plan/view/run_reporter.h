// Tells what a run does: an executor's Observer for `execute`.
//
// On a terminal one live line a running task and a total below the events that scroll by, but for
// the time of a question; in a pipe one line an event. With JSON the events go to standard error,
// so that standard output holds one document.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "git-plan/command/context.h"
#include "git-plan/executor/executor.h"
#include "git-plan/view/live_lines.h"

namespace gitplan {

class RunReporter : public Observer {
 public:
  RunReporter(Context& context, std::string plan, std::string plan_dir);
  ~RunReporter() override;

  void on_event(const Event& event, const Ledger& ledger, const Plan& plan) override;
  void on_progress(const std::vector<TaskProgress>& tasks, const Ledger& ledger,
                   const Plan& plan) override;
  void on_wait(std::string_view reason) override;
  void on_cleaning(std::size_t done, std::size_t all, Millis since) override;
  void on_warning(std::string_view text) override;
  void on_note(std::string_view text) override;
  void on_terminal(bool lent) override;
  Question on_decision(const DecisionAsked& decision) override;

  // Nothing is drawn after this; the summary follows.
  void finish();

 private:
  void say(std::string_view text, Style style);
  void print(std::string_view line);
  std::optional<DecisionResolved> ask(const DecisionAsked& decision, const std::string& details,
                                      int give_up);

  Context& context_;
  std::string plan_, plan_dir_;
  std::unique_ptr<LiveLines> live_;  // only on a terminal
  std::string waiting_;
  bool cleaning_said_ = false;
  // While a question or a task has the terminal, what happens is told behind it.
  std::atomic<bool> asking_ = false;
  std::vector<std::string> held_back_;
  Ledger ledger_;  // when a decision was asked: its panel shows the log of its task
};

}  // namespace gitplan
