// What pre-commit says of files that a running task is at work on.
#include "hooks/stale.h"
#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Held : public ::testing::Test {
 protected:
  // Of a plan with the tasks "one" and "two" at work on these pathspecs, and nothing noted.
  std::vector<std::string> lines(const std::vector<WatchedScope>& scopes) {
    auto repository = Repository::open_at(repo_.path());
    EXPECT_TRUE(repository.ok());
    Watch watch;
    watch.plans.push_back({"x", "", "", "", {}, scopes, {}});
    const auto found = stale_by_commit(*repository, watch, "");
    EXPECT_TRUE(found.ok());
    return stale_lines(*found);
  }
  HookRepo repo_{false};
};

TEST_F(Held, WhatIsStagedAndFallsUnderAPathspec) {
  repo_.write("src/a.txt", "2\n");
  repo_.write("src/new.txt", "n\n");
  repo_.git({"add", "-A"});
  repo_.git({"rm", "-q", "docs/c.txt"});
  repo_.write("src/b.txt", "not staged\n");
  EXPECT_THAT(lines({}), IsEmpty());
  EXPECT_THAT(lines({{"one", "lib"}, {"one", "src/b.txt"}}), IsEmpty());
  EXPECT_THAT(lines({{"one", "src/**"}, {"one", "src/a.txt"}, {"two", "src/a*"}, {"two", "docs"}}),
              ElementsAre("docs/c.txt is what a task is at work on: 'x' (two)",
                          "src/a.txt is what a task is at work on: 'x' (one), 'x' (two)",
                          "src/new.txt is what a task is at work on: 'x' (one)"));
}

TEST_F(Held, ARenameIntoItAndOutOfIt) {
  repo_.git({"mv", "docs/c.txt", "src/c.txt"});
  EXPECT_THAT(lines({{"one", "docs"}}),
              ElementsAre("docs/c.txt is what a task is at work on: 'x' (one)"));
  EXPECT_THAT(lines({{"one", "src"}}),
              ElementsAre("src/c.txt is what a task is at work on: 'x' (one)"));
}

// From the claim to the end, by git's own hook.
TEST_F(Held, ByGitsOwnHookWhileTheTaskRuns) {
  repo_.make_plan();
  EXPECT_EQ(repo_.plan({"hooks", "install"}).exit_status, 0);
  const auto commit = [&](const std::string& text) {
    repo_.write("docs/c.txt", text);
    return repo_.say_git({"commit", "-qam", "Change"});
  };
  EXPECT_THAT(commit("1\n").ours, Not(HasSubstr("at work")));
  const ProcessResult claim = repo_.plan({"next", "x", "--claim"});
  EXPECT_EQ(claim.exit_status, 0) << claim.out << claim.err;
  const auto said = commit("2\n");
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.ours,
            "git plan: this commit changes what plans refer to:\n"
            "  docs/c.txt is what a task is at work on: 'x' (parser)\n");
  RunOptions strict;
  strict.env = {{"GIT_CONFIG_COUNT", "1"},
                {"GIT_CONFIG_KEY_0", "plan.hooks.strict"},
                {"GIT_CONFIG_VALUE_0", "true"}};
  repo_.write("docs/c.txt", "3\n");
  EXPECT_EQ(repo_.say_git({"commit", "-qam", "Change"}, strict).status, 1);
  EXPECT_EQ(repo_.plan({"fail", "x", "parser", "given up"}).exit_status, 0);
  EXPECT_THAT(commit("4\n").ours, Not(HasSubstr("at work")));
}

}  // namespace
}  // namespace gitplan::test
