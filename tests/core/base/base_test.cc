#include <gtest/gtest.h>

#include "core/base/diagnostic.h"
#include "core/base/edit_distance.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/timestamp.h"

namespace gitplan {
namespace {

TEST(Timestamp, WritesAndReadsUtc) {
  EXPECT_EQ("1970-01-01T00:00:00Z", to_rfc3339(0));
  EXPECT_EQ("2026-03-03T10:00:00.123Z", to_rfc3339(1772532000123));
  EXPECT_EQ(1772532000123, from_rfc3339("2026-03-03T10:00:00.123Z"));
  EXPECT_EQ(1772532000000, from_rfc3339("2026-03-03T12:00:00+02:00"));
  EXPECT_EQ(1772496000000, from_rfc3339("2026-03-03"));
  EXPECT_EQ("2026-03-03", date_of(1772532000123));
  EXPECT_EQ("10:00:00", time_of(1772532000123));
}

TEST(Timestamp, ReadsNothingElse) {
  for (const char* text : {"", "yesterday", "2026-13-01", "2026-02-30", "2026-03-03T25:00:00Z",
                           "2026-03-03T10:00:00", "2026-03-03T10:00:00.Z", "2026-03-03T10:00:00Zx"})
    EXPECT_FALSE(from_rfc3339(text).has_value()) << text;
}

TEST(Timestamp, EveryMillisecondComesBack) {
  for (Millis time = 0; time < 4102444800000; time += 7919 * 1000003LL)
    EXPECT_EQ(time, from_rfc3339(to_rfc3339(time)));
}

TEST(Timestamp, DurationsAreShort) {
  EXPECT_EQ("0 s", short_duration(-5));
  EXPECT_EQ("59 s", short_duration(59999));
  EXPECT_EQ("3 m 20 s", short_duration(200000));
  EXPECT_EQ("2 h 5 m", short_duration(7500000));
  EXPECT_EQ("3 d", short_duration(3 * 86400000LL));
}

TEST(Sha256, IsTheStandards) {
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sha256_hex("abc"));
}

TEST(EditDistance, FindsTypingErrorsAndNoMore) {
  const std::vector<std::string> commands{"create", "execute", "status", "list"};
  EXPECT_EQ("status", nearest("statsu", commands));
  EXPECT_EQ("execute", nearest("exceute", commands));
  EXPECT_EQ("list", nearest("lst", commands));
  EXPECT_FALSE(nearest("frobnicate", commands).has_value());
  EXPECT_EQ(1, edit_distance("ab", "ba"));
  EXPECT_EQ(3, edit_distance("", "abc"));
}

TEST(Diagnostic, HasTheFormThatEditorsJumpTo) {
  Diagnostic fault;
  fault.file = "plan.md";
  fault.line = 12;
  fault.column = 5;
  fault.message = "unknown key 'moode'";
  fault.fix = "did you mean 'mode'?";
  EXPECT_EQ("plan.md:12:5: error: unknown key 'moode' (did you mean 'mode'?)", to_string(fault));
}

TEST(Error, EachCodeHasItsExitStatus) {
  EXPECT_EQ(129, exit_status(ErrorCode::kUsage));
  EXPECT_EQ(2, exit_status(ErrorCode::kInvalid));
  EXPECT_EQ(8, exit_status(ErrorCode::kBusy));
  EXPECT_EQ(7, exit_status(ErrorCode::kNotTrusted));
  EXPECT_EQ(4, exit_status(ErrorCode::kDecision));
  EXPECT_EQ(130, exit_status(ErrorCode::kInterrupted));
  EXPECT_EQ(1, exit_status(ErrorCode::kFailed));
}

}  // namespace
}  // namespace gitplan
