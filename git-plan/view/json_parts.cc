#include "git-plan/view/json_parts.h"

#include <nlohmann/json.hpp>

#include "core/ledger/readiness.h"
#include "git-plan/view/decision_panel.h"

namespace gitplan {
std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "error";
}

nlohmann::ordered_json diagnostic_json(const Diagnostic& d) {
  nlohmann::ordered_json json{{"severity", word(d.severity)},
                              {"code", d.code},
                              {"message", d.message},
                              {"target", d.target},
                              {"fix", d.fix}};
  if (!d.file.empty()) json["file"] = d.file;
  if (d.line > 0) json["line"] = d.line;
  if (d.column > 0) json["column"] = d.column;
  return json;
}

nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& all) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Diagnostic& d : all) json.push_back(diagnostic_json(d));
  return json;
}

nlohmann::ordered_json error_json(const Error& error) {
  nlohmann::ordered_json json{
      {"code", name(error.code)}, {"message", error.message}, {"hint", error.hint}};
  if (!error.diagnostics.empty()) json["diagnostics"] = diagnostics_json(error.diagnostics);
  return json;
}

nlohmann::ordered_json errors_json(const std::vector<Error>& all) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Error& error : all) json.push_back(error_json(error));
  return json;
}

nlohmann::ordered_json plan_json(const Summary& summary, bool stale) {
  return {{"id", summary.id},
          {"title", summary.title},
          {"state", name(summary.state)},
          {"progress", {{"done", summary.done}, {"total", summary.total}}},
          {"tags", summary.tags},
          {"created", to_rfc3339(summary.created)},
          {"last_activity", to_rfc3339(summary.last_activity)},
          {"stale", stale}};
}

Summary summary_of(const PlanView& view) {
  const Progress reached = progress(view.plan, view.ledger);
  Summary summary;
  summary.id = view.id;
  summary.title = view.plan.title;
  summary.state = view.ledger.state;
  summary.done = reached.done;
  summary.total = reached.total;
  summary.tags = view.plan.tags;
  summary.created = view.ledger.created;
  summary.last_activity = view.ledger.last_activity;
  summary.ttl_days = view.plan.ttl_days.value_or(0);
  summary.tip = view.tip;
  return summary;
}

nlohmann::ordered_json decision_json(const Ledger& ledger, const DecisionAsked& asked,
                                     const std::string& plan_dir) {
  using Json = nlohmann::ordered_json;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json() : Json(text);
  };
  Json options = Json::array();
  for (const DecisionOption& option : asked.options)
    options.push_back({{"key", option.key},
                       {"label", option.label},
                       {"disabled", text_or_null(option.disabled)}});
  Json log = Json::array();
  for (const std::string& line : decision_log(ledger, asked, plan_dir))
    log.push_back(printable(line));
  return {{"id", asked.decision}, {"kind", asked.kind}, {"task", text_or_null(asked.task)},
          {"what", asked.what},   {"why", asked.why},   {"impact", asked.impact},
          {"options", options},   {"log", log}};
}

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gitplan
