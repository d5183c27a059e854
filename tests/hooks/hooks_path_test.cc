#include "hooks/hooks_path.h"

#include <cstdlib>

#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

class HooksPathTest : public ForkFixture {
 protected:
  HooksPathTest() {
    repo_.write("a.txt", "a\n");
    repo_.commit("Base");
    open();
  }
  HooksPath path(const std::string& tree = {}) {
    return must(hooks_path(*repository_, tree.empty() ? repo_.path().string() : tree));
  }
  std::string linked() {
    const std::string tree = (repo_.root() / "linked").string();
    repo_.git({"worktree", "add", "-q", "--detach", tree});
    return tree;
  }
};

TEST_F(HooksPathTest, OfTheRepositoryWhereNothingIsSet) {
  const std::string own = (repo_.path() / ".git/hooks").string();
  EXPECT_EQ(path().directory, own);
  EXPECT_EQ(path().configured, "");
  EXPECT_EQ(path().scope, "");
  EXPECT_EQ(path(linked()).directory, own) << "worktrees share it";
}

TEST_F(HooksPathTest, RelativeIsMeantInEachWorktree) {
  repo_.git({"config", "core.hooksPath", ".githooks"});
  const std::string tree = linked();
  EXPECT_EQ(path().directory, (repo_.path() / ".githooks").string());
  EXPECT_EQ(path(tree).directory, tree + "/.githooks");
  EXPECT_TRUE(path().relative());
  EXPECT_EQ(path().scope, "local");
  EXPECT_EQ(path().origin, "file:" + (repo_.path() / ".git/config").string());
}

TEST_F(HooksPathTest, ScopesAndTheHomeDirectory) {
  repo_.git({"config", "extensions.worktreeConfig", "true"});
  repo_.git({"config", "--worktree", "core.hooksPath", "~/my-hooks"});
  EXPECT_EQ(path().scope, "worktree");
  EXPECT_EQ(path().configured, std::string(std::getenv("HOME")) + "/my-hooks");
  EXPECT_FALSE(path().relative());
  setenv("GIT_CONFIG_COUNT", "1", 1);
  setenv("GIT_CONFIG_KEY_0", "core.hooksPath", 1);
  setenv("GIT_CONFIG_VALUE_0", "/there", 1);
  const HooksPath given = path();
  unsetenv("GIT_CONFIG_COUNT");
  EXPECT_EQ(given.scope, "command");
  EXPECT_EQ(given.directory, "/there");
}

TEST_F(HooksPathTest, PassedWhereItIsRelativeAndMissing) {
  const std::string tree = linked();
  EXPECT_EQ(must(hooks_path_for(*repository_, tree)), "");
  repo_.git({"config", "core.hooksPath", ".githooks"});
  EXPECT_EQ(must(hooks_path_for(*repository_, tree)), "") << "the user has none either";
  script(".githooks/pre-commit", "exit 0\n");
  EXPECT_EQ(must(hooks_path_for(*repository_, tree)), (repo_.path() / ".githooks").string());
  write_in(tree, ".githooks/pre-commit", "#!/bin/sh\n");
  EXPECT_EQ(must(hooks_path_for(*repository_, tree)), "") << "the tree has its own";
  repo_.git({"config", "core.hooksPath", "/absolute"});
  EXPECT_EQ(must(hooks_path_for(*repository_, tree)), "");
}

}  // namespace
}  // namespace gitplan::test
