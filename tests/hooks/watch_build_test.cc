// The watch file of a real repository: there when hooks are installed, and what it says of plans.
#include "hooks/watch_build.h"

#include <filesystem>

#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

class WatchBuild : public ::testing::Test {
 protected:
  std::string common() const { return repo_.path() / ".git"; }
  std::string file() const { return watch_path(common()); }
  // By the time that is given to it.
  Watch build(std::chrono::milliseconds time) {
    auto repository = Repository::open_at(repo_.path());
    EXPECT_TRUE(repository.ok());
    auto store = Store::open(*repository);
    EXPECT_TRUE(store.ok());
    auto watch = current_watch(*repository, *store, time);
    EXPECT_TRUE(watch.ok());
    return *std::move(watch);
  }
  HookRepo repo_{false};
};

TEST_F(WatchBuild, IsThereForTheFirstHookAfterInstall) {
  for (const Words& words : {Words{"hooks", "install"}, Words{"init"}}) {
    repo_.make_plan(words[0]);
    EXPECT_EQ(repo_.plan(words).exit_status, 0);
    const WatchHead head = read_watch_head(common());
    EXPECT_TRUE(head.current);
    const auto made = fs::last_write_time(file());
    repo_.git({"rm", "-q", "--cached", "src/a.txt"});
    EXPECT_NE(repo_.say_git({"commit", "-qm", "Away"}).ours, "");
    EXPECT_EQ(fs::last_write_time(file()), made) << "no hook had to make it";
    repo_.git({"reset", "-q", "--hard", "HEAD~1"});
    EXPECT_EQ(repo_
                  .plan({words[0] == "init" ? "init" : "hooks",
                         words[0] == "init" ? "--undo" : "uninstall"})
                  .exit_status,
              0);
    EXPECT_FALSE(fs::exists(file())) << "taken away with the hooks";
  }
}

TEST_F(WatchBuild, IsNotMadeWhereNoPlanIs) {
  EXPECT_EQ(repo_.plan({"hooks", "install"}).exit_status, 0);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(WatchBuild, GoesOnWhereTimeRanOut) {
  repo_.make_plan("x");
  repo_.make_plan("y");
  const Watch none = build(std::chrono::milliseconds(-1));
  EXPECT_FALSE(none.whole);
  EXPECT_TRUE(none.plans.empty());
  EXPECT_FALSE(read_watch_head(common()).current) << "the next hook does not rely on it";
  const Watch all = build(std::chrono::seconds(30));
  EXPECT_TRUE(all.whole);
  ASSERT_EQ(all.plans.size(), 2u);
  EXPECT_EQ(all.plans[0].paths.size(), 3u);
  // Plans that are as they were need no time.
  repo_.make_plan("z");
  const Watch old = build(std::chrono::milliseconds(-1));
  EXPECT_FALSE(old.whole);
  EXPECT_EQ(old.plans.size(), 2u);
}

}  // namespace
}  // namespace gitplan::test
