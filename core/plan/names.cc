#include "core/plan/names.h"

#include <algorithm>
#include <array>

#include "core/plan/slug.h"

namespace gitplan {
namespace {

constexpr std::size_t kMaxTaskName = 64;
constexpr std::size_t kMaxPlanId = 100;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// Windows takes these for devices, whatever follows the first dot.
bool is_windows_device(std::string_view name) {
  const std::string base = lower(name.substr(0, name.find('.')));
  if (base == "con" || base == "prn" || base == "aux" || base == "nul") return true;
  return base.size() == 4 && (base.starts_with("com") || base.starts_with("lpt")) &&
         base[3] >= '0' && base[3] <= '9';
}

std::optional<std::string> name_fault(std::string_view name, std::size_t longest) {
  if (name.empty()) return "is empty";
  if (!is_alphanumeric(name[0])) return "does not start with a letter (a-z) or a digit";
  for (const char c : name) {
    if (is_alphanumeric(c) || c == '.' || c == '_' || c == '-') continue;
    const auto byte = static_cast<unsigned char>(c);
    const std::string what = byte > 0x20 && byte < 0x7F ? std::string("'") + c + "'"
                             : c == ' '                 ? "a space"
                             : byte >= 0x80             ? "a character outside ASCII"
                                                        : "a control character";
    return "has " + what + "; letters (a-z), digits, '.', '_' and '-' are possible";
  }
  if (name.size() > longest) return "is longer than " + std::to_string(longest) + " characters";
  if (name.find("..") != std::string_view::npos) return "has '..', which no ref may have";
  if (name.back() == '.') return "ends with '.'";
  if (lower(name).ends_with(".lock")) return "ends with '.lock', which no ref may";
  if (is_windows_device(name)) return "is the name of a device on Windows";
  return std::nullopt;
}

// Expands the tokens of a naming template; what no name may have becomes '-'.
std::string expand(std::string_view naming, std::string_view slug, Millis now,
                   std::string_view random_hex) {
  const std::string date = date_of(now);
  std::string time = time_of(now);
  std::replace(time.begin(), time.end(), ':', '-');
  const std::array<std::pair<std::string_view, std::string>, 5> tokens{{
      {"{datetime}", date + "-" + time},
      {"{date}", date},
      {"{time}", time},
      {"{title}", std::string(slug)},
      {"{id}", std::string(random_hex)},
  }};
  std::string result;
  while (!naming.empty()) {
    const auto token = std::find_if(tokens.begin(), tokens.end(), [&](const auto& entry) {
      return naming.starts_with(entry.first);
    });
    if (token != tokens.end()) {
      result += token->second;
      naming.remove_prefix(token->first.size());
      continue;
    }
    const char c = naming.front();
    const bool good = is_alphanumeric(c) || c == '.' || c == '_';
    if (good || result.empty() || result.back() != '-') result += good ? c : '-';
    naming.remove_prefix(1);
  }
  return result;
}

std::string trimmed(std::string id) {
  const auto is_edge = [](char c) { return c == '-' || c == '.' || c == '_'; };
  while (!id.empty() && is_edge(id.back())) id.pop_back();
  id.erase(0, id.find_first_not_of("-._"));
  return id;
}

}  // namespace

std::optional<std::string> task_name_fault(std::string_view name) {
  if (auto fault = name_fault(name, kMaxTaskName)) return fault;
  if (lower(name) == "integration") return "is reserved for the branch that collects the waves";
  return std::nullopt;
}

std::optional<std::string> plan_id_fault(std::string_view id) {
  if (auto fault = name_fault(id, kMaxPlanId)) return fault;
  if (lower(id) == "memory") return "is reserved for the project memory";
  return std::nullopt;
}

const std::vector<std::string>& naming_tokens() {
  static const std::vector<std::string> kTokens{"{date}", "{time}", "{datetime}", "{title}",
                                                "{id}"};
  return kTokens;
}

std::vector<std::string> unknown_tokens(std::string_view naming,
                                        const std::vector<std::string>& known) {
  std::vector<std::string> unknown;
  for (auto at = naming.find('{'); at != std::string_view::npos; at = naming.find('{', at + 1)) {
    const auto end = naming.find('}', at);
    std::string token(naming.substr(at, end == std::string_view::npos ? end : end - at + 1));
    if (std::find(known.begin(), known.end(), token) == known.end())
      unknown.push_back(std::move(token));
  }
  return unknown;
}

std::string plan_id(std::string_view naming, std::string_view title, Millis now,
                    std::string_view random_hex, const std::vector<std::string>& taken) {
  std::string slug = slug_of(title);
  if (slug.empty()) slug = "plan-" + title_hash(title);
  std::string base = trimmed(expand(naming, slug, now, random_hex)).substr(0, kMaxPlanId);
  if (plan_id_fault(base)) base = trimmed(slug);
  if (plan_id_fault(base)) base = "plan-" + base;

  std::vector<std::string> used;
  used.reserve(taken.size());
  for (const auto& id : taken) used.push_back(lower(id));
  std::sort(used.begin(), used.end());
  std::string id = base;
  for (int n = 2; std::binary_search(used.begin(), used.end(), lower(id)); ++n) {
    const std::string suffix = "-" + std::to_string(n);
    id = trimmed(base.substr(0, kMaxPlanId - suffix.size())) + suffix;
  }
  return id;
}

}  // namespace gitplan
