#include "core/agent/failure.h"

#include <algorithm>
#include <cctype>

namespace gitplan {
namespace {

using enum FailureClass;

constexpr int kTryAgain = 75;  // EX_TEMPFAIL of sysexits.h
constexpr std::size_t kLooked = 64 << 10;
constexpr std::size_t kLongestLine = 4096;

// What the services behind the agents say, whichever agent passes it on.
constexpr FailurePattern kCommon[] = {
    {"insufficient_quota", kQuota},
    {"quota exceeded", kQuota},
    {"exceeded your current quota", kQuota},
    {"usage limit", kQuota},
    {"too many requests", kRateLimit},
    {"rate limit", kRateLimit},
    {"rate_limit", kRateLimit},
    {"status 429", kRateLimit},
    {"429 ", kRateLimit},
    {"overloaded", kOverload},
    {"service unavailable", kOverload},
    {"server had an error", kOverload},
    {"status 529", kOverload},
    {"status 503", kOverload},
    {"could not resolve host", kNetwork},
    {"connection refused", kNetwork},
    {"connection reset", kNetwork},
    {"connection error", kNetwork},
    {"connection timed out", kNetwork},
    {"network is unreachable", kNetwork},
    {"temporary failure in name resolution", kNetwork},
    {"econnreset", kNetwork},
    {"econnrefused", kNetwork},
    {"etimedout", kNetwork},
    {"enotfound", kNetwork},
    {"fetch failed", kNetwork},
    {"unauthorized", kAuth},
    {"authentication failed", kAuth},
    {"authentication_error", kAuth},
    {"invalid api key", kAuth},
    {"incorrect api key", kAuth},
    {"status 401", kAuth},
};

std::string lower(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return folded;
}

std::optional<FailureClass> fitting(std::string_view folded,
                                    std::span<const FailurePattern> patterns) {
  for (const FailurePattern& pattern : patterns)
    if (folded.find(pattern.text) != std::string_view::npos) return pattern.failure;
  return std::nullopt;
}

}  // namespace

std::string_view name(FailureClass failure) {
  switch (failure) {
    case kTask: return "task";
    case kConfig: return "config";
    case kAuth: return "auth";
    case kRateLimit: return "rate_limit";
    case kQuota: return "quota";
    case kOverload: return "overload";
    case kNetwork: return "network";
  }
  return "task";
}

bool transient(FailureClass failure) {
  return failure == kRateLimit || failure == kQuota || failure == kOverload || failure == kNetwork;
}

Failure classify_failure(int exit_code, std::string_view words,
                         std::span<const FailurePattern> patterns, const LocalTime& time) {
  Failure found;
  if (words.size() > kLooked) words.remove_prefix(words.size() - kLooked);
  while (!words.empty() && found.line.empty()) {
    const std::size_t before = words.find_last_of("\r\n");
    const std::string_view line =
        before == std::string_view::npos ? words : words.substr(before + 1);
    words = before == std::string_view::npos ? std::string_view() : words.substr(0, before);
    const std::string folded = lower(line.substr(0, kLongestLine));
    auto fits = fitting(folded, patterns);
    if (!fits) fits = fitting(folded, kCommon);
    if (!fits) continue;
    found.failure = *fits;
    found.line = line.substr(0, kLongestLine);
    if (transient(*fits)) found.until = reset_time(line.substr(0, kLongestLine), time);
  }
  if (exit_code == kTryAgain && !transient(found.failure)) found.failure = kNetwork;
  return found;
}

}  // namespace gitplan
