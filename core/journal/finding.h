// What an agent says about a task in one machine-read line.
//
// Parsed from PLAN_FINDINGS when an attempt is collected, stored in its attempt_ended event, shown
// by `status` and `output`, and read by the pre-processor between waves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

struct DepDiscovery {
  std::string item_id;
  std::string type;  // needs, resource, note, new_item, drop_dependency
  std::string on;
  std::vector<std::string> target_resources;
  std::string notes;
  std::string confidence;  // high, low
};

struct Finding {
  std::string item_id;
  std::string status;  // completed, partial, failed, no_change
  std::vector<std::string> produced;
  std::vector<DepDiscovery> dep_discoveries;
  bool outcome_risk = false;
  std::string confidence = "high";
  std::string prose_notes;
  // How the line was read: "valid", "repaired" (item_id and status were there), "rejected".
  std::string reading = "valid";
};

inline constexpr std::size_t kMaxFindingBytes = 64u << 10;  // a longer line is rejected
inline constexpr std::size_t kMaxFindings = 1000;           // for one attempt
inline constexpr std::size_t kMaxFindingsBytes = 1u << 20;  // for one attempt

// One JSON object a line; blank lines are passed over. Never fails: a line that cannot be read
// becomes a finding with reading "rejected" and outcome_risk, its prose_notes say why. `task` is
// the item of a line without item_id. Lines beyond kMaxFindings or kMaxFindingsBytes are not read:
// one more rejected finding says how many they were.
std::vector<Finding> parse_findings(std::string_view text, std::string_view task);

}  // namespace gitplan
