#include "core/agent/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gitplan {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestLine = 1 << 20;

const Json& at(const Json& object, std::string_view key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t count(const Json& value) {
  constexpr double kMost = 1e15;
  return value.is_number() && value.get<double>() >= 0 && value.get<double>() < kMost
             ? static_cast<std::int64_t>(value.get<double>())
             : 0;
}

std::optional<double> money(const Json& value) {
  return value.is_number() && value.get<double>() >= 0 ? std::optional(value.get<double>())
                                                       : std::nullopt;
}

// {"message":…}, {"data":{"message":…}}, {"name":…} or a text.
std::string message_of(const Json& error) {
  for (const std::string& found : {text(error), text(at(error, "message")),
                                   text(at(at(error, "data"), "message")), text(at(error, "name"))})
    if (!found.empty()) return found;
  return "it gave no reason";
}

void ended_well(AgentReport& report) {
  report.ended = true;
  report.failure.clear();
}

void ended_badly(AgentReport& report, std::string why) {
  report.ended = true;
  report.failure = std::move(why);
}

void claude(const Json& line, AgentReport& report) {
  if (report.session.empty()) report.session = text(at(line, "session_id"));
  if (at(line, "type") != "result") return;
  const std::string subtype = text(at(line, "subtype"));
  report.result = text(at(line, "result"));
  const Json& usage = at(line, "usage");
  report.tokens = count(at(usage, "input_tokens")) + count(at(usage, "output_tokens")) +
                  count(at(usage, "cache_creation_input_tokens")) +
                  count(at(usage, "cache_read_input_tokens"));
  report.cost_usd = money(at(line, "total_cost_usd"));
  if (at(line, "is_error") == true || (!subtype.empty() && subtype != "success"))
    ended_badly(report, report.result.empty() ? subtype : report.result);
  else
    ended_well(report);
}

void codex(const Json& line, AgentReport& report) {
  const std::string type = text(at(line, "type"));
  if (type == "thread.started") report.session = text(at(line, "thread_id"));
  if (type == "turn.started") report.ended = false;
  if (type == "item.completed" && at(at(line, "item"), "type") == "agent_message")
    report.result = text(at(at(line, "item"), "text"));
  if (type == "error") report.failure = message_of(line);
  if (type == "turn.failed") ended_badly(report, message_of(at(line, "error")));
  if (type == "turn.completed") {
    const Json& usage = at(line, "usage");
    report.tokens += count(at(usage, "input_tokens")) + count(at(usage, "output_tokens"));
    ended_well(report);
  }
}

void gemini(const Json& line, AgentReport& report) {
  const std::string type = text(at(line, "type"));
  if (type == "init") report.session = text(at(line, "session_id"));
  if (type == "message") {
    if (at(line, "role") != "assistant")
      report.result.clear();
    else if (at(line, "delta") == true)
      report.result += text(at(line, "content"));
    else
      report.result = text(at(line, "content"));
  }
  if (type != "result") return;
  report.tokens = count(at(at(line, "stats"), "total_tokens"));
  if (at(line, "status") == "error")
    ended_badly(report, message_of(at(line, "error")));
  else
    ended_well(report);
}

void opencode(const Json& line, AgentReport& report) {
  const std::string type = text(at(line, "type"));
  const Json& part = at(line, "part");
  if (report.session.empty()) report.session = text(at(line, "sessionID"));
  if (type == "step_start") report.ended = false;
  if (type == "text") report.result = text(at(part, "text"));
  if (type == "error") ended_badly(report, message_of(at(line, "error")));
  if (type != "step_finish") return;
  const Json& tokens = at(part, "tokens");
  report.tokens +=
      count(at(tokens, "input")) + count(at(tokens, "output")) + count(at(tokens, "reasoning"));
  if (const auto cost = money(at(part, "cost")))
    report.cost_usd = report.cost_usd.value_or(0) + *cost;
  if (at(part, "reason") != "tool-calls") ended_well(report);
}

void read_line(Dialect dialect, const Json& line, AgentReport& report) {
  switch (dialect) {
    case Dialect::kText: break;
    case Dialect::kClaude: return claude(line, report);
    case Dialect::kCodex: return codex(line, report);
    case Dialect::kGemini: return gemini(line, report);
    case Dialect::kOpencode: return opencode(line, report);
  }
}

}  // namespace

AgentReport read_report(Dialect dialect, std::string_view log) {
  AgentReport report;
  if (dialect == Dialect::kText) return report;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] != '{' || line.size() > kLongestLine)
      continue;
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_object()) read_line(dialect, object, report);
  }
  return report;
}

}  // namespace gitplan
