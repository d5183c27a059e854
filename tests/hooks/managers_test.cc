// Ours beside real managers of hooks: both run, and every byte of theirs is there afterwards.
#include "tests/hooks/managed_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Managers : public ::testing::Test {
 protected:
  bool there(const std::string& program) { return repo_.has(program); }
  ProcessResult run(const Words& words) { return repo_.call(words); }
  void good(const Words& words) { repo_.good(words); }
  // A commit that takes away what the plan refers to.
  HookRepo::Said commit() {
    good({"git", "rm", "-q", "--cached", "src/a.txt"});
    HookRepo::Said said = repo_.say_git({"commit", "-m", "Away"}, repo_.options);
    run({"git", "reset", "-q", "--hard", said.status == 0 ? "HEAD~1" : "HEAD"});
    return said;
  }
  void expect_both(const std::string& theirs) {
    const HookRepo::Said said = commit();
    EXPECT_EQ(said.status, 0) << said.all;
    EXPECT_THAT(said.all, HasSubstr(theirs));
    EXPECT_THAT(said.ours, HasSubstr("src/a.txt is gone: 'x'"));
  }
  std::string lines_for(const std::string& hook) { return repo_.lines_for(hook); }
  ManagedRepo repo_;
};

TEST_F(Managers, GitLfs) {
  if (!there("git-lfs")) GTEST_SKIP() << "git-lfs is not installed";
  good({"git", "lfs", "install", "--local"});
  repo_.write("large.bin", "large\n");
  good({"git", "lfs", "track", "*.bin"});
  good({"git", "add", "-A"});
  good({"git", "commit", "-qm", "Track"});
  const auto before = repo_.listing(repo_.hooks());
  ASSERT_TRUE(before.contains("post-checkout"));
  const ProcessResult installed = run({"git", "plan", "hooks", "install"});
  EXPECT_EQ(installed.exit_status, 0);
  EXPECT_THAT(installed.out, HasSubstr("installed post-checkout, runs "
                                       "post-checkout.before-git-plan first\n"));
  // Theirs gets its arguments: git-lfs refuses to work without them.
  repo_.options.env["GIT_TRACE"] = "1";
  const HookRepo::Said said = repo_.say_git({"checkout", "-b", "side", "HEAD~1"}, repo_.options);
  EXPECT_EQ(said.status, 0);
  EXPECT_THAT(said.all, HasSubstr("git-lfs post-checkout "));
  repo_.options.env.erase("GIT_TRACE");
  good({"git", "checkout", "-q", "main"});
  EXPECT_THAT(commit().ours, HasSubstr("src/a.txt is gone: 'x'"));
  good({"git", "plan", "hooks", "uninstall"});
  EXPECT_EQ(repo_.listing(repo_.hooks()), before);
}

TEST_F(Managers, PreCommit) {
  if (!there("pre-commit")) GTEST_SKIP() << "pre-commit is not installed";
  const std::string config =
      "repos:\n- repo: local\n  hooks:\n  - {id: theirs, name: theirs, language: system, entry: "
      "sh -c 'echo theirs ran; exit $(cat status)', always_run: true, pass_filenames: false, "
      "verbose: true}\n";
  repo_.write(".pre-commit-config.yaml", config);
  repo_.write("status", "0\n");
  repo_.commit("Configure");
  good({"pre-commit", "install"});
  const auto before = repo_.listing(repo_.hooks());
  good({"git", "plan", "hooks", "install"});
  expect_both("theirs ran");
  repo_.write("status", "1\n");
  good({"git", "add", "status"});
  EXPECT_NE(commit().status, 0) << "theirs refuses";
  good({"git", "plan", "hooks", "uninstall"});
  EXPECT_EQ(repo_.listing(repo_.hooks()), before);
}

TEST_F(Managers, Husky) {
  if (!there("husky")) GTEST_SKIP() << "husky is not installed";
  good({"husky"});
  repo_.write(".husky/pre-commit", "echo theirs ran\n");
  repo_.commit("Husky");
  const auto before = repo_.listing(repo_.path() / ".husky");
  const auto generated = repo_.listing(repo_.path() / ".husky/_");
  const ProcessResult refused = run({"git", "plan", "hooks", "install"});
  EXPECT_NE(refused.exit_status, 0);
  EXPECT_THAT(refused.err, HasSubstr("husky"));
  EXPECT_EQ(repo_.listing(repo_.path() / ".husky"), before) << "nothing is written there";
  EXPECT_EQ(repo_.listing(repo_.path() / ".husky/_"), generated);
  repo_.write(".husky/pre-commit", "echo theirs ran\n" + lines_for("pre-commit"));
  repo_.commit("Join");
  EXPECT_THAT(run({"git", "plan", "hooks", "status"}).out, HasSubstr("pre-commit     joined"));
  expect_both("theirs ran");
  repo_.write(".husky/pre-commit", "exit 1\n");
  EXPECT_NE(commit().status, 0) << "theirs refuses";
}

TEST_F(Managers, Lefthook) {
  if (!there("lefthook")) GTEST_SKIP() << "lefthook is not installed";
  const std::string config = "pre-commit:\n  commands:\n    theirs:\n      run: echo theirs ran\n";
  repo_.write("lefthook.yml", config);
  repo_.commit("Lefthook");
  good({"lefthook", "install"});
  const auto before = repo_.listing(repo_.hooks());
  ASSERT_TRUE(before.contains("pre-commit"));
  repo_.write("lefthook-local.yml", lines_for("pre-commit"));
  good({"lefthook", "install"});
  EXPECT_THAT(run({"git", "plan", "hooks", "status"}).out, HasSubstr("pre-commit     joined"));
  expect_both("theirs ran");
  fs::remove(repo_.path() / "lefthook-local.yml");
  good({"git", "plan", "hooks", "uninstall"});
  good({"lefthook", "install"});
  EXPECT_EQ(repo_.listing(repo_.hooks()).at("pre-commit"), before.at("pre-commit"));
}

}  // namespace
}  // namespace gitplan::test
