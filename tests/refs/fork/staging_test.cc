#include "refs/fork/staging.h"

#include <chrono>
#include <filesystem>

#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

// What git's stat data cannot tell: a file that is as long as before, changed within the tick of
// the clock in which the index was written. Made certain by setting the times of both, far enough
// back for a copy to be of another second.
TEST_F(ForkFixture, AnIndexAsideSeesAFileThatIsAsYoungAsTheIndex) {
  repo_.write("a.txt", "a\n");
  repo_.commit("Base");
  repo_.git({"config", "core.trustctime", "false"});
  const fs::path file = repo_.path() / "a.txt";
  const auto time = fs::last_write_time(file) - std::chrono::seconds(10);
  fs::last_write_time(file, time);
  repo_.git({"update-index", "--refresh"});
  repo_.write("a.txt", "b\n");
  fs::last_write_time(file, time);
  fs::last_write_time(repo_.path() / ".git/index", time);
  open();

  const std::string head = repo_.git({"rev-parse", "HEAD"});
  const Worktree tree = *worktree_at(*repository_, repo_.path().string());
  Staging staging(*repository_, tree, head, (repo_.root() / "aside").string());
  EXPECT_EQ(repo_.git({"show", must(staging.stage(head)).tree + ":a.txt"}), "b");
}

}  // namespace
}  // namespace gitplan::test
