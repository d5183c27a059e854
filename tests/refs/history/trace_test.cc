#include "refs/history/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refs/history/history_fixture.h"

namespace gitplan::test {
namespace {

struct TraceTest : testing::Test, History {};

TEST_F(TraceTest, WhatDidNotChangeIsTheSame) {
  repo.write("a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  repo.write("b", "b\n");
  repo.commit("two");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Same);
  EXPECT_EQ(a.path, "a");
  EXPECT_EQ(a.similarity, 100);
  EXPECT_TRUE(a.certain);
  EXPECT_EQ(a.by, "");
}

TEST_F(TraceTest, HowMuchChangedAndByWhom) {
  repo.write("a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  repo.write("a", lines("a", 1, 15) + lines("new", 1, 5));
  const std::string two = repo.commit("two");
  repo.commit("three");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_EQ(a.changed_percent, 25);
  EXPECT_EQ(a.by, two);
  EXPECT_EQ(a.subject, "two");
  EXPECT_NE(a.author, "");
  EXPECT_GT(a.when, 0);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceTest, AChainOfMovesWithEditsBetween) {
  repo.write("a", lines("a", 1, 30));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.commit("two");
  repo.write("b", lines("a", 1, 27));
  repo.commit("three");
  move("b", "deep/c");
  const std::string four = repo.commit("four");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "deep/c");
  EXPECT_NEAR(a.similarity, 90, 1);
  EXPECT_EQ(a.changed_percent, 10);
  EXPECT_EQ(a.by, four);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceTest, GradualChangeWhoseEndsHaveNothingInCommon) {
  repo.write("f0", lines("a", 1, 10));
  const std::string from = repo.commit("one");
  for (int i = 1; i <= 5; ++i) {
    move("f" + std::to_string(i - 1), "f" + std::to_string(i));
    repo.write("f" + std::to_string(i), lines("a", 1 + 2 * i, 10 + 2 * i));
    repo.commit("step");
  }
  const Traced a = trace_one(from, {"f0"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "f5");
  EXPECT_EQ(a.similarity, 0);
  EXPECT_EQ(a.changed_percent, 100);
}

TEST_F(TraceTest, ThereAndBack) {
  repo.write("a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.commit("two");
  move("b", "a");
  repo.commit("three");
  EXPECT_EQ(trace_one(from, {"a"}).fate, Fate::Same);
}

TEST_F(TraceTest, OnlyTheCaseOfAName) {
  repo.write("Read.md", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  move("Read.md", "read.md");
  repo.commit("two");
  const Traced a = trace_one(from, {"Read.md"});
  EXPECT_EQ(a.path, "read.md");
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceTest, DeletedByACommit) {
  repo.write("a", lines("a", 1, 20));
  repo.write("b", "b\n");
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "a"});
  const std::string two = repo.commit("two");
  repo.write("other", lines("other", 1, 20));
  repo.commit("three");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Gone);
  EXPECT_EQ(a.path, "a");
  EXPECT_EQ(a.by, two);
  EXPECT_FALSE(a.certain);
}

TEST_F(TraceTest, AnotherFileTookThePlaceOfADeletedOne) {
  repo.write("a", lines("a", 1, 20));
  repo.write("b", "b\n");
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "a"});
  const std::string two = repo.commit("two");
  repo.write("a", lines("other", 1, 20));
  repo.commit("three");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Gone);
  EXPECT_EQ(a.by, two);
  ASSERT_EQ(a.others.size(), 1u);
  EXPECT_EQ(a.others[0].path, "a");
  EXPECT_EQ(a.others[0].similarity, 0);
}

TEST_F(TraceTest, AnotherFileTookThePlaceOfAMovedOneInTheSameCommit) {
  repo.write("a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.write("a", lines("other", 1, 20));
  repo.commit("two");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "b");
}

TEST_F(TraceTest, DeletedAndTakenBack) {
  repo.write("a", lines("a", 1, 20));
  repo.write("b", "b\n");
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "a"});
  repo.commit("two");
  repo.write("a", lines("a", 1, 18));
  const std::string three = repo.commit("three");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_EQ(a.path, "a");
  EXPECT_EQ(a.by, three);
}

TEST_F(TraceTest, TwoFilesThatChangedPlaces) {
  repo.write("a", lines("a", 1, 20));
  repo.write("b", lines("b", 1, 20));
  const std::string from = repo.commit("one");
  repo.write("b", lines("a", 1, 20));
  repo.write("a", lines("b", 1, 20));
  repo.commit("two");
  EXPECT_EQ(trace_one(from, {"a"}).path, "b");
  EXPECT_EQ(trace_one(from, {"b"}).path, "a");
}

TEST_F(TraceTest, AMoveOverAnotherFile) {
  repo.write("a", lines("a", 1, 20));
  repo.write("b", lines("b", 1, 20));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.commit("two");
  EXPECT_EQ(trace_one(from, {"a"}).path, "b");
}

TEST_F(TraceTest, ACopyIsNoMove) {
  repo.write("a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  repo.write("b", lines("a", 1, 20));
  repo.write("a", lines("a", 1, 19));
  repo.commit("two");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_EQ(a.path, "a");
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceTest, ASplitNamesItsParts) {
  repo.write("a", lines("a", 1, 100));
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "a"});
  repo.write("a1", lines("a", 1, 60));
  repo.write("a2", lines("a", 61, 100));
  repo.commit("two");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "a1");
  EXPECT_FALSE(a.certain);
  ASSERT_EQ(a.others.size(), 1u);
  EXPECT_EQ(a.others[0].path, "a2");
  EXPECT_GE(a.others[0].similarity, 39);
}

TEST_F(TraceTest, ASplitThatLeavesAPart) {
  repo.write("a", lines("a", 1, 100));
  const std::string from = repo.commit("one");
  repo.write("a", lines("a", 1, 60));
  repo.write("a2", lines("a", 61, 100));
  repo.commit("two");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Changed);
  ASSERT_EQ(a.others.size(), 1u);
  EXPECT_EQ(a.others[0].path, "a2");
}

TEST_F(TraceTest, TwinsOfTheSameContentAreNotGuessed) {
  repo.write("x/a", lines("a", 1, 20));
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "x/a"});
  repo.write("y/b", lines("a", 1, 20));
  repo.write("z/c", lines("a", 1, 20));
  repo.commit("two");
  const Traced a = trace_one(from, {"x/a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_FALSE(a.certain);
  EXPECT_EQ(a.others.size(), 1u);
}

TEST_F(TraceTest, WhatAnotherPathHasMoreClaimToIsNotTaken) {
  repo.write("a", lines("a", 1, 60) + lines("b", 1, 40));
  repo.write("b", lines("a", 1, 60) + lines("c", 1, 40));
  const std::string from = repo.commit("one");
  repo.git({"rm", "-q", "a"});
  move("b", "c");
  repo.write("c", lines("a", 1, 60) + lines("c", 1, 38));
  repo.commit("two");
  EXPECT_EQ(trace_one(from, {"a"}).fate, Fate::Gone);
  EXPECT_EQ(trace_one(from, {"b"}).path, "c");
}

TEST_F(TraceTest, AFolder) {
  for (int i = 0; i < 5; ++i)
    repo.write("src/lib/f" + std::to_string(i), lines("f" + std::to_string(i), 1, 10));
  const std::string from = repo.commit("one");
  move("src/lib", "core");
  repo.write("core/f0", lines("f0", 1, 9));
  const std::string two = repo.commit("two");
  repo.write("core/more", "more\n");
  repo.commit("three");
  const Traced lib = trace_one(from, {"src/lib"});
  EXPECT_EQ(lib.fate, Fate::Moved);
  EXPECT_EQ(lib.path, "core");
  EXPECT_EQ(lib.by, two);
  EXPECT_TRUE(lib.certain);
  EXPECT_EQ(trace_one(from, {"src"}).path, "core");
  EXPECT_EQ(trace_one(from, {"src/lib/f0"}).path, "core/f0");
}

TEST_F(TraceTest, AFolderThatGoesFileByFile) {
  for (int i = 0; i < 5; ++i)
    repo.write("old/f" + std::to_string(i), lines("f" + std::to_string(i), 1, 10));
  const std::string from = repo.commit("one");
  for (int i = 0; i < 5; ++i) {
    move("old/f" + std::to_string(i), "new/f" + std::to_string(i));
    repo.commit("step");
  }
  const Traced old = trace_one(from, {"old"});
  EXPECT_EQ(old.fate, Fate::Moved);
  EXPECT_EQ(old.path, "new");
}

TEST_F(TraceTest, WhatWasNotThere) {
  repo.write("a", "a\n");
  const std::string from = repo.commit("one");
  repo.write("b", "b\n");
  const std::string two = repo.commit("two");
  repo.commit("three");
  const Traced b = trace_one(from, {"b"});
  EXPECT_EQ(b.fate, Fate::Came);
  EXPECT_EQ(b.by, two);
  EXPECT_EQ(trace_one(from, {"c"}).fate, Fate::Absent);
}

TEST_F(TraceTest, BinaryLargeAndLinks) {
  std::string binary(64 * 100, '\0');
  for (std::size_t i = 0; i < binary.size(); ++i) binary[i] = static_cast<char>(i * i % 251);
  repo.write("binary", binary);
  std::string large;
  while (large.size() <= (11u << 20)) large += lines("large", 1, 1000);
  repo.write("large", large);
  repo.git(
      {"update-index", "--add", "--cacheinfo",
       "120000," + repo.git({"hash-object", "-w", "--stdin"}, {.stdin_text = "binary"}) + ",link"});
  repo.git({"checkout-index", "-a", "-f"});
  const std::string from = repo.commit("one");
  move("binary", "b2");
  repo.write("b2", binary.substr(64 * 10));
  move("large", "l2");
  move("link", "k2");
  repo.commit("two");
  repo.write("l2", large + "more\n");
  repo.commit("three");
  const Traced b = trace_one(from, {"binary"});
  EXPECT_EQ(b.path, "b2");
  EXPECT_GE(b.similarity, 80);
  const Traced l = trace_one(from, {"large"});
  EXPECT_EQ(l.path, "l2");
  EXPECT_EQ(l.similarity, -1);
  EXPECT_EQ(l.changed_percent, -1);
  EXPECT_EQ(trace_one(from, {"link"}).path, "k2");
}

}  // namespace
}  // namespace gitplan::test
