// SHA-256 as lower-case hex (64 digits), by libcrypto. Event ids, trust hashes and receipts use it.
#pragma once

#include <string>
#include <string_view>

namespace gitplan {

std::string sha256_hex(std::string_view bytes);

}  // namespace gitplan
