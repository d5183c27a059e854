#include "refs/fork/staging.h"

#include <chrono>
#include <filesystem>

#include "refs/fork/index_copy.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

class IndexAside : public ForkFixture {};

TEST_F(IndexAside, HasTheTimeOfTheIndex) {
  repo_.write("a.txt", "a\n");
  repo_.commit("Base");
  const fs::path index = repo_.path() / ".git/index", copy = repo_.root() / "copy";
  const auto time = fs::last_write_time(index) - std::chrono::hours(1);
  fs::last_write_time(index, time);
  repo_.write(copy, "what lay there before, and is longer than an index of one file: " +
                        std::string(200, 'x'));
  must(copy_index(index.string(), copy.string()));
  EXPECT_EQ(fs::last_write_time(copy), time);
  EXPECT_EQ(repo_.read(copy.string()), repo_.read(index.string()));
  EXPECT_FALSE(copy_index((repo_.root() / "none").string(), copy.string()).ok());
}

// What git's stat data cannot tell: a file that is as long as before, changed within the tick of
// the clock in which the index was written. Made certain by setting the times of both, far enough
// back for a copy to be of another second.
TEST_F(IndexAside, SeesAFileThatIsAsYoungAsTheIndex) {
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
