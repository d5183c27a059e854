#include "refs/store/ledger_cache.h"

#include <xxhash.h>

#include <cstdio>

#include "core/ledger/ledger_codec.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::string_view kTip = "{\"tip\":\"";
constexpr std::string_view kSum = "\",\"sum\":\"";
constexpr std::string_view kLedger = "\",\"ledger\":";
constexpr std::string_view kEnd = "}\n";

std::string sum_of(std::string_view text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return digits;
}

// The part before `mark`, taken off the front with it.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return part;
}

}  // namespace

std::string LedgerCache::path_of(std::string_view identity) const {
  return folder_ + std::string(identity.substr(0, 16)) + ".json";
}

std::optional<CachedLedger> LedgerCache::read(std::string_view identity) const {
  const auto text = read_file(path_of(identity));
  if (!text.ok() || !*text) return std::nullopt;
  std::string_view rest = **text;
  if (!rest.starts_with(kTip) || !rest.ends_with(kEnd)) return std::nullopt;
  rest.remove_prefix(kTip.size());
  rest.remove_suffix(kEnd.size());
  const auto tip = take_until(rest, kSum), sum = take_until(rest, kLedger);
  if (!tip || !sum || *sum != sum_of(rest)) return std::nullopt;
  auto ledger = ledger_from_json(rest);
  if (!ledger.ok()) return std::nullopt;
  return CachedLedger{std::string(*tip), std::move(ledger).value()};
}

void LedgerCache::write(std::string_view identity, std::string_view tip,
                        std::string_view json) const {
  while (json.ends_with('\n')) json.remove_suffix(1);
  std::string text;
  text.reserve(json.size() + 128);
  for (const std::string_view part : {kTip, tip, kSum}) text += part;
  text += sum_of(json);
  for (const std::string_view part : {kLedger, json, kEnd}) text += part;
  (void)replace_file(path_of(identity), text, false);
}

}  // namespace gitplan
