// A plan's definition: what plan.md says, as data.
//
// Made by parse_plan() (core/plan/plan_file.h), read by everybody else. Nothing here says how far
// the work is: that is the ledger's (core/ledger/ledger.h). On disk: core/plan/FORMAT.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

enum class Mode { kInline, kClean, kForked };
enum class Schedule { kWave, kEager };
enum class Isolation { kBranch, kOptimistic };
enum class Backoff { kExponential, kLinear, kFixed };
enum class Checkpoint { kNone, kHumanVerify, kDecision, kHumanAction };
enum class Complexity { kTrivial, kModerate, kComplex };

struct Position {
  int line = 0;    // 1-based, in plan.md; 0: not written there
  int column = 0;  // 1-based, in bytes
};

struct Task {
  std::string name;
  std::string description;
  std::string run;  // a shell command; empty: the role's agent plays the task
  std::string role = "builder";
  std::string agent;  // empty: plan.role.<role>.agent, then plan.agent
  std::vector<std::string> fallback;
  std::optional<Mode> mode;            // unset: orchestration.default_mode
  std::optional<Isolation> isolation;  // unset: orchestration.isolation
  std::vector<std::string> depends_on;
  std::vector<std::string> files;  // scope: git pathspecs
  bool approval_gate = false;
  Checkpoint checkpoint = Checkpoint::kNone;
  std::optional<int> timeout_minutes;  // wall clock; unset: plan.taskTimeout
  std::optional<int> idle_minutes;     // no output and no CPU use
  std::string cwd;                     // below the tree's root; empty: the root
  std::vector<std::string> locks;
  std::optional<double> budget_usd;
  std::vector<std::string> inputs;
  std::vector<std::string> expects;
  std::vector<std::string> checks;
  bool allow_no_change = false;
  std::string contract;
  std::string exit_criteria;
  std::optional<Complexity> complexity;
  bool ci_risk = false;
  bool migration = false;

  Position position;                     // of the task's first key
  std::map<std::string, Position> keys;  // where each written key stands
  std::string text_hash;                 // of the task's canonical form: says whether it changed
};

struct WaitsFor {
  std::string plan;
  std::vector<std::string> tasks;  // empty: the whole plan
};

struct Retry {
  int max_attempts = 3;  // transient failures only
  Backoff backoff = Backoff::kExponential;
};

struct Orchestration {
  Mode default_mode = Mode::kInline;
  Schedule schedule = Schedule::kWave;
  Isolation isolation = Isolation::kBranch;
  std::optional<int> max_forks;  // unset: plan.maxForks
  bool team = false;
  Retry retry;
  std::optional<WaitsFor> waits_for;
  std::vector<std::string> setup;
  std::vector<std::string> teardown;
  std::vector<std::string> copy;
  std::vector<std::string> verify;
  std::optional<double> budget_usd;
  std::vector<Task> tasks;

  std::map<std::string, Position> keys;
};

struct Intent {
  std::string goal;
  std::vector<std::string> non_goals;
  std::vector<std::string> constraints;
  std::vector<std::string> acceptance_criteria;
};

struct Plan {
  std::string title;
  std::vector<std::string> tags;
  std::optional<int> ttl_days;  // unset: plan.ttlDays
  std::optional<Intent> intent;
  std::string plan_mode;           // "", direct, execution_plan, decision_rfc
  std::string verification_rigor;  // "", standard, critical_path
  std::vector<std::string> open_decisions;
  std::vector<std::string> approved_decisions;
  std::vector<std::string> differences_from_agreement;
  std::optional<Orchestration> orchestration;

  // Wishes for `create`; afterwards the ref and the ledger decide, a differing id is an error where
  // it is used.
  std::string id;
  std::string naming;
  std::string from;

  std::string body;                      // the Markdown after the front matter
  int body_line = 1;                     // where it starts in the file
  std::map<std::string, Position> keys;  // top-level keys, and "orchestration.<key>"

  const std::vector<Task>& tasks() const {
    static const std::vector<Task> kNone;
    return orchestration ? orchestration->tasks : kNone;
  }
  const Task* find(std::string_view name) const {
    for (const auto& task : tasks())
      if (task.name == name) return &task;
    return nullptr;
  }
  Mode mode_of(const Task& task) const {
    return task.mode.value_or(orchestration ? orchestration->default_mode : Mode::kInline);
  }
  Isolation isolation_of(const Task& task) const {
    return task.isolation.value_or(orchestration ? orchestration->isolation : Isolation::kBranch);
  }
  // In the user's own working tree, instead of a worktree of its own.
  bool in_place(const Task& task) const {
    return mode_of(task) != Mode::kForked || optimistic(task);
  }
  // In place, and beside others whose declared scopes do not meet its own.
  bool optimistic(const Task& task) const {
    return mode_of(task) == Mode::kForked && isolation_of(task) == Isolation::kOptimistic;
  }
};

std::string_view name(Mode mode);
std::string_view name(Schedule schedule);
std::string_view name(Isolation isolation);
std::string_view name(Backoff backoff);
std::string_view name(Checkpoint checkpoint);
std::string_view name(Complexity complexity);

}  // namespace gitplan
