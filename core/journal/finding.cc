#include "core/journal/finding.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/journal/json_fields.h"

namespace gitplan {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;
constexpr std::array<std::string_view, 4> kStatuses{"completed", "partial", "failed", "no_change"};
constexpr std::array<std::string_view, 5> kTypes{"needs", "resource", "note", "new_item",
                                                 "drop_dependency"};
constexpr std::array<std::string_view, 2> kConfidences{"high", "low"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// "No change" and "NO-CHANGE" are both no_change.
std::string as_word(std::string_view text) {
  std::string word(trimmed(text));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return word;
}

// Reads one object, and notices where what it found had to be bent into shape. null is as good as a
// missing key.
class Normaliser {
 public:
  bool repaired() const { return repaired_; }
  void repair() { repaired_ = true; }

  static const json* find(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }

  // Numbers are taken as they are written, lists of texts as lines.
  std::string text(const json& object, const char* key) {
    const json* value = find(object, key);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    repair();
    if (value->is_number()) return value->dump();
    std::string lines;
    if (value->is_array())
      for (const json& line : *value)
        if (line.is_string()) lines += (lines.empty() ? "" : "\n") + line.get<std::string>();
    return lines;
  }

  std::vector<std::string> texts(const json& object, const char* key) {
    const json* value = find(object, key);
    if (value == nullptr) return {};
    if (value->is_string()) {
      repair();
      return {value->get<std::string>()};
    }
    std::vector<std::string> list;
    if (!value->is_array()) repair();
    if (value->is_array()) {
      for (const json& entry : *value) {
        if (entry.is_string())
          list.push_back(entry.get<std::string>());
        else
          repair();
      }
    }
    return list;
  }

  // One of `words`; nothing where it is another or missing.
  template <std::size_t N>
  std::optional<std::string> word(const json& object, const char* key,
                                  const std::array<std::string_view, N>& words) {
    const json* value = find(object, key);
    if (value == nullptr) return std::nullopt;
    const std::string* text = value->get_ptr<const std::string*>();
    const std::string normal = text == nullptr ? std::string() : as_word(*text);
    if (text == nullptr || normal != *text) repair();
    if (std::find(words.begin(), words.end(), normal) != words.end()) return normal;
    repair();
    return std::nullopt;
  }

  // Whatever does not clearly say no is a risk.
  bool flag(const json& object, const char* key) {
    const json* value = find(object, key);
    if (value == nullptr) return false;
    if (value->is_boolean()) return value->get<bool>();
    repair();
    const std::string word =
        value->is_string() ? as_word(value->get<std::string>()) : value->dump();
    return word != "false" && word != "no" && word != "none" && word != "0" && !word.empty();
  }

 private:
  bool repaired_ = false;
};

DepDiscovery read_discovery(const json& value, const Finding& finding, Normaliser& normal) {
  DepDiscovery found;
  if (value.is_string()) {  // a remark where an object was due
    normal.repair();
    found.item_id = finding.item_id;
    found.type = "note";
    found.notes = value.get<std::string>();
    return found;
  }
  found.item_id = normal.text(value, "item_id");
  if (found.item_id.empty()) found.item_id = finding.item_id;
  found.on = normal.text(value, "on");
  found.target_resources = normal.texts(value, "target_resources");
  found.notes = normal.text(value, "notes");
  found.confidence = normal.word(value, "confidence", kConfidences).value_or("");
  const auto type = normal.word(value, "type", kTypes);
  const bool needs_on = type == "needs" || type == "drop_dependency";
  const bool usable = type && !(needs_on && found.on.empty()) &&
                      !(type == "resource" && found.on.empty() && found.target_resources.empty());
  if (!usable) normal.repair();
  found.type = usable ? *type : "note";
  return found;
}

void read_discoveries(const json& object, Finding& finding, Normaliser& normal) {
  const json* value = Normaliser::find(object, "dep_discoveries");
  if (value == nullptr) return;
  const auto take = [&](const json& entry) {
    if (entry.is_object() || entry.is_string())
      finding.dep_discoveries.push_back(read_discovery(entry, finding, normal));
    else
      normal.repair();
  };
  if (value->is_array()) {
    for (const json& entry : *value) take(entry);
  } else {
    normal.repair();
    take(*value);
  }
}

Finding rejected(std::string_view task, std::string why) {
  Finding finding;
  finding.item_id = task;
  finding.outcome_risk = true;
  finding.confidence = "low";
  finding.prose_notes = std::move(why);
  finding.reading = "rejected";
  return finding;
}

Finding read_line(std::string_view line, std::size_t number, std::string_view task) {
  const std::string where = "line " + std::to_string(number);
  if (line.size() > kMaxFindingBytes)
    return rejected(task, where + " is longer than " + std::to_string(kMaxFindingBytes) + " bytes");
  if (nests_deeper(line, kMaxDepth))
    return rejected(task, where + " nests deeper than " + std::to_string(kMaxDepth) + " levels");
  json object;
  try {
    object = json::parse(line);
  } catch (const json::parse_error& fault) {
    return rejected(task, where + " is not valid JSON at byte " + std::to_string(fault.byte));
  } catch (const json::out_of_range&) {
    return rejected(task, where + " holds a number that is out of range");
  }
  if (!object.is_object()) return rejected(task, where + " is not a JSON object");

  Normaliser normal;
  Finding finding;
  finding.item_id = trimmed(normal.text(object, "item_id"));
  if (finding.item_id.empty()) return rejected(task, where + " has no item_id");
  if (Normaliser::find(object, "status") == nullptr)
    return rejected(finding.item_id, where + " has no status");
  const auto status = normal.word(object, "status", kStatuses);
  if (!status)
    return rejected(finding.item_id, where +
                                         " has a status that is none of completed, partial, "
                                         "failed, no_change");
  finding.status = *status;
  finding.produced = normal.texts(object, "produced");
  finding.outcome_risk = normal.flag(object, "outcome_risk");
  finding.confidence = normal.word(object, "confidence", kConfidences).value_or("high");
  finding.prose_notes = normal.text(object, "prose_notes");
  read_discoveries(object, finding, normal);
  if (normal.repaired()) {
    finding.reading = "repaired";
    finding.confidence = "low";
  }
  for (auto& discovery : finding.dep_discoveries)
    if (normal.repaired() || discovery.confidence.empty())
      discovery.confidence = finding.confidence;
  return finding;
}

}  // namespace

std::vector<Finding> parse_findings(std::string_view text, std::string_view task) {
  std::vector<Finding> findings;
  std::size_t bytes = 0, unread = 0;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    // Of a line that is too long nothing but its rejection is kept.
    const std::size_t kept = line.size() > kMaxFindingBytes ? 0 : line.size();
    if (unread > 0 || findings.size() == kMaxFindings || bytes + kept > kMaxFindingsBytes) {
      ++unread;
      continue;
    }
    bytes += kept;
    findings.push_back(read_line(line, number, task));
  }
  if (unread > 0)
    findings.push_back(rejected(task, std::to_string(unread) + " more lines were not read: an " +
                                          "attempt may leave " + std::to_string(kMaxFindings) +
                                          " lines and " + std::to_string(kMaxFindingsBytes) +
                                          " bytes of findings"));
  return findings;
}

}  // namespace gitplan
