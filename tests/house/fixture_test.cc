// What the other tests stand on: processes that cannot hang, and repositories that are always the
// same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Fixture, CommitsHaveTheSameIdEverywhere) {
  TempRepo repo;
  repo.write("src/main.c", "int main;\n");
  EXPECT_EQ(repo.commit("First"), "ce065f2a545fa8c7bfbd66b562ccf899a7ea6cea");
  EXPECT_EQ(repo.commit("Second"), "bff74c7ceda4d54c992b89fb84c8c63d1d0da31d");
  EXPECT_EQ(repo.git({"log", "--format=%an %cn %ad %s", "--date=iso"}),
            "A U Thor C O Mitter 2026-03-03 10:01:00 +0000 Second\n"
            "A U Thor C O Mitter 2026-03-03 10:00:00 +0000 First");
}

TEST(Fixture, NothingOfTheCallersEnvironmentComesThrough) {
  EXPECT_EQ(std::getenv("CI"), nullptr);
  EXPECT_EQ(std::getenv("GIT_DIR"), nullptr);
  EXPECT_NE(std::getenv("HOME"), nullptr);
  TempRepo repo;
  const std::string env = repo.run({"env"}, {.env = {{"TERM", std::nullopt}, {"X", "1"}}}).out;
  EXPECT_THAT(env, HasSubstr("HOME=" + repo.root().string() + "/home\n"));
  EXPECT_THAT(env, HasSubstr("LC_ALL=C\n"));
  EXPECT_THAT(env, HasSubstr("\nX=1\n"));
  EXPECT_THAT(env, Not(HasSubstr("TERM=")));
}

TEST(Fixture, BothPipesAndStandardInputFlowAtOnce) {
  TempRepo repo;
  const std::string big(3'000'000, 'x');
  EXPECT_EQ(repo.run({"cat"}, {.stdin_text = big}).out, big);
  const ProcessResult both =
      repo.run({"sh", "-c", "head -c 500000 /dev/zero >&2; head -c 500000 /dev/zero; exit 3"},
               {.stdin_text = big});
  EXPECT_EQ(both.out.size(), 500'000u);
  EXPECT_EQ(both.err.size(), 500'000u);
  EXPECT_EQ(both.exit_status, 3);
}

TEST(Fixture, ATimeoutEndsTheWholeGroup) {
  TempRepo repo;
  const ProcessResult result = repo.run({"sh", "-c", "sleep 100 & printf $!/stat; sleep 100"},
                                        {.timeout = std::chrono::milliseconds(300)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_status, 128 + 9);
  // Gone, or a zombie where nobody reaps orphans.
  const std::string state = repo.run({"sh", "-c", "cat /proc/" + result.out}).out;
  EXPECT_THAT(state, AnyOf("", HasSubstr(") Z ")));
}

TEST(Fixture, RemovesWhatItMade) {
  std::filesystem::path root;
  {
    TempRepo repo;
    root = repo.root();
    repo.write("closed/inner/file", "text\n");
    repo.git({"add", "-A"});
    EXPECT_EQ(repo.run({"chmod", "-R", "a-w", "closed"}).exit_status, 0);
  }
  EXPECT_FALSE(std::filesystem::exists(root));
}

}  // namespace
}  // namespace gitplan::test
