#include "git-plan/view/story_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "git-plan/executor/findings_text.h"
#include "git-plan/view/time_ago.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSummaryLines = 10;

// "  label     text", further lines of the text below its first.
void field(const Output& out, std::string& all, std::string_view label, std::string_view text) {
  std::string clean = printable(text);
  while (clean.ends_with('\n')) clean.pop_back();
  if (clean.empty()) return;
  std::string_view rest = clean;
  for (bool first = true;; first = false) {
    const std::size_t end = rest.find('\n');
    all += out.styled(Style::kDim, fmt::format("  {:<10}", first ? label : std::string_view())) +
           std::string(rest.substr(0, end)) + "\n";
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

std::string first_lines(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  return at == std::string::npos || at >= text.size() ? text : text.substr(0, at) + "…";
}

std::string by_whom(const Attempt& attempt) {
  std::string words = "by " + attempt.agent;
  if (attempt.agent == "run") words = "by its command";
  if (attempt.by_hand() || attempt.agent.empty()) words = "by hand";
  words += ", attempt " + attempt.id;
  if (attempt.ended > 0) words += ", " + short_duration(attempt.ended - attempt.started);
  if (attempt.tokens > 0) words += fmt::format(", {} tokens", attempt.tokens);
  if (attempt.cost_usd > 0) words += fmt::format(", {:.2f} USD", attempt.cost_usd);
  return words;
}

std::string answer_to(const Decision& decision) {
  std::string words =
      decision.asked.decision + ", " + spoken(decision.asked.kind) + ": " + decision.option;
  if (!decision.text.empty()) words += " (" + first_line(decision.text) + ")";
  return words + "\n" + first_line(decision.asked.what);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json task_json(const TaskStory& task) {
  Json document = {{"name", task.name}, {"description", text_or_null(task.description)}};
  const Attempt none;
  const Attempt& attempt = task.attempt == nullptr ? none : *task.attempt;
  const bool timed = attempt.ended > 0;
  document["agent"] = text_or_null(attempt.agent);
  document["role"] = text_or_null(attempt.role);
  document["attempt"] = text_or_null(attempt.id);
  document["started"] = attempt.started == 0 ? Json() : Json(to_rfc3339(attempt.started));
  document["duration_s"] =
      timed ? Json(static_cast<double>(attempt.ended - attempt.started) / 1000) : Json();
  document["tokens"] = attempt.tokens;
  document["cost_usd"] = attempt.cost_usd;
  document["brief"] = text_or_null(task.brief);
  document["summary"] = text_or_null(task.summary);
  document["findings"] = Json::array();
  const std::string lines = findings_lines(attempt.findings);
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    document["findings"].push_back(Json::parse(lines.substr(start, end - start)));
    start = end + 1;
  }
  return document;
}

}  // namespace

std::string story_text(const Output& out, const Story& story, Millis now) {
  const CommitOrigin& origin = story.origin;
  std::string all = out.styled(Style::kAccent, short_id(origin.commit)) + " " +
                    printable(origin.author) + ", " + time_ago(origin.when, now) + ": " +
                    printable(origin.subject) + "\n";
  if (origin.plan.empty()) {
    field(out, all, "plan", "none: no wave of a plan made it");
    return all;
  }
  if (story.plan == nullptr) {
    field(out, all, "plan", origin.plan + ", which is not in this clone");
    field(out, all, "wave", std::to_string(origin.wave));
    field(out, all, "task", joined(origin.tasks));
    return all;
  }
  field(out, all, "plan",
        origin.plan + "  " + story.plan->plan.title + " (" +
            spoken(name(story.plan->ledger.state)) + ")");
  if (origin.wave > 0)
    field(out, all, "wave", std::to_string(origin.wave) + " of run " + origin.run);
  else
    field(out, all, "landing", "of run " + origin.run);
  for (const TaskStory& task : story.tasks) {
    field(out, all, "task",
          task.name + (task.attempt == nullptr ? "" : "  " + by_whom(*task.attempt)));
    field(out, all, "", task.description);
    field(out, all, "brief", task.brief);
    field(out, all, "summary", first_lines(task.summary, kSummaryLines));
    if (task.attempt != nullptr)
      field(out, all, "findings",
            first_lines(findings_text(task.attempt->findings), kSummaryLines));
  }
  for (const Decision* decision : story.decisions)
    field(out, all, "decision", answer_to(*decision));
  return all;
}

Json story_json(const Story& story) {
  const CommitOrigin& origin = story.origin;
  Json document = {{"commit", origin.commit},
                   {"author", origin.author},
                   {"when", to_rfc3339(origin.when)},
                   {"subject", origin.subject},
                   {"plan", text_or_null(origin.plan)},
                   {"title", story.plan == nullptr ? Json() : Json(story.plan->plan.title)},
                   {"run", text_or_null(origin.run)},
                   {"wave", origin.wave == 0 ? Json() : Json(origin.wave)}};
  Json tasks = Json::array(), decisions = Json::array();
  if (story.plan == nullptr)
    for (const std::string& task : origin.tasks) tasks.push_back(task_json({.name = task}));
  for (const TaskStory& task : story.tasks) tasks.push_back(task_json(task));
  for (const Decision* decision : story.decisions)
    decisions.push_back({{"id", decision->asked.decision},
                         {"kind", decision->asked.kind},
                         {"task", text_or_null(decision->asked.task)},
                         {"what", decision->asked.what},
                         {"option", decision->option},
                         {"text", text_or_null(decision->text)},
                         {"by", decision->resolved_by},
                         {"at", to_rfc3339(decision->resolved_at)}});
  document["tasks"] = std::move(tasks);
  document["decisions"] = std::move(decisions);
  return document;
}

std::string ranges_text(const std::vector<LineRange>& ranges) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < ranges.size() && i < kNamed; ++i)
    words.push_back(ranges[i].first == ranges[i].last
                        ? std::to_string(ranges[i].first)
                        : fmt::format("{}-{}", ranges[i].first, ranges[i].last));
  std::string text = joined(words);
  if (ranges.size() > kNamed) text += fmt::format(" and {} more", ranges.size() - kNamed);
  return text;
}

}  // namespace gitplan
