// A branch as people name it.
#pragma once

#include <string>
#include <string_view>

namespace gitplan {

// Without refs/heads/; another ref whole.
inline std::string branch_name(std::string_view ref) {
  constexpr std::string_view kHeads = "refs/heads/";
  if (ref.starts_with(kHeads)) ref.remove_prefix(kHeads.size());
  return std::string(ref);
}

}  // namespace gitplan
