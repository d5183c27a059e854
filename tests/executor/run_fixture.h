// Runs plans in a real repository, with the scripted agent, in this process or in one that can be
// killed.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git-plan/executor/executor.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {

// Remembers what a run said.
class Listener : public Observer {
 public:
  void on_event(const Event& event, const Ledger& ledger, const Plan& plan) override;
  void on_progress(const std::vector<TaskProgress>& tasks, const Ledger& ledger,
                   const Plan& plan) override;
  void on_wait(std::string_view reason) override;
  void on_cleaning(std::size_t done, std::size_t all, Millis since) override;
  void on_warning(std::string_view text) override;
  void on_note(std::string_view text) override;
  void on_terminal(bool lent) override;
  Question on_decision(const DecisionAsked& decision) override;

  std::vector<std::string> events;  // "attempt_started core"
  std::vector<std::string> warnings, notes, waits;
  std::vector<DecisionAsked> questions;
  std::vector<std::pair<std::size_t, std::size_t>> cleaned;  // done, of all
  std::vector<std::string> lines;  // the last line of whatever was seen at work
  // Answers a question; unset: later.
  std::function<std::optional<DecisionResolved>(const DecisionAsked&, int give_up)> answer;
  std::function<void(const Event&)> when;  // called with each event
};

class RunTest : public ::testing::Test {
 protected:
  RunTest();

  // A plan of these tasks: YAML of the list, indented by four. `more`: further lines of
  // orchestration.
  void make_plan(const std::string& tasks, const std::string& more = {});
  // A task played by the scripted agent, with directives for it.
  static std::string task(const std::string& name, const std::vector<std::string>& after,
                          const std::vector<std::string>& directives, const std::string& more = {});

  Result<RunResult> execute(ExecuteOptions options = {});
  // The same in a child process; returns its pid. It exits with 0 where the outcome is "completed".
  pid_t execute_in_child();
  PlanView view();
  // The one decision that is open; it stays valid until the next call.
  const Decision& only_open();

  std::string attempt_dir_of(const std::string& task);             // of its last attempt
  std::vector<std::string> subjects(const std::string& revision);  // newest first
  void until(const std::function<bool()>& condition) const;
  // No worktree, branch, process or lock of a run is left.
  void expect_clean();

  TempRepo repo_;
  Listener listener_;
  std::string id_ = "plan-under-test";
  PlanView view_;  // as only_open() saw it
};

}  // namespace gitplan::test
