#include "refs/wave/foretell.h"

#include <filesystem>

#include "tests/refs/wave/wave_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ForetellTest : public WaveFixture {
 protected:
  ForetellTest() { start({{"a.txt", lines(60)}, {"b.txt", "b\n"}, {"d/f.txt", lines(20)}}); }
  GrowingBranch branch(const std::string& task, const Files& files, std::string base = {}) {
    if (base.empty()) base = base_;
    return {task, base, commit_on(base, files)};
  }
  std::vector<std::string> told(const std::vector<GrowingBranch>& branches) {
    std::vector<std::string> result;
    const std::string objects = repo_.git({"count-objects"});
    const std::string directory = (repo_.root() / "trials").string();
    for (const ForetoldConflict& one : must(foretell(*repository_, branches, directory)))
      for (const std::string& text : text_of(one.conflicts))
        result.push_back(one.one + "+" + one.other + " " + text);
    EXPECT_EQ(repo_.git({"count-objects"}), objects) << "trials leave nothing";
    EXPECT_TRUE(std::filesystem::is_empty(directory));
    return result;
  }
};

TEST_F(ForetellTest, SameLinesOfOneFile) {
  EXPECT_THAT(told({branch("one", {{"a.txt", lines(60, {{5, "one"}})}}),
                    branch("two", {{"a.txt", lines(60, {{40, "two"}})}}),
                    branch("three", {{"a.txt", lines(60, {{5, "three"}})}}),
                    branch("four", {{"b.txt", "B\n"}})}),
              ElementsAre("one+three a.txt content: one 5-5; three 5-5"));
}

TEST_F(ForetellTest, ADeletedFileAndAFolderThatBecameAFile) {
  EXPECT_THAT(told({branch("one", {{"d/f.txt", kGone}}),
                    branch("two", {{"d/f.txt", lines(20, {{3, "two"}})}}),
                    branch("three", {{"d", "a file\n"}})}),
              ElementsAre(::testing::StartsWith("one+two d/f.txt delete"),
                          ::testing::StartsWith("two+three d/f.txt delete"),
                          ::testing::StartsWith("two+three d~")));  // git's name for the file
}

// Of an eager plan: the second started when the first was integrated.
TEST_F(ForetellTest, WhatOneHasOfTheOtherIsNoChangeOfIts) {
  const GrowingBranch one = branch("one", {{"a.txt", lines(60, {{5, "one"}})}});
  const GrowingBranch two = branch("two", {{"a.txt", lines(60, {{5, "one and two"}})}}, one.commit);
  EXPECT_THAT(told({one, two}), IsEmpty());
  EXPECT_THAT(told({branch("three", {{"a.txt", lines(60, {{5, "three"}})}}), two}),
              ElementsAre("three+two a.txt content: three 5-5; two 5-5"));
}

TEST_F(ForetellTest, OneAloneOrWithoutAChangeMeetsNobody) {
  EXPECT_THAT(told({branch("one", {{"a.txt", "new\n"}}), {"two", base_, base_}}), IsEmpty());
}

}  // namespace
}  // namespace gitplan::test
