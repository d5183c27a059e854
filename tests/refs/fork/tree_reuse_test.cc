// A worktree that is taken over has to be as new, whatever was done in it.
#include "refs/fork/tree_reuse.h"

#include <filesystem>

#include "refs/git/small_file.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class TreeReuse : public ForkFixture {
 protected:
  TreeReuse() {
    repo_.write("a.txt", "one\n");
    repo_.write("dir/b.txt", "two\n");
    repo_.write(".gitignore", "*.o\n");
    base_ = repo_.commit("Base");
    repo_.write("later.txt", "later\n");
    fs::remove(repo_.path() / "dir/b.txt");
    next_ = repo_.commit("Next");
    open();
  }

  // The first task's tree, after its work was collected.
  std::string first(const std::map<std::string, std::string>& files = {{"mine.txt", "work\n"}}) {
    work(one_(), files);
    return *forks_->tree_of(one_());
  }
  ForkSpec one_() const { return spec("one", base_); }
  ForkSpec two_() const { return spec("two", next_, "0123456789ab.2"); }
  std::string take() { return must(forks_->ensure(two_(), one_())); }
  std::string tip_of(const ForkSpec& fork) const { return repo_.git({"rev-parse", fork.branch}); }
  void expect_as_new(const std::string& tree) {
    EXPECT_EQ(git_in(tree, {"status", "--porcelain", "-uall", "--ignored"}), "");
    EXPECT_EQ(git_in(tree, {"symbolic-ref", "HEAD"}), two_().branch);
    EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), next_);
    EXPECT_EQ(read_small_file(tree + "/a.txt"), "one");
    EXPECT_EQ(read_small_file(tree + "/later.txt"), "later");
    EXPECT_FALSE(fs::exists(tree + "/dir"));
    EXPECT_EQ(forks_->tree_of(two_()), tree);
    EXPECT_THAT(repo_.git({"worktree", "list", "--porcelain"}),
                HasSubstr("locked git plan: 2026-03-03-demo two 0123456789ab.2"));
  }

  std::string base_, next_;
};

TEST_F(TreeReuse, TheNextAttemptGetsItAsNew) {
  const std::string tree = first({{"mine.txt", "work\n"}, {"a.txt", "changed\n"}});
  write_in(tree, "built.o", "object\n");
  write_in(tree, ".git-plan/.gitignore", "*\n");
  write_in(tree, ".git-plan/0123456789ab.1/brief.md", "brief\n");
  const std::string tip = tip_of(one_());
  EXPECT_EQ(take(), tree);
  expect_as_new(tree);
  EXPECT_EQ(tip_of(one_()), tip) << "it waits to be integrated";
  EXPECT_EQ(forks_->tree_of(one_()), std::nullopt);
}

TEST_F(TreeReuse, WhatAnAgentHidInTheIndexIsFound) {
  const std::string tree = first();
  git_in(tree, {"update-index", "--assume-unchanged", "a.txt"});
  git_in(tree, {"update-index", "--skip-worktree", ".gitignore"});
  write_in(tree, "a.txt", "eno\n");  // as long as before
  write_in(tree, ".gitignore", "*\n");
  write_in(tree, "hidden.txt", "hidden\n");
  EXPECT_EQ(take(), tree);
  expect_as_new(tree);
}

TEST_F(TreeReuse, ReleasingTheFirstLeavesTheSecondItsTree) {
  const std::string tree = first();
  take();
  must(forks_->release(one_()));
  expect_as_new(tree);
  EXPECT_NE(repo_.run({"git", "rev-parse", "-q", "--verify", one_().branch}).exit_status, 0);
  must(forks_->release(two_()));
  EXPECT_FALSE(fs::exists(tree));
}

TEST_F(TreeReuse, AgainAndAgain) {
  const std::string tree = first();
  ForkSpec last = one_();
  for (int i = 2; i < 5; ++i) {
    const ForkSpec next = spec("t" + std::to_string(i), i % 2 == 0 ? next_ : base_,
                               "0123456789ab." + std::to_string(i));
    EXPECT_EQ(must(forks_->ensure(next, last)), tree) << i;
    write_in(tree, next.task + ".txt", "work\n");
    must(forks_->collect(next, "Work"));
    must(forks_->release(last));
    last = next;
  }
}

TEST_F(TreeReuse, NothingOfTheFirstIsLeftInWhatGitKeepsOfIt) {
  const std::string tree = first();
  git_in(tree, {"update-ref", "refs/worktree/mine", "HEAD"});
  git_in(tree, {"update-ref", "refs/bisect/bad", "HEAD"});
  const std::string admin = git_in(tree, {"rev-parse", "--absolute-git-dir"});
  write_in(admin, "FETCH_HEAD", "x\n");
  write_in(admin, "evil/hook", "x\n");
  take();
  EXPECT_EQ(git_in(tree, {"for-each-ref", "refs/worktree", "refs/bisect"}), "");
  EXPECT_THAT(git_in(tree, {"reflog", "show", "HEAD"}),
              ::testing::Not(HasSubstr(tip_of(one_()).substr(0, 7))));
  EXPECT_FALSE(fs::exists(admin + "/FETCH_HEAD"));
  EXPECT_FALSE(fs::exists(admin + "/evil"));
  expect_as_new(tree);
}

TEST_F(TreeReuse, DirectoriesHaveTheirUsualModes) {
  const std::string tree = first({{"kept/b.txt", "b\n"}});
  const fs::perms usual = fs::status(fs::path(tree).parent_path()).permissions();
  fs::permissions(tree, fs::perms::owner_read | fs::perms::owner_exec);
  fs::create_directories(tree + "/odd/closed");
  fs::permissions(tree + "/odd/closed", fs::perms::none);
  EXPECT_EQ(take(), tree);
  EXPECT_EQ(fs::status(tree).permissions(), usual);
  expect_as_new(tree);
}

TEST_F(TreeReuse, WhatThePostCheckoutHookMakesIsThere) {
  script(".git/hooks/post-checkout", "mkdir -p deps && echo made > deps/made.o\nexit 3\n");
  const std::string tree = first();
  EXPECT_EQ(read_small_file(tree + "/deps/made.o"), "made");
  write_in(tree, "deps/built.o", "built\n");
  EXPECT_EQ(take(), tree);
  EXPECT_EQ(read_small_file(tree + "/deps/made.o"), "made");
  EXPECT_FALSE(fs::exists(tree + "/deps/built.o"));
}

TEST_F(TreeReuse, IgnoredFilesStayWhereThatIsWanted) {
  repo_.git({"config", "plan.reuse", "ignored"});
  open();
  const std::string tree = first();
  write_in(tree, "built.o", "object\n");
  EXPECT_EQ(take(), tree);
  EXPECT_EQ(git_in(tree, {"status", "--porcelain", "--ignored"}), "!! built.o");
}

TEST_F(TreeReuse, OneThatIsNeededOrInDoubtIsLeftAlone) {
  const std::vector<std::pair<std::string, std::vector<Words>>> cases{
      {"changes in no commit",
       {{"checkout", "-q", base_, "--", "a.txt", "dir"}, {"rm", "-q", "a.txt"}}},
      {"a commit that nothing keeps", {{"commit", "-q", "--allow-empty", "-m", "More"}}},
      {"another branch", {{"checkout", "-q", "-b", "elsewhere"}}},
      {"no branch", {{"checkout", "-q", "--detach"}}},
      {"a bisect", {{"bisect", "start"}}},
      {"settings of its own", {{"sparse-checkout", "set", "dir"}}},
  };
  int number = 10;
  for (const auto& [what, commands] : cases) {
    const std::string attempt = "0123456789ab." + std::to_string(number++);
    const ForkSpec over = spec("over" + attempt.substr(13), base_, attempt);
    const ForkSpec next = spec("next" + attempt.substr(13), next_, attempt);
    work(over, {{"mine.txt", attempt}});
    const std::string tree = *forks_->tree_of(over);
    for (const Words& words : commands) git_in(tree, words);
    const std::string head = git_in(tree, {"rev-parse", "HEAD"});
    EXPECT_NE(must(forks_->ensure(next, over)), tree) << what;
    EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), head) << what;
    EXPECT_EQ(forks_->tree_of(over), tree) << what;
  }
}

TEST_F(TreeReuse, SubmodulesAreNotRenewed) {
  const std::string tree = first({{".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ./x\n"}});
  EXPECT_NE(take(), tree);
}

TEST_F(TreeReuse, OneThatCannotBeMadeAsNewIsReplaced) {
  const std::string tree = first();
  const std::string admin = git_in(tree, {"rev-parse", "--absolute-git-dir"});
  // A lock that somebody keeps open is waited for, and not taken away.
  fs::create_directories(admin + "/index.lock/held");
  const std::string other = must(forks_->ensure(two_(), one_()));
  fs::remove_all(admin + "/index.lock");
  EXPECT_EQ(git_in(other, {"rev-parse", "HEAD"}), next_);
  EXPECT_EQ(git_in(other, {"status", "--porcelain", "-uall", "--ignored"}), "");
}

TEST_F(TreeReuse, OneThatWasInterruptedIsMadeAgain) {
  const std::string tree = first();
  git_in(tree, {"checkout", "-q", "--detach"});
  must(relock(*worktree_at(*repository_, tree),
              lock_reason(two_().plan, two_().task, two_().attempt)));
  write_in(tree, "half.txt", "half\n");
  EXPECT_EQ(forks_->tree_of(one_()), std::nullopt);
  EXPECT_EQ(take(), tree) << "the smallest number is free again";
  expect_as_new(tree);
  must(forks_->release(one_()));
  expect_as_new(tree);
}

}  // namespace
}  // namespace gitplan::test
