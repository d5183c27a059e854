// The file: "tips 1\n", then for each plan the 20 bytes of the commit id, two lengths of 4 bytes
// (name, message; the machine's byte order), the name and the message; at the end 8 bytes of
// XXH3-64 over all before.
#include "refs/store/tip_cache.h"

#include <xxhash.h>

#include <cstdint>
#include <cstring>

#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::string_view kStart = "tips 1\n";
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
  auto file = read_file(path_);
  if (!file.ok() || !*file || (*file)->size() < kStart.size() + sizeof(XXH64_hash_t)) return;
  text_ = std::move(**file);
  const std::string_view text =
      std::string_view(text_).substr(0, text_.size() - sizeof(XXH64_hash_t));
  XXH64_hash_t sum = 0;
  std::memcpy(&sum, text.data() + text.size(), sizeof sum);
  if (!text.starts_with(kStart) || sum != XXH3_64bits(text.data(), text.size())) return;
  rest_ = text.substr(kStart.size());
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
  std::size_t size = kStart.size() + sizeof(XXH64_hash_t);
  for (const Entry& entry : entries) size += kFixed + entry.plan.size() + entry.message.size();
  std::string text;
  text.reserve(size);
  text += kStart;
  for (const Entry& entry : entries) {
    text.append(reinterpret_cast<const char*>(entry.tip.id), GIT_OID_RAWSZ);
    put(text, static_cast<std::uint32_t>(entry.plan.size()));
    put(text, static_cast<std::uint32_t>(entry.message.size()));
    text += entry.plan;
    text += entry.message;
  }
  put(text, XXH3_64bits(text.data(), text.size()));
  (void)replace_file(path_, text, false);
}

}  // namespace gitplan
