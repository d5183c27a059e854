#include "refs/store/packed_cache.h"

#include <xxhash.h>

#include <cstdio>

#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::size_t kDigits = 16;

std::string sum_of(std::string_view text) {
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return digits;
}

}  // namespace

bool read_cached(const std::string& path, std::string_view shape, CachedBytes& found) {
  auto text = read_file(path);
  if (!text.ok() || !*text) return false;
  found.file = *std::move(*text);
  std::string_view rest = found.file;
  if (rest.size() < 2 * kDigits + 2) return false;
  const std::string_view sum = rest.substr(0, kDigits);
  rest.remove_prefix(kDigits);
  if (sum != sum_of(rest) || rest.substr(1, kDigits) != sum_of(shape)) return false;
  rest.remove_prefix(kDigits + 2);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return false;
  found.key = rest.substr(0, end);
  found.bytes = rest.substr(end + 1);
  return true;
}

void write_cached(const std::string& path, std::string_view shape, std::string_view key,
                  std::string_view bytes) {
  std::string rest = " " + sum_of(shape) + " ";
  rest.append(key).append(1, '\n').append(bytes);
  (void)replace_file(path, sum_of(rest) + rest, false);
}

}  // namespace gitplan
