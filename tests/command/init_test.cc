// git plan init and --undo: what is added, and that only that is taken back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Init : public ::testing::Test {
 protected:
  Init() {
    repo_.git({"remote", "add", "origin", "../far"});
    repo_.git({"config", "--add", "log.excludeDecoration", "refs/plan-keep/*"});
    repo_.git({"config", "--add", "log.excludeDecoration", "refs/mine/*"});
    repo_.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
    std::filesystem::permissions(repo_.path() / ".git/hooks/pre-commit",
                                 std::filesystem::perms::owner_all);
  }
  std::string all(const std::string& key) { return repo_.git({"config", "--get-all", key}); }
  WorkRepo repo_;
};

constexpr const char* kAdded =
    "0\nhooks: added: pre-commit, commit-msg, post-checkout, post-merge, post-rewrite\n"
    "fetch origin: added: +refs/plans/*:refs/plan-remotes/origin/*\n"
    "decorations: added: refs/plans/*\ndecorations: there already: refs/plan-keep/*\n"
    "decorations: added: refs/plan-remotes/*\n"
    "decorations: added: refs/plan-keep-remotes/*\n"
    "'git plan init --undo' takes back what was added.\n";

TEST_F(Init, AddsOnceAndTakesBackOnlyThat) {
  const std::string config = repo_.read(".git/config");
  EXPECT_EQ(repo_.said({"init"}), kAdded);
  EXPECT_THAT(all("remote.origin.fetch"), HasSubstr("+refs/plans/*:refs/plan-remotes/origin/*"));
  const std::string after = repo_.read(".git/config");
  EXPECT_THAT(repo_.said({"init"}), HasSubstr("0\nhooks: there already\n"));
  EXPECT_EQ(repo_.read(".git/config"), after);
  EXPECT_EQ(repo_.said({"init", "--undo"}).substr(0, 2), "0\n");
  EXPECT_EQ(repo_.read(".git/config"), config);
  EXPECT_EQ(repo_.read(".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
  EXPECT_FALSE(repo_.exists(".git/hooks/post-merge"));
  EXPECT_EQ(repo_.said({"init", "--undo"}), "0\nNothing of 'git plan init' is here.\n");
}

TEST_F(Init, PlansAreFetchedAsGitFetches) {
  repo_.make_plan("p", "    - {name: one, run: 'true'}\n");
  repo_.git({"clone", "-q", "--bare", ".", "../far"});
  repo_.git({"push", "-q", "origin", "refs/plans/*:refs/plans/*"});
  EXPECT_EQ(repo_.plan({"init"}).exit_status, 0);
  repo_.git({"fetch", "-q", "origin"});
  EXPECT_EQ(repo_.git({"rev-parse", "refs/plan-remotes/origin/p"}),
            repo_.git({"rev-parse", "refs/plans/p"}));
}

TEST_F(Init, FetchesFromWhereTheRemoteHasPlans) {
  repo_.git({"config", "plan.refPrefix", "refs/heads/plans/"});
  EXPECT_EQ(repo_.plan({"init"}).exit_status, 0);
  EXPECT_THAT(all("remote.origin.fetch"),
              HasSubstr("+refs/heads/plans/*:refs/plan-remotes/origin/*"));
}

TEST_F(Init, HooksThatCannotBeInstalledDoNotHoldUpTheRest) {
  repo_.git({"config", "core.hooksPath", "/dev/null"});
  const std::string said = repo_.said({"init"});
  EXPECT_THAT(said, HasSubstr("1\nhooks: left: hooks are switched off"));
  EXPECT_THAT(said, HasSubstr("fetch origin: added"));
  EXPECT_THAT(said, HasSubstr("hint: take core.hooksPath out of there"));
}

TEST_F(Init, AHookThatCannotBeMovedIsSaidWithWhatToDo) {
  std::filesystem::create_symlink("/bin/true", repo_.path() / ".git/hooks/post-merge");
  const std::string said = repo_.said({"init"});
  EXPECT_THAT(said, HasSubstr("1\nhooks: added: "));
  EXPECT_THAT(said, HasSubstr("hooks: left: post-merge "));
  EXPECT_THAT(said, HasSubstr("hint: "));
}

TEST_F(Init, TheHooksTakenOutByHandAreNoFault) {
  EXPECT_EQ(repo_.plan({"init"}).exit_status, 0);
  EXPECT_EQ(repo_.plan({"hooks", "uninstall"}).exit_status, 0);
  EXPECT_EQ(repo_.said({"init", "--undo"}).substr(0, 2), "0\n");
}

}  // namespace
}  // namespace gitplan::test
