#include "refs/store/checksum.h"

#include <xxhash.h>

#include <cstdio>

namespace gitplan {

std::string checksum(std::string_view text) {
  std::string digits(kChecksumDigits + 1, '\0');
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  digits.pop_back();
  return digits;
}

}  // namespace gitplan
