// The checksum of local files: records of the write-ahead file, caches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gitplan {

inline constexpr std::size_t kChecksumDigits = 16;

// XXH3-64 in lower-case hex.
std::string checksum(std::string_view text);

}  // namespace gitplan
