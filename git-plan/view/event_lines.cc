#include "git-plan/view/event_lines.h"

#include <fmt/format.h>

#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Lines = std::vector<EventLine>;

const Attempt* attempt_of(const Ledger& ledger, std::string_view task, std::string_view id) {
  for (const Attempt& attempt : ledger.task(task).attempts)
    if (attempt.id == id) return &attempt;
  return nullptr;
}

struct Teller {
  const Event& event;
  const Ledger& ledger;

  Lines operator()(const RunStarted& e) const {
    std::string text = fmt::format("run {} on {}", e.run, short_id(e.base));
    text +=
        e.target.empty() ? " (HEAD is detached: nothing lands)" : " for " + branch_name(e.target);
    return {{text, Style::kDim}};
  }
  Lines operator()(const RunResumed& e) const {
    return {{fmt::format("run {} goes on", e.run), Style::kDim}};
  }
  Lines operator()(const RunWaits& e) const {
    if (e.reason.empty()) return {{"the other plan is done: the run goes on", Style::kInfo}};
    return {{fmt::format("waits for plan {}: {}", e.plan, e.reason), Style::kWarn}};
  }
  Lines operator()(const BaseTaken&) const { return {}; }  // its start is told
  Lines operator()(const TaskApproved& e) const { return {{e.task + ": approved", Style::kInfo}}; }
  Lines operator()(const ControlRequested& e) const {
    return {{fmt::format("{} was asked for", e.what), Style::kWarn}};
  }
  Lines operator()(const AttemptStarted& e) const {
    const std::size_t number = ledger.task(e.task).attempts.size();
    std::string text = fmt::format("{}: started", e.task);
    if (!e.agent.empty() && e.agent != "run") text += " with " + e.agent;
    if (e.lease > 0)
      text = fmt::format("{}: taken by hand, lease until {}", e.task, moment(e.lease, event.time));
    if (number > 1) text += fmt::format(", attempt {}", number);
    return {{text}};
  }
  Lines operator()(const AttemptRenewed& e) const {
    return {{fmt::format("{}: lease until {}", e.task, moment(e.lease, event.time)), Style::kDim}};
  }
  Lines operator()(const AttemptEnded& e) const {
    const Attempt* attempt = attempt_of(ledger, e.task, e.attempt);
    const Millis started = attempt != nullptr ? attempt->started : event.time;
    std::string text = fmt::format("{}: {} after {}", e.task, spoken(e.outcome),
                                   short_duration(event.time - started));
    const bool good = e.outcome == "finished";
    if (good)
      text += e.paths.empty() ? ", nothing changed"
                              : fmt::format(", {} changed", counted(e.paths.size(), "file"));
    if (!e.error.empty()) text += ": " + e.error;
    Lines lines{{text, good ? Style::kGood : Style::kBad}};
    for (const std::string& remark : e.remarks)
      lines.push_back({fmt::format("{}: {}", e.task, remark), Style::kWarn});
    return lines;
  }
  Lines operator()(const TaskQueued& e) const {
    const std::string next =
        e.until > event.time ? "tried again at " + time_of(e.until) : "another agent takes over";
    return {{fmt::format("{}: {}, {}", e.task, e.error.empty() ? spoken(e.failure) : e.error, next),
             Style::kWarn}};
  }
  Lines operator()(const TaskSet& e) const {
    std::string text = e.task + (e.status == "skipped" ? ": skipped" : ": set back to " + e.status);
    if (!e.reason.empty()) text += ", " + e.reason;
    return {{text, Style::kDim}};
  }
  Lines operator()(const WaveStarted& e) const {
    return {{fmt::format("wave {}: {}", e.wave, joined(e.tasks)), Style::kBold}};
  }
  Lines operator()(const WaveMerged& e) const {
    Lines lines;
    for (const AutoMerge& merge : e.auto_merged)
      lines.push_back(
          {fmt::format("wave {}: auto-merged {}", e.wave, auto_merge_text(merge)), Style::kInfo});
    lines.push_back({fmt::format("wave {}: merged {}", e.wave, counted(e.tasks.size(), "task"))});
    if (!e.dropped.empty())
      lines.push_back(
          {fmt::format("wave {}: {} left out, the changes overlap", e.wave, joined(e.dropped)),
           Style::kWarn});
    return lines;
  }
  Lines operator()(const WaveCommitted& e) const {
    return {{fmt::format("wave {}: committed {}", e.wave, short_id(e.commit)), Style::kGood}};
  }
  Lines operator()(const WaveVerified& e) const {
    if (e.passed) return {{fmt::format("wave {}: verified", e.wave), Style::kGood}};
    return {{fmt::format("wave {}: verify failed: {}", e.wave, e.command), Style::kBad}};
  }
  Lines operator()(const WaveCompleted& e) const {
    Lines lines;
    if (e.commit.empty()) lines.push_back({fmt::format("wave {}: nothing changed", e.wave)});
    if (!e.transition.empty() && e.transition != "clean")
      lines.push_back({fmt::format("wave {}: {}{}", e.wave, spoken(e.transition),
                                   e.reason.empty() ? "" : ", " + e.reason),
                       Style::kWarn});
    return lines;
  }
  Lines operator()(const WaveAbandoned& e) const {
    return {{fmt::format("wave {}: given up, {}", e.wave, e.reason), Style::kWarn}};
  }
  Lines operator()(const WaveRewritten& e) const {
    return {{fmt::format("wave {}: {} is {} now", e.wave, short_id(e.from), short_id(e.to)),
             Style::kInfo}};
  }
  Lines operator()(const Landed& e) const {
    return {
        {fmt::format("landed on {}: {}", branch_name(e.branch), short_id(e.commit)), Style::kGood}};
  }
  Lines operator()(const DecisionAsked& e) const {
    return {{fmt::format("decision {}: {}", e.decision, first_line(e.what)), Style::kWarn}};
  }
  Lines operator()(const DecisionResolved& e) const {
    return {{fmt::format("decision {}: {}", e.decision, e.option), Style::kInfo}};
  }
  Lines operator()(const DecisionWithdrawn& e) const {
    return {{fmt::format("decision {}: withdrawn, {}", e.decision, e.reason), Style::kDim}};
  }
  Lines operator()(const Remark& e) const {
    return {{e.task.empty() ? e.text : e.task + ": " + e.text, Style::kWarn}};
  }
  Lines operator()(const DefinitionChanged&) const {
    return {{"the definition of the plan has changed", Style::kInfo}};
  }
  template <typename Other>
  Lines operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::vector<EventLine> event_lines(const Event& event, const Ledger& ledger) {
  Lines lines = std::visit(Teller{event, ledger}, event.body);
  for (EventLine& line : lines) line.text = one_line(line.text, 2000);
  return lines;
}

}  // namespace gitplan
