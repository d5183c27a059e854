#include "git-plan/executor/findings_text.h"

#include <nlohmann/json.hpp>

namespace gitplan {

std::string findings_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    if (finding.reading == "rejected") continue;
    const bool says_more = !finding.prose_notes.empty() || !finding.dep_discoveries.empty() ||
                           finding.outcome_risk || finding.status != "completed";
    if (!says_more) continue;
    text += "- " + (finding.status.empty() ? "noted" : finding.status);
    if (finding.outcome_risk) text += ", the plan's outcome is at risk";
    if (!finding.prose_notes.empty()) text += ": " + finding.prose_notes;
    text += '\n';
    for (const DepDiscovery& found : finding.dep_discoveries) {
      text += "  - " + found.type + (found.item_id.empty() ? "" : " of " + found.item_id);
      if (!found.on.empty()) text += " on " + found.on;
      for (const std::string& resource : found.target_resources) text += " " + resource;
      if (!found.notes.empty()) text += ": " + found.notes;
      text += '\n';
    }
  }
  return text;
}

std::string findings_lines(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    nlohmann::json discoveries = nlohmann::json::array();
    for (const DepDiscovery& found : finding.dep_discoveries)
      discoveries.push_back({{"item_id", found.item_id},
                             {"type", found.type},
                             {"on", found.on},
                             {"target_resources", found.target_resources},
                             {"notes", found.notes},
                             {"confidence", found.confidence}});
    const nlohmann::json line = {
        {"item_id", finding.item_id},           {"status", finding.status},
        {"produced", finding.produced},         {"dep_discoveries", std::move(discoveries)},
        {"outcome_risk", finding.outcome_risk}, {"confidence", finding.confidence},
        {"prose_notes", finding.prose_notes},   {"reading", finding.reading}};
    text += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return text;
}

}  // namespace gitplan
