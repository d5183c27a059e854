#include "refs/wave/locked_branch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "refs/git/git_processes.h"
#include "tests/refs/wave/landing_fixture.h"

namespace gitplan::test {
namespace {

class LockedBranch : public LandingFixture {
 protected:
  LockedBranch() {
    move_ = {"refs/heads/main", base_, plan_, "plan x: Fast-forward", std::chrono::seconds(30)};
    repo_.git({"branch", "feature", base_});
  }
  Worktree holder() const { return *worktree_at(*repository_, repo_.path().string()); }
  std::string head() const { return repo_.git({"symbolic-ref", "HEAD"}); }

  RefMove move_;
};

Status nothing() { return {}; }

TEST_F(LockedBranch, WhoHasSwitchedSinceIsNotMoved) {
  const Worktree before = holder();
  repo_.git({"switch", "-q", "feature"});
  bool moved = false;
  const Status status = move_locked(
      *repository_, &before, move_,
      [&] {
        moved = true;
        return Status();
      },
      nothing);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kBusy);
  EXPECT_EQ(status.error().message, "'" + before.path + "' has just left 'main'");
  EXPECT_FALSE(moved);
  EXPECT_EQ(tip(), base_);
  EXPECT_EQ(repo_.git({"rev-parse", "feature"}), base_);
  EXPECT_EQ(head(), "refs/heads/feature");
}

TEST_F(LockedBranch, NobodyCanSwitchOrCommitWhileFilesMove) {
  const Worktree tree = holder();
  const Status status = move_locked(
      *repository_, &tree, move_,
      [&]() -> Status {
        EXPECT_NE(repo_.run({"git", "switch", "-q", "feature"}).exit_status, 0);
        EXPECT_NE(repo_.run({"git", "commit", "-q", "--allow-empty", "-m", "x"}).exit_status, 0);
        return {};
      },
      nothing);
  EXPECT_TRUE(status);
  EXPECT_EQ(head(), "refs/heads/main");
  EXPECT_EQ(tip(), plan_);
  EXPECT_FALSE(repo_.exists(".git/HEAD.lock"));
}

TEST_F(LockedBranch, FilesGoBackWhereAnotherGitHasComeToTheTree) {
  const Worktree tree = holder();
  std::array<int, 2> input;
  ASSERT_EQ(pipe2(input.data(), O_CLOEXEC), 0);
  pid_t child = -1;
  int back = 0;
  const Status status = move_locked(
      *repository_, &tree, move_,
      [&]() -> Status {
        child = fork();
        if (child == 0) {
          if (chdir(repo_.path().c_str()) != 0 || dup2(input[0], STDIN_FILENO) < 0) _exit(126);
          execlp("git", "git", "hash-object", "--stdin", nullptr);
          _exit(127);
        }
        for (int i = 0; i < 500 && git_processes_in(tree.path).size() < 2; ++i) usleep(10000);
        return {};
      },
      [&]() -> Status {
        ++back;
        return {};
      });
  close(input[0]);
  close(input[1]);
  waitpid(child, nullptr, 0);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kBusy);
  EXPECT_EQ(back, 1);
  EXPECT_EQ(tip(), base_);
  EXPECT_FALSE(repo_.exists(".git/HEAD.lock"));
}

TEST_F(LockedBranch, WhatCannotMoveTheFilesLeavesTheRef) {
  const Worktree tree = holder();
  int back = 0;
  const Status status = move_locked(
      *repository_, &tree, move_, []() -> Status { return failed("a filter does not work"); },
      [&]() -> Status {
        ++back;
        return {};
      });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a filter does not work");
  EXPECT_EQ(back, 0);
  EXPECT_EQ(tip(), base_);
  EXPECT_FALSE(repo_.exists(".git/HEAD.lock"));
}

TEST_F(LockedBranch, WhoHasJustTakenABranchThatNobodyHadIsNotLeftBehind) {
  const Status status = move_locked(*repository_, nullptr, move_, nothing, nothing);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "'" + holder().path + "' has just checked out 'main'");
  EXPECT_EQ(tip(), base_);
}

}  // namespace
}  // namespace gitplan::test
