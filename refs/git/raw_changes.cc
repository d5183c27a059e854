#include "refs/git/raw_changes.h"

namespace gitplan {

std::vector<RawChange> raw_changes(std::string_view printed) {
  constexpr std::size_t kShape = 97;  // of what stands before the status
  std::vector<RawChange> changes;
  while (!printed.empty()) {
    const std::size_t what = printed.find('\0');
    const std::size_t path = what == std::string_view::npos ? what : printed.find('\0', what + 1);
    if (path == std::string_view::npos) break;
    if (what > kShape)
      changes.push_back({std::string(printed.substr(0, what)),
                         std::string(printed.substr(what + 1, path - what - 1))});
    printed.remove_prefix(path + 1);
  }
  return changes;
}

}  // namespace gitplan
