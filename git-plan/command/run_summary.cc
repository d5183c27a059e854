#include "git-plan/command/run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/run_lines.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

bool has_open_decision(const Ledger& ledger) {
  for (const Decision& decision : ledger.decisions)
    if (decision.open()) return true;
  return false;
}

const Run* run_of(const RunResult& result) {
  for (const Run& run : result.view.ledger.runs)
    if (run.id == result.run) return &run;
  return nullptr;
}

Style style_of_outcome(const std::string& outcome) {
  if (outcome == "completed" || outcome == "partial") return Style::kGood;
  return outcome == "paused" ? Style::kWarn : Style::kBad;
}

// What the tasks that were not asked for leave to do.
std::string tasks_left(const RunResult& result) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> left;
  for (const Task& task : result.view.plan.tasks()) {
    const TaskStatus status = result.view.ledger.task(task.name).status;
    if (status != TaskStatus::kCompleted && status != TaskStatus::kSkipped)
      left.push_back(task.name);
  }
  const std::size_t count = left.size();
  if (count == 0) return {};
  if (count > kNamed) {
    left.resize(kNamed);
    left.push_back("…");
  }
  return counted(count, "task") + " left: " + joined(left) + ". ";
}

// Trees and branches of attempts that failed stay for a look, also when the plan is over.
std::string left_for_a_look(const RunResult& result, const Repository& repository,
                            const std::string& plan_dir) {
  std::string text;
  for (const Task& task : result.view.plan.tasks()) {
    const TaskRecord& record = result.view.ledger.task(task.name);
    for (const Attempt& attempt : record.attempts) {
      if (attempt.outcome == "finished") continue;
      std::vector<std::string> places;
      const std::string tree = attempt_tree(attempt_dir(plan_dir, task.name, attempt.id));
      if (!tree.empty()) places.push_back(tree);
      const auto branch = repository.ref(attempt.branch);
      if (&attempt == record.last() && branch && *branch)
        places.push_back("branch " + branch_name(attempt.branch));
      if (!places.empty())
        text +=
            printable(fmt::format("  {}, attempt {}: {}\n", task.name, attempt.id, joined(places)));
    }
  }
  if (text.empty()) return {};
  return "Left for a look; 'git plan gc' removes it when it is older than plan.gcAge:\n" + text;
}

// Waves whose commits are on the integration branch alone. They stand on each other.
std::vector<int> waves_not_landed(const Ledger& ledger, const Repository& repository) {
  std::vector<int> waves;
  for (auto wave = ledger.waves.rbegin(); wave != ledger.waves.rend(); ++wave) {
    if (wave->phase != WavePhase::kCompleted || wave->commit.empty()) continue;
    const bool landed = std::any_of(ledger.runs.begin(), ledger.runs.end(), [&](const Run& run) {
      return !run.landed_commit.empty() && repository.is_ancestor(wave->commit, run.landed_commit);
    });
    if (landed) break;
    waves.insert(waves.begin(), wave->number);
  }
  return waves;
}

std::string not_landed_text(const RunResult& result, const Repository& repository) {
  const std::vector<int> waves = waves_not_landed(result.view.ledger, repository);
  if (waves.empty()) return {};
  std::string which = waves.size() == 1 ? "wave " : "waves ";
  which += std::to_string(waves.front());
  if (waves.size() > 1)
    which += (waves.size() == 2 ? " and " : " to ") + std::to_string(waves.back());
  return "Not landed: " + which + ", on plan/" + result.view.id + "/integration.\n";
}

std::string next_step(const RunResult& result, const Run* run) {
  const std::string& id = result.view.id;
  const std::string integration = "plan/" + id + "/integration";
  if (result.outcome == "completed") {
    const bool made = std::any_of(result.view.ledger.waves.begin(), result.view.ledger.waves.end(),
                                  [](const Wave& wave) { return !wave.commit.empty(); });
    if (run != nullptr && run->landed_commit.empty() && made)
      return "Not landed. Take it with 'git merge " + integration + "'.";
    return "What each task left: git plan output " + id;
  }
  if (result.outcome == "partial") return tasks_left(result) + "Go on: git plan execute " + id;
  return (has_open_decision(result.view.ledger) ? "Answer, then go on" : "Go on") +
         go_on(result.view);
}

}  // namespace

std::string go_on(const PlanView& view) {
  const auto stopped = [&](const Task& task) {  // and only --resume starts it again
    const TaskRecord& record = view.ledger.task(task.name);
    if (view.ledger.has_open_decision(task.name)) return false;
    if (record.status == TaskStatus::kCancelled) return true;
    const bool failed =
        record.status == TaskStatus::kFailed || record.status == TaskStatus::kTimedOut;
    return failed && record.reason.empty();  // else an answer left it out of a wave
  };
  const std::string command = "git plan execute " + view.id;
  return std::ranges::any_of(view.plan.tasks(), stopped)
             ? ", and start what was stopped again: " + command + " --resume"
             : ": " + command;
}

std::string run_summary(const Output& out, const RunResult& result, const Repository& repository,
                        const std::string& plan_dir) {
  const Ledger& ledger = result.view.ledger;
  const Run* run = run_of(result);
  std::string text = "\n" + out.styled(Style::kBold, result.view.id) + ": " +
                     out.styled(style_of_outcome(result.outcome), outcome_text(result.outcome)) +
                     ", " + done_text(result.view.plan, ledger);
  if (run != nullptr && run->ended != 0) text += ", " + short_duration(run->ended - run->started);
  text += "\n";
  Table waves({"", "", ""});
  for (const Wave& wave : ledger.waves) {
    if (wave.run != result.run || wave.phase != WavePhase::kCompleted) continue;
    waves.row({{fmt::format("wave {}", wave.number)},
               {wave.commit.empty() ? "unchanged" : short_id(wave.commit), Style::kAccent},
               {joined(wave.tasks)}});
  }
  text += waves.render(out);
  // What stopped it, where no decision says so.
  if (run != nullptr && result.outcome == "paused" && !run->reason.empty() &&
      !has_open_decision(ledger) && run->control.empty())
    text += printable(run->reason) + ".\n";
  if (run != nullptr && !run->landed_commit.empty())
    text += fmt::format("Landed on {} as {}.\n", branch_name(run->landed_branch),
                        short_id(run->landed_commit));
  // next_step() says it of a plan that is completed.
  if (result.outcome != "completed" || (run != nullptr && !run->landed_commit.empty()))
    text += not_landed_text(result, repository);
  if (result.outcome == "completed") text += left_for_a_look(result, repository, plan_dir);
  if (!result.interrupted && has_open_decision(ledger)) {
    for (const Decision& decision : ledger.decisions)
      if (decision.open())
        text += "\n" + decision_panel(out, result.view.id, ledger, decision.asked, plan_dir);
    text += "\n";
  }
  return text + next_step(result, run) + "\n";
}

int run_exit_status(const RunResult& result) {
  if (result.outcome == "completed" || result.outcome == "partial") return 0;
  const Run* run = run_of(result);
  if (result.interrupted || (run != nullptr && !run->control.empty()))
    return exit_status(ErrorCode::kInterrupted);
  if (has_open_decision(result.view.ledger)) return exit_status(ErrorCode::kDecision);
  if (result.outcome == "paused" || result.outcome == "aborted")
    return exit_status(ErrorCode::kInterrupted);
  return exit_status(ErrorCode::kFailed);
}

}  // namespace gitplan
