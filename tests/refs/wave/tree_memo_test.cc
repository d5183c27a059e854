#include "refs/wave/tree_memo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

// An hour later than it is: whatever the test has done is old.
std::int64_t later() {
  const auto now = std::chrono::system_clock::now() + std::chrono::hours(1);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
}

class Memo : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.write(".gitignore", "*.o\n");
    repo_.write("a.txt", "a\n");
    repo_.write("src/b.txt", "b\n");
    repo_.commit("start");
    repository_.emplace(*Repository::open_at(repo_.path().string()));
    tree_.emplace(*worktree_at(*repository_, repo_.path().string()));
    head_ = repo_.git({"rev-parse", "HEAD"});
  }

  std::string state_by(TreeMemo& memo, const std::string& aside) {
    const auto staged = memo.state(*repository_, *tree_, head_, aside);
    return staged ? staged->tree : "error: " + staged.error().message;
  }
  // What staging it makes of it.
  std::string fresh() {
    TreeMemo memo(later);
    return state_by(memo, aside_);
  }
  // Nothing can be staged there.
  std::string remembered() { return state_by(memo_, (repo_.root() / "no/where").string()); }

  TempRepo repo_;
  std::optional<Repository> repository_;
  std::optional<Worktree> tree_;
  std::string head_;
  const std::string aside_ = (repo_.root() / "aside").string();
  TreeMemo memo_{later};
};

TEST_F(Memo, AnUnchangedTreeIsNotStagedAgain) {
  EXPECT_THAT(remembered(), ::testing::HasSubstr("error"));
  repo_.write("a.txt", "other\n");
  const std::string state = state_by(memo_, aside_);
  EXPECT_EQ(state, fresh());
  EXPECT_EQ(remembered(), state);
  EXPECT_FALSE(std::filesystem::exists(aside_));
}

TEST_F(Memo, WhatTheTasksFoldersAreMakesNoDifference) {
  const std::string state = state_by(memo_, aside_);
  repo_.write(".git-plan/x/task.md", "go\n");
  EXPECT_EQ(remembered(), state);
  std::filesystem::remove_all(repo_.path() / ".git-plan");
  EXPECT_EQ(remembered(), state);
}

TEST_F(Memo, EveryChangeIsSeen) {
  const auto path = [&](const char* name) { return (repo_.path() / name).string(); };
  struct Change {
    const char* what;
    std::function<void()> make;
  };
  const std::vector<Change> changes{
      {"as long, with the old time",
       [&] {
         const auto old = std::filesystem::last_write_time(path("a.txt"));
         repo_.write("a.txt", "A\n");
         std::filesystem::last_write_time(path("a.txt"), old);
       }},
      {"a mode", [&] { ::chmod(path("a.txt").c_str(), 0755); }},
      {"a new file in a folder", [&] { repo_.write("src/c.txt", "c\n"); }},
      {"a new folder", [&] { repo_.write("lib/d.txt", "d\n"); }},
      {"a rename", [&] { std::filesystem::rename(path("src/c.txt"), path("src/e.txt")); }},
      {"one gone", [&] { std::filesystem::remove(path("src/e.txt")); }},
      {"a link for a file",
       [&] {
         std::filesystem::remove(path("a.txt"));
         std::filesystem::create_symlink("src", path("a.txt"));
       }},
      {"what is ignored, in the tree",
       [&] {
         repo_.write("x.o", "o\n");
         repo_.write(".gitignore", "*.a\n");
       }},
      {"what is ignored, by the clone", [&] { repo_.write(".git/info/exclude", "lib/\n"); }},
      {"an ignored file in the index",
       [&] {
         repo_.git({"add", "-f", "lib/d.txt"});
       }},
      {"a setting",
       [&] {
         repo_.git({"config", "core.fileMode", "false"});
       }},
  };
  for (const Change& change : changes) {
    EXPECT_EQ(state_by(memo_, aside_), fresh());
    ASSERT_EQ(remembered(), fresh()) << "before " << change.what;
    change.make();
    EXPECT_THAT(remembered(), ::testing::HasSubstr("error")) << change.what;
    EXPECT_EQ(state_by(memo_, aside_), fresh()) << change.what;
  }
}

TEST_F(Memo, AnotherCommitIsAnotherState) {
  state_by(memo_, aside_);
  repo_.git({"commit", "-q", "--allow-empty", "-m", "next"});
  head_ = repo_.git({"rev-parse", "HEAD"});
  EXPECT_THAT(remembered(), ::testing::HasSubstr("error"));
}

TEST_F(Memo, WhatIsYoungIsNotTrusted) {
  TreeMemo now;  // by the true clock: everything was made just now
  state_by(now, aside_);
  EXPECT_THAT(state_by(now, (repo_.root() / "no/where").string()), ::testing::HasSubstr("error"));
}

TEST_F(Memo, NorIsATreeWithARepositoryInIt) {
  EXPECT_TRUE(stamp_of(*repository_, *tree_, later()).has_value());
  repo_.git({"init", "-q", "src/inner"});
  EXPECT_FALSE(stamp_of(*repository_, *tree_, later()).has_value());
}

}  // namespace
}  // namespace gitplan::test
