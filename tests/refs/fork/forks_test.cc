#include "refs/fork/forks.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "refs/fork/fork_lock.h"
#include "refs/fork/keep_ref.h"
#include "refs/git/small_file.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

class ForksTest : public ForkFixture {
 protected:
  ForksTest() {
    repo_.write("a.txt", "one\n");
    base_ = repo_.commit("Base");
    open();
  }
  std::string branch_tip(const std::string& task) const {
    return repo_
        .run({"git", "rev-parse", "-q", "--verify",
              "refs/heads/plan/" + std::string(kPlan) + "/" + task})
        .out;
  }
  std::string base_;
};

TEST_F(ForksTest, ATreeBesideTheRepositoryOnItsOwnBranch) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  EXPECT_EQ(tree, (repo_.root() / "repo.plan/1").string());
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), base_);
  EXPECT_EQ(git_in(tree, {"symbolic-ref", "HEAD"}), one.branch);
  EXPECT_EQ(git_in(tree, {"status", "--porcelain"}), "");
  EXPECT_EQ(forks_->tree_of(one), tree);
  EXPECT_EQ(read_small_file(one.attempt_dir + "/tree"), tree);
  EXPECT_THAT(repo_.git({"worktree", "list", "--porcelain"}),
              ::testing::HasSubstr("locked git plan: 2026-03-03-demo one 0123456789ab.1"));
  EXPECT_EQ(repo_.run({"git", "config", "--get-regexp", "^branch\\."}).exit_status, 1)
      << "no upstream";
}

TEST_F(ForksTest, FoundAgainAndNumbersAreTheSmallestFree) {
  const std::string first = must(forks_->ensure(spec("one", base_)));
  const std::string second = must(forks_->ensure(spec("two", base_)));
  EXPECT_EQ(must(forks_->ensure(spec("one", base_))), first);
  EXPECT_EQ(second, (repo_.root() / "repo.plan/2").string());
  must(forks_->release(spec("one", base_)));
  EXPECT_EQ(must(forks_->ensure(spec("three", base_))), first);
}

TEST_F(ForksTest, ABranchOfTheUsersIsNotTaken) {
  const std::string name = "plan/" + std::string(kPlan) + "/one";
  const std::string theirs =
      repo_.git({"commit-tree", base_ + "^{tree}", "-p", base_, "-m", "Mine"});
  repo_.git({"branch", name, theirs});
  const auto refused = forks_->ensure(spec("one", base_));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the branch '" + name +
                                         "' is there already, with commits that this plan did "
                                         "not make");
  EXPECT_EQ(refused.error().hint, "git branch -m " + name + " <other name>");
  EXPECT_EQ(branch_tip("one"), theirs + "\n");
  repo_.git({"branch", "-f", name, base_});
  EXPECT_TRUE(forks_->ensure(spec("one", base_)).ok()) << "nothing of theirs is on it";
}

TEST_F(ForksTest, ATreeInThePlaceOfAnotherIsNotItsOwn) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  repo_.git({"worktree", "remove", "--force", "--force", tree});
  EXPECT_EQ(must(forks_->ensure(spec("two", base_))), tree);
  EXPECT_EQ(forks_->tree_of(one), std::nullopt);
}

TEST_F(ForksTest, OnlyATreeInWhichNothingHappenedIsUntouched) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  EXPECT_TRUE(forks_->is_untouched(one));
  write_in(tree, "b.txt", "b");
  EXPECT_FALSE(forks_->is_untouched(one));
  std::filesystem::remove(tree + "/b.txt");
  git_in(tree, {"commit", "-q", "--allow-empty", "-m", "Empty"});
  EXPECT_FALSE(forks_->is_untouched(one));
}

TEST_F(ForksTest, ARootThatGitWouldTakeForItsOwnIsRefused) {
  for (const std::string root : {".git/refs/heads", "inside", "."}) {
    repo_.git({"config", "plan.worktreeRoot", root});
    open();
    const auto refused = forks_->ensure(spec("one", base_));
    ASSERT_FALSE(refused.ok()) << root;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("plan.worktreeRoot: '"));
  }
}

TEST_F(ForksTest, ManyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> trees(6);
  for (std::size_t i = 0; i < trees.size(); ++i)
    threads.emplace_back([&, i] {
      auto repository = must(Repository::open_at(repo_.path().string()));
      Forks forks(repository, *settings_, kActor);
      trees[i] = must(forks.ensure(spec("t" + std::to_string(i), base_)));
    });
  for (auto& thread : threads) thread.join();
  std::sort(trees.begin(), trees.end());
  for (std::size_t i = 0; i < trees.size(); ++i)
    EXPECT_EQ(trees[i], (repo_.root() / "repo.plan" / std::to_string(i + 1)).string());
}

TEST_F(ForksTest, UnbornIsRefusedWithTheRemedy) {
  const auto refused = forks_->ensure(spec("one", ""));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_EQ(refused.error().message, "the repository has no commit yet to fork from");
  EXPECT_EQ(refused.error().hint, "git commit --allow-empty -m \"Start\"");
}

TEST_F(ForksTest, ABranchInTheWayIsNamed) {
  repo_.git({"branch", "plan"});
  const auto refused = forks_->ensure(spec("one", base_));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the branch 'plan' is in the way of the branches plan/2026-03-03-demo/…; rename it: "
            "git branch -m plan <other name>");
  EXPECT_FALSE(exists((repo_.root() / "repo.plan").string()));
}

TEST_F(ForksTest, AFailingPostCheckoutHookDoesNotSpoilAGoodTree) {
  script(".git/hooks/post-checkout", "exit 3\n");
  const std::string tree = must(forks_->ensure(spec("one", base_)));
  EXPECT_EQ(git_in(tree, {"status", "--porcelain"}), "");
}

TEST_F(ForksTest, AHookThatEmptiesTheTreeIsNoticed) {
  script(".git/hooks/post-checkout", "rm -f a.txt; exit 1\n");
  const auto failed_one = forks_->ensure(spec("one", base_));
  ASSERT_FALSE(failed_one);
  EXPECT_EQ(failed_one.error().message.substr(0, 25), "cannot make the worktree ");
  EXPECT_THAT(failed_one.error().message, ::testing::HasSubstr("it is empty"));
  EXPECT_EQ(branch_tip("one"), "");
  EXPECT_EQ(repo_.git({"worktree", "list"}).find('\n'), std::string::npos) << "nothing is left";
  std::filesystem::remove(repo_.path() / ".git/hooks/post-checkout");
  EXPECT_EQ(must(forks_->ensure(spec("one", base_))), (repo_.root() / "repo.plan/1").string());
}

TEST_F(ForksTest, AnEmptyBaseGivesAnEmptyTree) {
  repo_.git({"rm", "-q", "a.txt"});
  const std::string empty = repo_.commit("Nothing");
  const std::string tree = must(forks_->ensure(spec("one", empty)));
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), empty);
}

// Killed between `git worktree add` and the record: registered, on the branch, not the attempt's
// yet.
TEST_F(ForksTest, AHalfMadeTreeIsMadeAgain) {
  const std::string half = (repo_.root() / "repo.plan/1").string();
  repo_.git({"worktree", "add", "-q", "--lock", "--reason",
             "git plan: 2026-03-03-demo one 0123456789ab.1", "-b", "plan/2026-03-03-demo/one", half,
             base_});
  std::filesystem::remove(half + "/a.txt");
  repo_.write(".git/worktrees/1/index.lock", "");
  const std::string tree = must(forks_->ensure(spec("one", base_)));
  EXPECT_EQ(tree, half);
  EXPECT_EQ(git_in(tree, {"status", "--porcelain"}), "");
}

// Killed right at its start: an administrative directory that says nothing yet, and an empty
// directory.
TEST_F(ForksTest, TheBeginningsOfATreeAreCleared) {
  repo_.write(".git/worktrees/1/locked", "git plan: 2026-03-03-demo one 0123456789ab.1\n");
  std::filesystem::create_directories(repo_.root() / "repo.plan/1");
  EXPECT_EQ(must(forks_->ensure(spec("one", base_))), (repo_.root() / "repo.plan/1").string());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(repo_.path() / ".git/worktrees"), {}),
            1);
}

TEST_F(ForksTest, ATreeThatSomebodyDeletedIsMadeAgainAndTheBranchsWorkKept) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  write_in(tree, "b.txt", "work\n");
  git_in(tree, {"add", "."});
  git_in(tree, {"commit", "-q", "-m", "Work"});
  const std::string tip = git_in(tree, {"rev-parse", "HEAD"});
  std::filesystem::remove_all(tree);
  EXPECT_EQ(must(forks_->ensure(one)), tree);
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), base_);
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, tip));
}

TEST_F(ForksTest, TheNextAttemptTakesTheBranchFromAFailedOne) {
  const ForkSpec first = spec("one", base_), second = spec("one", base_, "0123456789ab.2");
  const std::string old = must(forks_->ensure(first));
  write_in(old, "b.txt", "work\n");
  git_in(old, {"add", "."});
  git_in(old, {"commit", "-q", "-m", "Work"});
  const std::string tip = git_in(old, {"rev-parse", "HEAD"});
  write_in(old, "c.txt", "not committed\n");
  const std::string fresh = must(forks_->ensure(second));
  EXPECT_NE(fresh, old);
  EXPECT_EQ(git_in(fresh, {"symbolic-ref", "HEAD"}), second.branch);
  EXPECT_EQ(git_in(fresh, {"rev-parse", "HEAD"}), base_);
  EXPECT_EQ(git_in(old, {"rev-parse", "HEAD"}), tip) << "left for a look";
  EXPECT_EQ(git_in(old, {"rev-parse", "--abbrev-ref", "HEAD"}), "HEAD");
  EXPECT_TRUE(exists(old + "/c.txt"));
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, tip));
}

TEST_F(ForksTest, AFailedTreeInTheMiddleOfARebaseLetsGoOfTheBranch) {
  const ForkSpec first = spec("one", base_), second = spec("one", base_, "0123456789ab.2");
  const std::string old = must(forks_->ensure(first));
  write_in(old, "a.txt", "theirs\n");
  git_in(old, {"commit", "-q", "-am", "Theirs"});
  repo_.write("a.txt", "ours\n");
  const std::string ours = repo_.commit("Ours");
  EXPECT_NE(repo_.run({"git", "-C", old, "rebase", ours}).exit_status, 0);
  const std::string fresh = must(forks_->ensure(second));
  EXPECT_EQ(git_in(fresh, {"symbolic-ref", "HEAD"}), second.branch);
  EXPECT_TRUE(exists(repo_.path() / ".git/worktrees/1/rebase-merge")) << "left for a look";
}

TEST_F(ForksTest, WhatAnEarlierAttemptLeftOnItsBranchIsKeptBeforeItGoes) {
  std::filesystem::create_directories(spec("one", base_, "0123456789ab.0").attempt_dir);
  repo_.git({"checkout", "-q", "-b", "plan/2026-03-03-demo/one"});
  repo_.write("x.txt", "x\n");
  const std::string stray = repo_.commit("Stray");
  const auto refused = forks_->ensure(spec("one", base_));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the branch 'plan/2026-03-03-demo/one' is checked out in '" +
                                         repo_.path().string() + "'");
  repo_.git({"checkout", "-q", "main"});
  const std::string tree = must(forks_->ensure(spec("one", base_)));
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), base_);
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, stray));
}

TEST_F(ForksTest, ReleaseLeavesNothingBehind) {
  const ForkSpec one = spec("one", base_);
  const Work done = work(one, {{"b.txt", "work\n"}});
  const std::string tree = *forks_->tree_of(one);
  git_in(tree, {"config", "branch.plan/2026-03-03-demo/one.remote", "origin"});
  must(forks_->release(one));
  EXPECT_FALSE(exists(tree));
  EXPECT_FALSE(exists(repo_.root() / "repo.plan"));
  EXPECT_FALSE(exists(repo_.path() / ".git/worktrees"));
  EXPECT_FALSE(exists(repo_.path() / ".git/refs/heads/plan"));
  EXPECT_FALSE(exists(repo_.path() / ".git/logs/refs/heads/plan"));
  EXPECT_EQ(branch_tip("one"), "");
  EXPECT_EQ(repo_.read(".git/config").find("branch"), std::string::npos);
  EXPECT_EQ(forks_->tree_of(one), std::nullopt);
  EXPECT_EQ(repo_.git({"cat-file", "-t", done.commit}), "commit");
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, done.commit));
  must(forks_->release(one));  // again
}

// A git that was killed in the middle of `worktree remove`: files are missing, nobody deleted them.
// Killed while it deleted the branch.
TEST_F(ForksTest, ReleaseIsNotHeldUpByALockThatAKilledProcessLeft) {
  const ForkSpec one = spec("one", base_);
  must(forks_->ensure(one));
  const std::string lock = ".git/" + one.branch + ".lock";
  repo_.write(lock, "");
  repo_.run({"touch", "-d", "1 minute ago", lock});
  must(forks_->release(one));
  EXPECT_EQ(repo_.git({"for-each-ref", one.branch}), "");
  EXPECT_FALSE(repo_.exists(lock));

  repo_.write(lock, "");  // or when it had just done so
  repo_.run({"touch", "-d", "1 minute ago", lock});
  must(forks_->release(one));
  EXPECT_FALSE(repo_.exists(lock));
}

TEST_F(ForksTest, ReleaseFinishesARemovalThatWasCutShort) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  const std::string admin = git_in(tree, {"rev-parse", "--absolute-git-dir"});
  std::filesystem::remove(tree + "/a.txt");
  ASSERT_FALSE(forks_->release(one)) << "somebody deleted it";
  const std::ofstream marker(admin + "/plan-removing");
  EXPECT_EQ(forks_->tree_of(one), std::nullopt);
  must(forks_->release(one));
  EXPECT_FALSE(std::filesystem::exists(tree));
  EXPECT_FALSE(std::filesystem::exists(admin));
  EXPECT_EQ(branch_tip("one"), "");
}

TEST_F(ForksTest, ReleaseFinishesWhenOnlyTheAdministrativeDirectoryIsLeft) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  const std::string admin = git_in(tree, {"rev-parse", "--absolute-git-dir"});
  std::filesystem::remove_all(tree);
  for (const char* name : {"gitdir", "HEAD", "commondir"})
    std::filesystem::remove(admin + "/" + name);
  must(forks_->release(one));
  EXPECT_FALSE(std::filesystem::exists(admin));
  EXPECT_FALSE(std::filesystem::exists(repo_.root() / "repo.plan"));
  EXPECT_EQ(branch_tip("one"), "");
}

// The record of an attempt goes last, so that whoever comes next knows that something is left.
TEST_F(ForksTest, ReleaseFinishesWhenOnlyTheBranchIsLeft) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  repo_.git({"worktree", "remove", "--force", "--force", tree});
  const std::string record = one.attempt_dir + "/tree";
  ASSERT_TRUE(exists(record));
  repo_.write(".git/config.lock", "");  // the section of the branch cannot be removed
  repo_.run(
      {"sh", "-c", "printf '[branch \"plan/2026-03-03-demo/one\"]\n\tremote = o\n' >>.git/config"});
  EXPECT_FALSE(forks_->release(one).ok());
  EXPECT_TRUE(exists(record)) << "it is tried again";
  std::filesystem::remove(repo_.path() / ".git/config.lock");
  must(forks_->release(one));
  EXPECT_FALSE(exists(record));
  EXPECT_EQ(repo_.git({"for-each-ref", one.branch}), "");
  EXPECT_EQ(repo_.read(".git/config").find("[branch"), std::string::npos);
}

TEST_F(ForksTest, ReleaseFinishesWhenOnlyTheEmptyRootIsLeft) {
  const ForkSpec one = spec("one", base_);
  repo_.git({"worktree", "remove", "--force", "--force", must(forks_->ensure(one))});
  must(forks_->release(one));
  EXPECT_FALSE(std::filesystem::exists(repo_.root() / "repo.plan"));
}

TEST_F(ForksTest, ReleaseRefusesWhatNothingKeeps) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  write_in(tree, "b.txt", "work\n");
  auto refused = forks_->release(one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "'" + tree + "' holds changes that are in no commit");
  git_in(tree, {"add", "."});
  git_in(tree, {"commit", "-q", "-m", "Work"});
  const std::string tip = git_in(tree, {"rev-parse", "HEAD"});
  refused = forks_->release(one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "'" + tree + "' stands at " + tip.substr(0, 12) + ", which nothing else keeps");
  EXPECT_TRUE(exists(tree + "/b.txt"));
  repo_.git({"branch", "saved", tip});
  must(forks_->release(one));
  EXPECT_FALSE(exists(tree));
}

TEST_F(ForksTest, ReleaseDoesNotFollowALinkInTheTreesPlace) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  const std::filesystem::path other = repo_.root() / "precious";
  std::filesystem::create_directories(other);
  repo_.write(other / "file", "keep me\n");
  std::filesystem::remove_all(tree);
  std::filesystem::create_directory_symlink(other, tree);
  must(forks_->release(one));
  EXPECT_TRUE(exists((other / "file").string()));
  EXPECT_FALSE(exists(tree));
}

TEST_F(ForksTest, ReleaseTakesDirectoriesWithoutPermission) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  repo_.write(tree + "/.gitignore", "out/\n");
  repo_.write(tree + "/out/deep/file", "x\n");
  must(forks_->collect(one, "Work"));
  std::filesystem::permissions(tree + "/out/deep", std::filesystem::perms::none);
  must(forks_->release(one));
  EXPECT_FALSE(exists(tree));
}

TEST_F(ForksTest, ReleaseOfAnEarlierAttemptLeavesTheBranchOfTheLater) {
  const ForkSpec first = spec("one", base_), second = spec("one", base_, "0123456789ab.2");
  must(forks_->ensure(first));
  must(forks_->detach(first));
  const std::string fresh = must(forks_->ensure(second));
  must(forks_->release(first));
  EXPECT_EQ(git_in(fresh, {"rev-parse", "HEAD"}), base_);
}

TEST_F(ForksTest, DetachFreesTheName) {
  const ForkSpec one = spec("one", base_);
  const std::string tree = must(forks_->ensure(one));
  must(forks_->detach(one));
  EXPECT_EQ(git_in(tree, {"rev-parse", "--abbrev-ref", "HEAD"}), "HEAD");
  repo_.git({"branch", "-D", "plan/2026-03-03-demo/one"});
  EXPECT_TRUE(exists(tree + "/a.txt"));
}

TEST_F(ForksTest, TheConfiguredRootIsTaken) {
  repo_.git({"config", "plan.worktreeRoot", (repo_.root() / "elsewhere/trees").string()});
  open();
  EXPECT_EQ(must(forks_->ensure(spec("one", base_))),
            (repo_.root() / "elsewhere/trees/1").string());
}

TEST_F(ForksTest, ARepositoryInsideAnotherWorkTreeKeepsItsTreesToItself) {
  repo_.git({"init", "-q", "inner"});
  repo_.write("inner/f", "f\n");
  git_in((repo_.path() / "inner").string(), {"add", "."});
  git_in((repo_.path() / "inner").string(), {"commit", "-q", "-m", "Inner"});
  open((repo_.path() / "inner").string());
  const std::string base = must(repository_->head_commit()).value();
  EXPECT_EQ(must(forks_->ensure(spec("one", base))),
            (repo_.path() / "inner/.git/git-plan/trees/1").string());
}

TEST_F(ForksTest, ALinkedWorktreeUsesTheSameRoot) {
  repo_.git({"worktree", "add", "-q", "../other", "-b", "other"});
  open((repo_.root() / "other").string());
  EXPECT_EQ(must(forks_->ensure(spec("one", base_))), (repo_.root() / "repo.plan/1").string());
}

class BareForks : public ForkFixture {
 protected:
  BareForks() : ForkFixture({"--bare"}) {}
};

TEST_F(BareForks, TreesLieBesideTheBareRepository) {
  const std::string tree_id = repo_.git({"mktree"});
  const std::string base = repo_.git({"commit-tree", tree_id, "-m", "Base"});
  repo_.git({"update-ref", "refs/heads/main", base});
  std::filesystem::rename(repo_.path(), repo_.root() / "project.git");
  std::filesystem::create_symlink(repo_.root() / "project.git", repo_.path());
  open((repo_.root() / "project.git").string());
  const ForkSpec one = spec("one", base);
  EXPECT_EQ(must(forks_->ensure(one)), (repo_.root() / "project.plan/1").string());
  write_in(*forks_->tree_of(one), "a.txt", "a\n");
  const Work done = must(forks_->collect(one, "Work"));
  EXPECT_EQ(done.paths, std::vector<std::string>{"a.txt"});
  must(forks_->release(one));
  EXPECT_FALSE(exists(repo_.root() / "project.plan"));
}

}  // namespace
}  // namespace gitplan::test
