#include "refs/store/packed_cache.h"

#include "refs/store/checksum.h"
#include "refs/store/local_file.h"

namespace gitplan {

bool read_cached(const std::string& path, std::string_view shape, CachedBytes& found) {
  auto text = read_file(path);
  if (!text.ok() || !*text) return false;
  found.file = *std::move(*text);
  std::string_view rest = found.file;
  if (rest.size() < 2 * kChecksumDigits + 2) return false;
  const std::string_view sum = rest.substr(0, kChecksumDigits);
  rest.remove_prefix(kChecksumDigits);
  if (sum != checksum(rest) || rest.substr(1, kChecksumDigits) != checksum(shape)) return false;
  rest.remove_prefix(kChecksumDigits + 2);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return false;
  found.key = rest.substr(0, end);
  found.bytes = rest.substr(end + 1);
  return true;
}

void write_cached(const std::string& path, std::string_view shape, std::string_view key,
                  std::string_view bytes) {
  std::string rest = " " + checksum(shape) + " ";
  rest.append(key).append(1, '\n').append(bytes);
  (void)replace_file(path, checksum(rest) + rest, false);
}

}  // namespace gitplan
