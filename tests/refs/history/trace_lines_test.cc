#include <gtest/gtest.h>

#include "refs/history/trace.h"
#include "tests/refs/history/history_fixture.h"

namespace gitplan::test {
namespace {

struct TraceLinesTest : testing::Test, History {
  // Lines 11 to 20 of 40, after the file became `text`, and in between what `between` says.
  Traced after(const std::string& text, const std::vector<std::string>& between = {}) {
    repo.write("a", lines("a", 1, 40));
    const std::string from = repo.commit("one");
    for (const std::string& step : between) {
      repo.write("a", step);
      repo.commit("step");
    }
    repo.write("a", text);
    repo.commit("last");
    return trace_one(from, {"a", "", 11, 20});
  }
};

TEST_F(TraceLinesTest, Shifted) {
  const Traced a = after(lines("top", 1, 5) + lines("a", 1, 40));
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_EQ(a.first_line, 16);
  EXPECT_EQ(a.last_line, 25);
  EXPECT_EQ(a.changed_percent, 0);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceLinesTest, GrownInside) {
  const Traced a = after(lines("a", 1, 15) + lines("in", 1, 3) + lines("a", 16, 40));
  EXPECT_EQ(a.first_line, 11);
  EXPECT_EQ(a.last_line, 23);
  EXPECT_GT(a.changed_percent, 0);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceLinesTest, InsertedRightBeforeAndAfterIsNotInside) {
  const Traced a = after(lines("a", 1, 10) + lines("x", 1, 2) + lines("a", 11, 20) +
                         lines("y", 1, 2) + lines("a", 21, 40));
  EXPECT_EQ(a.first_line, 13);
  EXPECT_EQ(a.last_line, 22);
}

TEST_F(TraceLinesTest, ALineEdited) {
  const Traced a = after(lines("a", 1, 10) + lines("b", 11, 11) + lines("a", 12, 40));
  EXPECT_EQ(a.first_line, 11);
  EXPECT_EQ(a.last_line, 20);
  EXPECT_EQ(a.changed_percent, 10);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceLinesTest, RewrittenStepByStep) {
  const Traced a =
      after(lines("a", 1, 10) + lines("b", 11, 20) + lines("a", 21, 40),
            {lines("a", 1, 10) + lines("b", 11, 15) + lines("a", 16, 40),
             lines("z", 1, 3) + lines("a", 1, 10) + lines("b", 11, 15) + lines("a", 16, 40)});
  EXPECT_EQ(a.first_line, 11);
  EXPECT_EQ(a.last_line, 20);
  EXPECT_EQ(a.changed_percent, 100);
  EXPECT_FALSE(a.lines_gone);
}

TEST_F(TraceLinesTest, Deleted) {
  const Traced a = after(lines("a", 1, 8) + lines("a", 23, 40));
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_TRUE(a.lines_gone);
  EXPECT_EQ(a.first_line, 0);
  EXPECT_EQ(a.changed_percent, 100);
  EXPECT_FALSE(a.certain);
}

TEST_F(TraceLinesTest, MovedWithinTheFile) {
  const Traced a = after(lines("a", 1, 10) + lines("a", 21, 40) + lines("a", 11, 20));
  EXPECT_EQ(a.first_line, 31);
  EXPECT_EQ(a.last_line, 40);
  EXPECT_EQ(a.changed_percent, 0);
}

TEST_F(TraceLinesTest, InAFileThatMovedAndWasEdited) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.write("b", lines("top", 1, 2) + lines("a", 1, 40));
  repo.commit("two");
  repo.write("b", lines("top", 1, 4) + lines("a", 1, 40));
  repo.commit("three");
  const Traced a = trace_one(from, {"a", "", 11, 20});
  EXPECT_EQ(a.path, "b");
  EXPECT_EQ(a.first_line, 15);
  EXPECT_EQ(a.last_line, 24);
  EXPECT_EQ(a.changed_percent, 0);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceLinesTest, OfAFileThatDidNotChange) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  repo.commit("two");
  const Traced a = trace_one(from, {"a", "", 11, 20});
  EXPECT_EQ(a.fate, Fate::Same);
  EXPECT_EQ(a.first_line, 11);
  EXPECT_EQ(a.last_line, 20);
}

}  // namespace
}  // namespace gitplan::test
