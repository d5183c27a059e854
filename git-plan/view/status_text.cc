#include <fmt/format.h>

#include <algorithm>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/view/attempt_log.h"
#include "git-plan/view/decision_panel.h"
#include "git-plan/view/run_lines.h"
#include "git-plan/view/status_view.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

std::string header(const Output& out, const PlanView& view, const PlanFacts& facts, Millis now) {
  const Ledger& ledger = view.ledger;
  std::string text = out.styled(Style::kBold, view.id) + ": ";
  // The journal of a killed run still says "running".
  const bool lost = ledger.state == PlanState::kRunning && !facts.holder;
  text += out.styled(lost ? Style::kWarn : style_of(ledger.state),
                     lost ? "interrupted" : spoken(name(ledger.state)));
  if (facts.progress.total > 0) text += ", " + done_text(view.plan, ledger);
  if (facts.stale) text += ", " + out.styled(Style::kWarn, "stale");
  text += "\n  " + printable(view.plan.title) + "\n";
  const bool past = ledger.run() != nullptr && !facts.holder;
  std::string where = !facts.target.empty() ? "for " + branch_name(facts.target)
                      : past                ? "for no branch: HEAD was detached"
                                            : "no branch: HEAD is detached";
  if (facts.holder)
    where += fmt::format(", run {} since {} (process {})", facts.holder->run,
                         moment(facts.holder->since, now), facts.holder->pid);
  else if (const Run* run = ledger.run(); run != nullptr && !run->landed_commit.empty())
    where += fmt::format(", landed as {}", short_id(run->landed_commit));
  else if (!facts.integration.empty())
    where += ", not landed: " + branch_name(facts.integration);
  text += "  " + printable(where) + "\n";
  if (lost)
    text += "  " + out.styled(Style::kWarn, "its executor is gone") + "; 'git plan execute " +
            view.id + "' goes on\n";
  for (const RewrittenWave& wave : facts.rewritten) text += "  " + printable(words(wave)) + "\n";
  if (!facts.waiting.empty())
    text += "  " + out.styled(Style::kWarn, "waits: " + one_line(facts.waiting, 400)) + "\n";
  return text;
}

Cell status_cell(const TaskRecord& record, const TaskView& view) {
  return {status_word(record.status, view.readiness), style_of(record.status, view.readiness)};
}

std::string why_text(const TaskRecord& record, const TaskView& view) {
  std::vector<std::string> reasons = view.reasons;
  if (record.status == TaskStatus::kSkipped && reasons.empty() && !record.reason.empty())
    reasons.push_back(record.reason);
  return joined(reasons, "; ");
}

std::string time_text(const TaskRecord& record, Millis now) {
  const Attempt* last = record.last();
  if (last == nullptr) return {};
  if (last->ended != 0) return short_duration(last->ended - last->started);
  return record.status == TaskStatus::kRunning ? short_duration(now - last->started) : "";
}

std::string waves_text(const Output& out, const Ledger& ledger) {
  Table table({"", "", "", ""});
  for (const Wave& wave : ledger.waves) {
    if (wave.phase == WavePhase::kAbandoned) continue;
    const bool over = wave.phase == WavePhase::kCompleted;
    std::string state = !over                 ? std::string(name(wave.phase))
                        : wave.commit.empty() ? "unchanged"
                                              : short_id(wave.commit);
    std::string rest;
    if (!wave.failed_command.empty())
      rest = (wave.accepted ? "verify failed and accepted: " : "verify failed: ") +
             wave.failed_command;
    table.row({{std::to_string(wave.number)},
               {std::move(state), over ? Style::kGood : Style::kInfo},
               {joined(wave.tasks)},
               {std::move(rest), Style::kWarn}});
    for (const AutoMerge& merge : wave.auto_merged)
      table.row({{}, {}, {"auto-merged " + auto_merge_text(merge), Style::kDim}});
  }
  if (table.empty()) return {};
  return "\n" + out.styled(Style::kBold, "Waves") + "\n" + table.render(out);
}

bool worth_watching(const TaskView& view) {
  switch (view.readiness) {
    case Readiness::kReady:
    case Readiness::kQueued:
    case Readiness::kStopped: return true;
    default: return false;
  }
}

}  // namespace

std::string status_text(const Output& out, const PlanView& view, const PlanFacts& facts,
                        const StatusOptions& options, Millis now) {
  std::string text = header(out, view, facts, now);
  Table table({"task", "status", "wave", "time", "why"});
  const std::vector<Task>& tasks = view.plan.tasks();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!options.task.empty() && tasks[i].name != options.task) continue;
    const TaskRecord& record = view.ledger.task(tasks[i].name);
    table.row({{tasks[i].name, Style::kBold},
               status_cell(record, facts.tasks[i]),
               {record.wave > 0 ? std::to_string(record.wave) : ""},
               {time_text(record, now)},
               {why_text(record, facts.tasks[i])}});
  }
  if (!table.empty()) text += "\n" + table.render(out);
  if (options.task.empty()) text += waves_text(out, view.ledger);
  for (const Decision& decision : view.ledger.decisions) {
    if (!decision.open()) continue;
    if (!options.task.empty() && decision.asked.task != options.task) continue;
    if (std::ranges::count(facts.moot, decision.asked.decision) > 0) {
      text += printable("\nThe branch '" + branch_name(decision.asked.branch) +
                        "' was gone and is there again: 'git plan execute " + view.id +
                        "' lands on it.\n");
      continue;
    }
    text += "\n" + decision_panel(out, view.id, view.ledger, decision.asked, facts.dir);
  }
  return text;
}

std::vector<std::string> watch_lines(const Output& out, const PlanView& view,
                                     const PlanFacts& facts, Millis now) {
  std::vector<std::string> lines;
  const std::string head = header(out, view, facts, now);
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = head.find('\n', begin);
    lines.push_back(head.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::vector<Task>& tasks = view.plan.tasks();
  int width = 0;
  for (const Task& task : tasks) width = std::max(width, display_width(task.name));
  int running = 0;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TaskRecord& record = view.ledger.task(tasks[i].name);
    const Attempt* last = record.last();
    if (record.status == TaskStatus::kRunning && last != nullptr) {
      ++running;
      const auto log = last_log_lines(attempt_dir(facts.dir, tasks[i].name, last->id), 1);
      lines.push_back(task_line(out, tasks[i].name, width, "running", now - last->started,
                                last->by_hand() ? "by hand, lease until " + moment(last->lease, now)
                                : log.empty()   ? std::string()
                                                : log.back()));
    } else if (worth_watching(facts.tasks[i])) {
      const Cell cell = status_cell(record, facts.tasks[i]);
      others.push_back("  " + fmt::format("{:<{}}", tasks[i].name, width) + "  " +
                       out.styled(cell.style, cell.text) + "  " +
                       one_line(why_text(record, facts.tasks[i]), 400));
    }
  }
  lines.insert(lines.end(), others.begin(), others.end());
  lines.push_back(total_line(out, view.plan, view.ledger, running, now));
  return lines;
}

std::string overview_text(const Output& out, const std::vector<PlanRow>& rows, Millis now) {
  Table table({"plan", "state", "done", "run", "decisions", "title"});
  for (const PlanRow& row : rows) {
    const bool lost = row.summary.state == PlanState::kRunning && !row.holder;
    table.row({{row.summary.id, Style::kBold},
               lost ? Cell{"interrupted", Style::kWarn}
                    : Cell{spoken(name(row.summary.state)), style_of(row.summary.state)},
               {fmt::format("{}/{}", row.summary.done, row.summary.total)},
               {row.holder ? "since " + moment(row.holder->since, now) +
                                 (row.waiting.empty() ? "" : ", waits")
                           : ""},
               {row.decisions > 0 ? std::to_string(row.decisions) : "", Style::kWarn},
               {row.summary.title}});
  }
  return table.render(out, 0);
}

}  // namespace gitplan
