// The watch file and what a hook reads from a few files: round trip, damage, time.
#include "hooks/quick/watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "hooks/quick/git_state.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

Watch example() {
  Watch watch;
  watch.stamps = {{"packed-refs", 1, 2, 3, 4}, {"refs/plans", 5, 6, 0, 7}};
  WatchedPlan plan;
  plan.id = "x";
  plan.tip = std::string(40, 'a');
  plan.identity = "0123456789abcdef";
  plan.paths = {{"a\tb\nc\\d", std::string(40, 'b'), "one, two"}, {"e", "", ""}};
  plan.scopes = {{"one", "src/**"}};
  plan.waves = {{"run", 12, std::string(40, 'c')}};
  watch.plans = {plan, {}};
  return watch;
}

TEST(Watch, IsReadAsItWasWritten) {
  const std::string text = to_text(example());
  const auto read = parse_watch(text);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->whole);
  EXPECT_EQ(read->stamps, example().stamps);
  ASSERT_EQ(read->plans.size(), 2u);
  EXPECT_EQ(read->plans[0].paths[0].path, "a\tb\nc\\d");
  EXPECT_EQ(read->plans[0].waves[0].number, 12);
  EXPECT_EQ(to_text(*read), text);
}

TEST(Watch, WhatIsDamagedIsNotTaken) {
  const std::string text = to_text(example());
  EXPECT_FALSE(parse_watch(""));
  EXPECT_FALSE(parse_watch("git-plan watch 2" + text.substr(16)));
  EXPECT_FALSE(parse_watch(text + "path\tonly\n"));
  EXPECT_FALSE(parse_watch(text + "other\ta\tb\tc\n"));
  const std::size_t plan = text.find("plan\t");
  EXPECT_FALSE(parse_watch(text.substr(0, plan) + "path\ta\tb\tc\n")) << "of no plan";
  for (std::size_t end = 0; end < text.size(); ++end) parse_watch(text.substr(0, end));
}

class WatchFile : public ::testing::Test {
 protected:
  WatchFile() {
    fs::create_directories(common_ + "/git-plan/wal");
    fs::create_directories(common_ + "/refs/plans");
    write("packed-refs", "x\n", 10);
    age("refs/plans", 10);
  }
  void write(const std::string& name, const std::string& text, int seconds_ago) {
    std::ofstream(common_ + "/" + name) << text;
    age(name, seconds_ago);
  }
  void age(const std::string& name, int seconds_ago) {
    const timespec then{now_ - seconds_ago, 0};
    const timespec times[2]{then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, (common_ + "/" + name).c_str(), times, 0), 0);
  }
  void watch(int seconds_ago) {
    Watch watch = example();
    watch.stamps = stamps_of(common_);
    write("git-plan/watch", to_text(watch), seconds_ago);
  }
  TempRepo repo_;
  std::string common_ = repo_.root() / "common";
  std::time_t now_ = std::time(nullptr);
};

TEST_F(WatchFile, IsCurrentWhileTheRefsAreAsItSaw) {
  watch(5);
  const WatchHead head = read_watch_head(common_);
  EXPECT_TRUE(head.current);
  EXPECT_EQ(head.paths, 2u);
  EXPECT_EQ(head.scopes, 1u);
  EXPECT_TRUE(head.has_wave({std::string(40, 'd'), std::string(40, 'c')}));
  EXPECT_FALSE(head.has_wave({std::string(40, 'd')}));
  write("packed-refs", "y\n", 4);
  EXPECT_FALSE(read_watch_head(common_).current);
}

TEST_F(WatchFile, ANewWriteAheadFileMakesItOld) {
  watch(5);
  write("git-plan/wal/0123456789abcdef", "event\n", 8);
  EXPECT_FALSE(read_watch_head(common_).current);
}

// The refs may have moved once more in the same tick of the clock.
TEST_F(WatchFile, WhatIsAsYoungAsTheRefsIsNotTrusted) {
  age("refs/plans", 5);
  watch(5);
  EXPECT_FALSE(read_watch_head(common_).current);
}

TEST_F(WatchFile, OneThatIsNotWholeIsNotCurrent) {
  Watch watch;
  watch.stamps = stamps_of(common_);
  watch.whole = false;
  write("git-plan/watch", to_text(watch), 5);
  EXPECT_FALSE(read_watch_head(common_).current);
}

TEST_F(WatchFile, PlansAreFoundLooseAndPacked) {
  const GitPlace place{common_, common_};
  fs::remove(common_ + "/refs/plans");
  const std::string id(40, 'a');
  write("packed-refs",
        "# pack-refs with: peeled fully-peeled sorted \n" + id + " refs/heads/m\n" + id +
            " refs/plansomething\n" + id + " refs/tags/refs/plans/x\n",
        5);
  EXPECT_FALSE(may_have_plans(place));
  std::string many = "# pack-refs with: peeled fully-peeled sorted \n";
  for (int i = 0; i < 3000; ++i) many += id + " refs/heads/b" + std::to_string(10000 + i) + "\n";
  const std::string tags = id + " refs/tags/v1\n^" + id + "\n";
  write("packed-refs", many + tags, 5);
  EXPECT_FALSE(may_have_plans(place));
  write("packed-refs", many + id + " refs/plans/x\n" + tags, 5);
  EXPECT_TRUE(may_have_plans(place));
  write("packed-refs", many, 5);
  fs::create_directories(common_ + "/refs/plans");
  std::ofstream(common_ + "/refs/plans/x") << id << "\n";
  EXPECT_TRUE(may_have_plans(place));
}

}  // namespace
}  // namespace gitplan::test
