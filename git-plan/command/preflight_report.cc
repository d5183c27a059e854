#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "git-plan/command/preflight.h"
#include "git-plan/view/json_parts.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan {
namespace {

using Json = nlohmann::ordered_json;
using State = Preflight::State;

std::string_view word(State state) {
  switch (state) {
    case State::kGood: return "ok";
    case State::kWarning: return "warning";
    case State::kFault: return "fault";
  }
  return "";
}

Style style_of(State state) {
  switch (state) {
    case State::kGood: return Style::kGood;
    case State::kWarning: return Style::kWarn;
    case State::kFault: return Style::kBad;
  }
  return Style::kPlain;
}

std::string landing_text(const PlanView& view, const Preflight& report, std::optional<Mode> mode) {
  const std::string branch = "plan/" + view.id + "/integration";
  if (report.land == "never") return "Nothing lands: one commit a wave, on " + branch + ".\n";
  const Plan plan = with_mode(view.plan, mode);
  std::vector<std::string> in_place;
  std::size_t count = 0;
  for (const auto& level : report.levels)
    for (const int at : level) {
      const Task& task = plan.tasks()[static_cast<std::size_t>(at)];
      if (plan.in_place(task)) in_place.push_back(task.name);
      ++count;
    }
  const std::string target = branch_name(report.target);
  if (in_place.size() == count)
    return fmt::format("Lands on {}: one commit a task, at once.\n", target);
  if (report.land == "wave")
    return fmt::format("Lands on {}: one commit a wave, after each wave.\n", target);
  if (in_place.empty()) return fmt::format("Lands on {}: one commit a wave, at the end.\n", target);
  return fmt::format(
      "Lands on {}: what works in your working tree ({}) at once,\n"
      "the rest one commit a wave, before each of these and at the end.\n",
      target, printable(joined(in_place)));
}

std::string mode_word(const PlanView& view, const Task& task, std::optional<Mode> mode) {
  return std::string(name(mode.value_or(view.plan.mode_of(task))));
}

// What holds a task back beside its dependencies.
std::string held_by(const Task& task) {
  std::vector<std::string> words;
  if (task.approval_gate) words.push_back("waits for approval");
  if (!task.locks.empty()) words.push_back("locks " + joined(task.locks));
  if (task.checkpoint != Checkpoint::kNone)
    words.push_back("checkpoint " + std::string(name(task.checkpoint)));
  return joined(words);
}

}  // namespace

std::string start_question(const Preflight& report) {
  std::string text = fmt::format("Run {} on {}, at most {} at once",
                                 counted(static_cast<std::size_t>(report.count), "task"),
                                 counted(report.levels.size(), "level"), report.jobs);
  if (report.land != "never") text += ", and land on " + branch_name(report.target);
  return text + "?";
}

std::string preflight_text(const Output& out, const PlanView& view, const Preflight& report,
                           std::optional<Mode> mode, bool full) {
  std::string text;
  for (const Preflight::Check& check : report.checks) {
    if (!full && check.state == State::kGood) continue;
    text += "  " + out.styled(style_of(check.state), fmt::format("{:<8}", word(check.state))) +
            fmt::format("{:<11} {}\n", check.name, one_line(check.text, 2000));
    for (const std::string& detail : check.details)
      text += std::string(10, ' ') + one_line(detail, 2000) + "\n";
  }
  if (!full) return text;
  for (std::size_t level = 0; level < report.levels.size(); ++level) {
    Table table({"", "", "", "", "", ""});
    for (const int at : report.levels[level]) {
      const Task& task = view.plan.tasks()[static_cast<std::size_t>(at)];
      const std::string& agent = report.agents[static_cast<std::size_t>(at)];
      const auto& scope = report.scopes[static_cast<std::size_t>(at)];
      table.row({{task.name, Style::kBold},
                 {mode_word(view, task, mode)},
                 {agent},
                 {"brief " + size_text(brief_size(view, task)), Style::kDim},
                 {scope.empty() ? "" : "files " + joined(scope), Style::kDim},
                 {held_by(task), Style::kWarn}});
    }
    text += "\n" + out.styled(Style::kBold, fmt::format("Level {}", level + 1)) + "\n" +
            table.render(out);
  }
  if (report.levels.empty()) return text;
  return text + fmt::format("\nAt most {} at once. ", report.jobs) +
         landing_text(view, report, mode);
}

std::string preflight_json(const PlanView& view, const Preflight& report,
                           std::optional<Mode> mode) {
  Json checks = Json::array();
  for (const Preflight::Check& check : report.checks)
    checks.push_back({{"name", check.name},
                      {"state", word(check.state)},
                      {"message", check.text},
                      {"details", check.details}});
  const Plan plan = with_mode(view.plan, mode);
  Json levels = Json::array();
  for (std::size_t level = 0; level < report.levels.size(); ++level) {
    Json tasks = Json::array();
    for (const int at : report.levels[level]) {
      const Task& task = view.plan.tasks()[static_cast<std::size_t>(at)];
      const std::string& agent = report.agents[static_cast<std::size_t>(at)];
      const auto& scope = report.scopes[static_cast<std::size_t>(at)];
      const bool in_place = plan.in_place(plan.tasks()[static_cast<std::size_t>(at)]);
      tasks.push_back({{"name", task.name},
                       {"mode", mode_word(view, task, mode)},
                       {"role", task.role},
                       {"agent", agent.empty() ? Json() : Json(agent)},
                       {"depends_on", task.depends_on},
                       {"files", scope},
                       {"approval_gate", task.approval_gate},
                       {"checkpoint", name(task.checkpoint)},
                       {"locks", task.locks},
                       {"branch", in_place ? Json() : Json("plan/" + view.id + "/" + task.name)},
                       {"brief_bytes", brief_size(view, task)}});
    }
    levels.push_back({{"level", level + 1}, {"tasks", std::move(tasks)}});
  }
  const Json document = {
      {"schema", 1},
      {"plan", view.id},
      {"checks", std::move(checks)},
      {"errors", errors_json(report.faults)},
      {"levels", std::move(levels)},
      {"jobs", report.jobs},
      {"land", report.land},
      {"target", report.target.empty() ? Json() : Json(branch_name(report.target))},
      {"integration", "plan/" + view.id + "/integration"}};
  return json_text(document);
}

}  // namespace gitplan
