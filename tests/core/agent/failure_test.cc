#include "core/agent/failure.h"

#include <gtest/gtest.h>

#include "core/agent/preset.h"

namespace gitplan {
namespace {

using enum FailureClass;

constexpr Millis kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute;
constexpr Millis kNow = 1900000000000;  // 2030-03-17T17:46:40Z

constexpr LocalTime kHere{kNow, 0};

TEST(ResetTime, AfterADuration) {
  const std::pair<const char*, Millis> lines[] = {
      {"Rate limit reached. Retry after 30 seconds.", 30 * kSecond},
      {"retry-after: 45", 45 * kSecond},
      {"Please try again in 7.5s.", 7 * kSecond + 500},
      {"Please try again in 250ms", 250},
      {"try again in 2h5m", 2 * kHour + 5 * kMinute},
      {"Try again in 2 hours and 5 minutes", 2 * kHour + 5 * kMinute},
      {"You've hit your usage limit, try again in 3 days 4 hours 9 minutes.",
       76 * kHour + 9 * kMinute},
      {"Your quota will reset after 1h2m3s.", kHour + 2 * kMinute + 3 * kSecond},
  };
  for (const auto& [line, wait] : lines) EXPECT_EQ(reset_time(line, kHere), kNow + wait) << line;
}

TEST(ResetTime, AtAPointInTime) {
  const std::pair<const char*, const char*> lines[] = {
      {"5-hour limit reached - resets 8pm", "2030-03-17T20:00:00Z"},
      {"limit reached, resets 8:30 PM", "2030-03-17T20:30:00Z"},
      {"resets at 3am", "2030-03-18T03:00:00Z"},
      {"resets at 12am", "2030-03-18T00:00:00Z"},
      {"wait until 23:15", "2030-03-17T23:15:00Z"},
      {"wait until 17:46", "2030-03-18T17:46:00Z"},  // gone by for today
      {"quota resets at 2030-03-19T04:05:06Z.", "2030-03-19T04:05:06Z"},
      {"AI usage limit reached|1900003600", "2030-03-17T18:46:40Z"},
      {"\"retry\": {\"reset\": 1900003600000}", "2030-03-17T18:46:40Z"},
  };
  for (const auto& [line, time] : lines) {
    const auto then = reset_time(line, kHere);
    ASSERT_TRUE(then.has_value()) << line;
    EXPECT_EQ(to_rfc3339(*then), time) << line;
  }
}

TEST(ResetTime, ATimeOfDayIsLocal) {
  const std::pair<Millis, const char*> places[] = {
      {0, "2030-03-17T20:00:00Z"},
      {kHour, "2030-03-17T19:00:00Z"},
      {5 * kHour + 30 * kMinute, "2030-03-18T14:30:00Z"},  // 23:16 there: tomorrow
      {-8 * kHour, "2030-03-18T04:00:00Z"},
      {14 * kHour, "2030-03-18T06:00:00Z"},
  };
  for (const auto& [offset, time] : places) {
    const auto then = reset_time("resets 8pm", {kNow, offset});
    ASSERT_TRUE(then.has_value());
    EXPECT_EQ(to_rfc3339(*then), time) << offset;
  }
}

TEST(ResetTime, IsNotSeenInOtherNumbers) {
  for (const char* line :
       {"", "429 Too Many Requests", "the job failed in 30 seconds", "resets at 25:00",
        "resets at 13pm", "resets at 7:61", "retry after 99999999999999999999",
        "try again in 30 days", "try again in 691200000d 691200000d",
        "reset at 2031-01-01T00:00:00Z", "reset at 2029-01-01T00:00:00Z", "limit reached|12",
        "retry", "retry after", "reset 3 files"})
    EXPECT_EQ(reset_time(line, kHere), std::nullopt) << line;
}

TEST(Failure, EveryPatternOfEveryPresetIsOfItsClass) {
  for (const Preset& preset : presets())
    for (const FailurePattern& pattern : preset.patterns) {
      const std::string line = "Error: " + std::string(pattern.text);
      EXPECT_EQ(classify_failure(1, line, preset.patterns, kHere).failure, pattern.failure)
          << preset.name << ": " << pattern.text;
    }
}

TEST(Failure, CommonWordsAreKnownWhateverTheirCase) {
  const std::pair<const char*, FailureClass> lines[] = {
      {"HTTP 429 Too Many Requests", kRateLimit},
      {"Error: You exceeded your current quota", kQuota},
      {"API Error: Overloaded", kOverload},
      {"dial tcp: connect: Connection Refused", kNetwork},
      {"getaddrinfo ENOTFOUND api.example.org", kNetwork},
      {"401 Unauthorized", kAuth},
      {"make: *** [all] Error 2", kTask},
      {"", kTask},
  };
  for (const auto& [line, expected] : lines)
    EXPECT_EQ(classify_failure(1, line, {}, kHere).failure, expected) << line;
}

TEST(Failure, TheLastWordDecides) {
  const auto failure = classify_failure(
      1, "rate limit, retry after 5 seconds\nworking\nInvalid API key\nbye\n", {}, kHere);
  EXPECT_EQ(failure.failure, kAuth);
  EXPECT_EQ(failure.line, "Invalid API key");
  EXPECT_EQ(failure.until, std::nullopt);
}

TEST(Failure, OnlyTheEndOfMuchIsLookedAt) {
  const std::string much = "too many requests\n" + std::string(100 << 10, 'x') + "\n";
  EXPECT_EQ(classify_failure(1, much, {}, kHere).failure, kTask);
}

TEST(Failure, Status75IsTransientWhateverWasSaid) {
  EXPECT_EQ(classify_failure(75, "nothing to say", {}, kHere).failure, kNetwork);
  EXPECT_EQ(classify_failure(75, "Invalid API key", {}, kHere).failure, kNetwork);
  const auto told = classify_failure(75, "Overloaded, retry after 60s", {}, kHere);
  EXPECT_EQ(told.failure, kOverload);
  EXPECT_EQ(told.until, kNow + kMinute);
}

TEST(Failure, NamesAreThoseOfTheJournal) {
  for (const auto& [failure, text, later] :
       {std::tuple(kTask, "task", false), std::tuple(kConfig, "config", false),
        std::tuple(kAuth, "auth", false), std::tuple(kRateLimit, "rate_limit", true),
        std::tuple(kQuota, "quota", true), std::tuple(kOverload, "overload", true),
        std::tuple(kNetwork, "network", true)}) {
    EXPECT_EQ(name(failure), text);
    EXPECT_EQ(transient(failure), later) << text;
  }
}

}  // namespace
}  // namespace gitplan
