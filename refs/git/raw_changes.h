// What `git diff-… --raw -z --no-renames --no-abbrev` prints, change by change.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

struct RawChange {
  std::string what;  // modes, ids and status: ":100644 100644 <id> <id> M"
  std::string path;
  auto operator<=>(const RawChange&) const = default;
  std::string mode_before() const { return what.substr(1, 6); }
  std::string mode() const { return what.substr(8, 6); }
  std::string id_before() const { return what.substr(15, 40); }
  std::string id() const { return what.substr(56, 40); }
};
// What has another shape is passed over.
std::vector<RawChange> raw_changes(std::string_view printed);

}  // namespace gitplan
