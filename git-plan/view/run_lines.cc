#include "git-plan/view/run_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ledger/readiness.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

std::string padded(std::string_view text, int width) {
  std::string result(text);
  result.append(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return result;
}

int skipped(const Plan& plan, const Ledger& ledger) {
  return static_cast<int>(std::count_if(
      plan.tasks().begin(), plan.tasks().end(),
      [&](const Task& task) { return ledger.task(task.name).status == TaskStatus::kSkipped; }));
}

}  // namespace

std::string done_text(const Plan& plan, const Ledger& ledger) {
  const Progress done = progress(plan, ledger);
  const int left_out = skipped(plan, ledger);
  std::string text = fmt::format("{} of {} done", done.done - left_out,
                                 counted(static_cast<std::size_t>(done.total), "task"));
  if (left_out > 0) text += fmt::format(", {} skipped", left_out);
  return text;
}

std::string task_line(const Output& out, std::string_view task, int name_width,
                      std::string_view phase, Millis elapsed, std::string_view last_line) {
  std::string line = "  " + out.styled(Style::kBold, padded(printable(task), name_width));
  line += "  " + out.styled(Style::kInfo, padded(phase, 7));
  line += "  " + padded(short_duration(elapsed), 8);
  if (!last_line.empty()) line += "  " + out.styled(Style::kDim, one_line(last_line, 400));
  return line;
}

std::optional<Millis> estimate(const Plan& plan, const Ledger& ledger, Millis now) {
  Millis spent = 0, running_for = 0;
  std::int64_t ended = 0, left = 0;
  for (const Task& task : plan.tasks()) {
    const TaskRecord& record = ledger.task(task.name);
    for (const Attempt& attempt : record.attempts) {
      if (attempt.outcome != "finished") continue;
      spent += attempt.ended - attempt.started;
      ++ended;
    }
    switch (record.status) {
      case TaskStatus::kRunning:
        ++left;
        if (record.last() != nullptr) running_for += now - record.last()->started;
        break;
      case TaskStatus::kPending:
      case TaskStatus::kQueued: ++left; break;
      default: break;
    }
  }
  if (ended == 0 || left == 0) return std::nullopt;
  const Run* run = ledger.run();
  const std::int64_t jobs = std::clamp<std::int64_t>(run != nullptr ? run->jobs : 1, 1, left);
  const Millis whole = spent / ended * left;
  return std::max<Millis>(0, whole - running_for) / jobs;
}

std::string cleaning_line(const Output& out, std::size_t done, std::size_t all) {
  return out.styled(Style::kBold, fmt::format("  removing worktrees: {} of {}", done, all));
}

std::string total_line(const Output& out, const Plan& plan, const Ledger& ledger, int running,
                       Millis now) {
  const Progress done = progress(plan, ledger);
  const int left_out = skipped(plan, ledger);
  std::string line = fmt::format("  {}/{} tasks", done.done - left_out, done.total);
  if (left_out > 0) line += fmt::format(", {} skipped", left_out);
  if (running > 0) line += fmt::format(", {} running", running);
  if (const Run* run = ledger.run()) line += ", " + short_duration(now - run->started);
  if (const auto left = estimate(plan, ledger, now); left && *left >= 1000)
    line += fmt::format(", about {} left", short_duration(*left));
  std::size_t open = 0;
  for (const Decision& decision : ledger.decisions) open += decision.open() ? 1 : 0;
  if (open > 0) line += ", " + counted(open, "decision") + " open";
  return out.styled(Style::kBold, line);
}

}  // namespace gitplan
