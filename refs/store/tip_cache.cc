// For each plan the 20 bytes of the commit id, two lengths of 4 bytes (name, message; the machine's
// byte order), the name and the message.
#include "refs/store/tip_cache.h"

#include <cstdint>
#include <cstring>

namespace gitplan {
namespace {

constexpr std::string_view kShape = "tips 1";
constexpr std::size_t kFixed = GIT_OID_RAWSZ + 2 * sizeof(std::uint32_t);

template <typename Number>
void put(std::string& text, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  text.append(bytes, sizeof number);
}

std::uint32_t length_at(const char* bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes, sizeof length);
  return length;
}

}  // namespace

TipCache::TipCache(const std::string& local_dir) : path_(local_dir + "/cache/tips") {
  if (!read_cached(path_, kShape, found_)) return;
  rest_ = found_.bytes;
  has_current_ = next();
}

bool TipCache::next() {
  if (rest_.size() < kFixed) return false;
  const std::size_t name = length_at(rest_.data() + GIT_OID_RAWSZ);
  const std::size_t message = length_at(rest_.data() + GIT_OID_RAWSZ + sizeof(std::uint32_t));
  if (rest_.size() - kFixed < name || rest_.size() - kFixed - name < message) return false;
  std::memcpy(current_.tip.id, rest_.data(), GIT_OID_RAWSZ);
  current_.plan = rest_.substr(kFixed, name);
  current_.message = rest_.substr(kFixed + name, message);
  rest_.remove_prefix(kFixed + name + message);
  return true;
}

std::string_view TipCache::find(std::string_view plan, const git_oid& tip) {
  while (has_current_ && current_.plan < plan) has_current_ = next();
  if (!has_current_ || current_.plan != plan || !git_oid_equal(&current_.tip, &tip)) return {};
  return current_.message;
}

void TipCache::write(const std::vector<Entry>& entries) const {
  std::size_t size = 0;
  for (const Entry& entry : entries) size += kFixed + entry.plan.size() + entry.message.size();
  std::string text;
  text.reserve(size);
  for (const Entry& entry : entries) {
    text.append(reinterpret_cast<const char*>(entry.tip.id), GIT_OID_RAWSZ);
    put(text, static_cast<std::uint32_t>(entry.plan.size()));
    put(text, static_cast<std::uint32_t>(entry.message.size()));
    text += entry.plan;
    text += entry.message;
  }
  write_cached(path_, kShape, "", text);
}

}  // namespace gitplan
