// Where hooks go: the directory that git names from wherever it is asked, and none that git tracks
// or others share.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

bool ours(const fs::path& hook) {
  std::ifstream file(hook);
  std::string first, second;
  return std::getline(file, first) && std::getline(file, second) &&
         second.starts_with("# git-plan hook, version ");
}

// A commit that takes away what the plan refers to is remarked on: our hook ran.
bool runs(const HookRepo& repo, const fs::path& tree) {
  RunOptions there;
  there.cwd = tree;
  repo.git({"rm", "-q", "src/a.txt"}, there);
  const auto said = repo.say_git({"commit", "-qm", "Take a away"}, there);
  repo.git({"reset", "-q", "--hard", "HEAD~1"}, there);
  EXPECT_EQ(said.status, 0) << said.all;
  return said.ours ==
         "git plan: this commit changes what plans refer to:\n  src/a.txt is gone: 'x'\n";
}

class HooksPlaceTest : public ::testing::Test {
 protected:
  HooksPlaceTest() : repo_(false) { repo_.make_plan(); }
  ProcessResult install(const fs::path& where = {}, const Words& more = {}) {
    Words words{"hooks", "install"};
    words.insert(words.end(), more.begin(), more.end());
    RunOptions options;
    options.cwd = where;
    return repo_.plan(words, options);
  }
  fs::path linked() {
    repo_.git({"worktree", "add", "-q", "../linked"});
    return repo_.root() / "linked";
  }
  void configure(const std::string& value) { repo_.git({"config", "core.hooksPath", value}); }
  HookRepo repo_;
};

TEST_F(HooksPlaceTest, FromASubdirectory) {
  EXPECT_EQ(install("src").exit_status, 0);
  EXPECT_TRUE(ours(repo_.hooks() / "pre-commit"));
  EXPECT_TRUE(runs(repo_, repo_.path()));
}

TEST_F(HooksPlaceTest, FromALinkedWorktreeForAll) {
  const fs::path tree = linked();
  EXPECT_EQ(install(tree).exit_status, 0);
  EXPECT_TRUE(ours(repo_.hooks() / "pre-commit"));
  EXPECT_TRUE(runs(repo_, tree));
  EXPECT_TRUE(runs(repo_, repo_.path()));
  RunOptions there;
  there.cwd = tree;
  EXPECT_EQ(repo_.plan({"hooks", "uninstall"}, there).exit_status, 0);
  EXPECT_FALSE(fs::exists(repo_.hooks() / "pre-commit"));
}

TEST_F(HooksPlaceTest, OfABareRepositoryAndItsWorktrees) {
  repo_.git({"clone", "-q", "--bare", ".", "../bare.git"});
  repo_.git({"push", "-q", "../bare.git", "refs/plans/x:refs/plans/x"});
  const fs::path bare = repo_.root() / "bare.git";
  EXPECT_EQ(install(bare).exit_status, 0);
  EXPECT_TRUE(ours(bare / "hooks/post-checkout"));
  repo_.git({"--git-dir=../bare.git", "worktree", "add", "-q", "../of-bare"});
  EXPECT_TRUE(runs(repo_, repo_.root() / "of-bare"));
}

TEST_F(HooksPlaceTest, TheDefaultWrittenDownIsTheDefault) {
  for (const std::string& value : {std::string(".git/hooks"), repo_.hooks().string()}) {
    configure(value);
    EXPECT_EQ(install().exit_status, 0) << value;
    EXPECT_TRUE(runs(repo_, repo_.path()));
    repo_.plan({"hooks", "uninstall"});
  }
}

TEST_F(HooksPlaceTest, SharedOnesAreRefusedUnlessAskedFor) {
  repo_.git({"config", "--global", "core.hooksPath", "~/my-hooks"});
  const fs::path home = repo_.root() / "home";
  const ProcessResult refused = install();
  repo_.git({"config", "--global", "--unset", "core.hooksPath"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("error: hooks run from '" + (home / "my-hooks").string() +
                                     "', which other repositories use too: core.hooksPath = '"));
  EXPECT_THAT(refused.err, HasSubstr("(global, file:"));
  EXPECT_FALSE(fs::exists(home / "my-hooks") || repo_.exists("~"));
  configure((repo_.root() / "shared").string());
  EXPECT_EQ(install().exit_status, 2);
  EXPECT_EQ(install({}, {"--shared"}).exit_status, 0);
  EXPECT_TRUE(ours(repo_.root() / "shared/pre-commit"));
  EXPECT_TRUE(runs(repo_, repo_.path()));
  EXPECT_EQ(repo_.plan({"hooks", "uninstall"}).exit_status, 0);
  EXPECT_TRUE(fs::is_empty(repo_.root() / "shared"));
}

TEST_F(HooksPlaceTest, NothingIsWrittenWhereGitSeesIt) {
  configure(".githooks");
  ProcessResult refused = install();
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("where git sees the files, and nothing is written there"));
  EXPECT_FALSE(repo_.exists(".githooks"));
  const std::string lines = install({}, {"--print"}).out;
  EXPECT_THAT(lines, HasSubstr("# pre-commit\n! command -v git-plan >/dev/null || git plan hooks "
                               "run pre-commit \"$@\"\n"));
  repo_.script(".githooks/pre-commit",
               "! command -v git-plan >/dev/null || git plan hooks run pre-commit \"$@\"\n");
  EXPECT_TRUE(runs(repo_, repo_.path())) << "the line works";
  EXPECT_THAT(repo_.plan({"hooks", "status"}).out, HasSubstr("pre-commit     joined"));
  // Ignored it is as good as below .git.
  fs::remove_all(repo_.path() / ".githooks");
  repo_.write(".git/info/exclude", ".githooks/\n");
  EXPECT_EQ(install().exit_status, 0);
  EXPECT_TRUE(runs(repo_, repo_.path()));
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), "");
}

TEST_F(HooksPlaceTest, OneWorktreesOwn) {
  const fs::path tree = linked();
  repo_.git({"config", "extensions.worktreeConfig", "true"});
  RunOptions there;
  there.cwd = tree;
  const fs::path own = repo_.path() / ".git/own-hooks";
  repo_.git({"config", "--worktree", "core.hooksPath", own.string()}, there);
  EXPECT_EQ(install(tree).exit_status, 0);
  EXPECT_TRUE(ours(own / "pre-commit"));
  EXPECT_FALSE(fs::exists(repo_.hooks() / "pre-commit"));
  EXPECT_TRUE(runs(repo_, tree));
  EXPECT_FALSE(runs(repo_, repo_.path()));
}

TEST_F(HooksPlaceTest, SwitchedOffIsSaid) {
  configure("/dev/null");
  const ProcessResult refused = install();
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("error: hooks are switched off, '/dev/null' is no folder: "
                                     "core.hooksPath = '/dev/null' (local, file:"));
  EXPECT_THAT(repo_.plan({"hooks", "status"}).out, HasSubstr("pre-commit     shadowed"));
}

TEST_F(HooksPlaceTest, ShadowedIsSaidAndTakenAway) {
  EXPECT_EQ(install().exit_status, 0);
  configure((repo_.root() / "elsewhere").string());
  const std::string status = repo_.plan({"hooks", "status"}).out;
  EXPECT_THAT(status, HasSubstr("pre-commit     shadowed  git looks elsewhere: core.hooksPath"));
  EXPECT_EQ(repo_.plan({"hooks", "uninstall"}).exit_status, 0);
  EXPECT_FALSE(fs::exists(repo_.hooks() / "pre-commit"));
}

TEST_F(HooksPlaceTest, DoctorSaysIt) {
  EXPECT_THAT(repo_.plan({"doctor"}).out, HasSubstr("no hook of git plan is at work"));
  install();
  EXPECT_THAT(repo_.plan({"doctor"}).out, HasSubstr("5 of 5 hooks of git plan are at work"));
  fs::permissions(repo_.hooks() / "post-merge", fs::perms(0600));
  const std::string text = repo_.plan({"doctor"}).out;
  EXPECT_THAT(text, HasSubstr("4 of 5 hooks of git plan are at work"));
  EXPECT_THAT(text, HasSubstr("warning: post-merge: git passes over a hook that is not "
                              "executable\n    git plan hooks install\n"));
}

}  // namespace
}  // namespace gitplan::test
