// The same plans from every place that git calls a repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kList = "x  active  -  just now  One\n";

class PlacesTest : public ::testing::Test {
 protected:
  PlacesTest() {
    repo.plan({"create", "-F", "-", "--naming", "x"}, {.stdin_text = "# One\n\nText.\n"});
  }
  std::string status() const { return repo.git({"status", "--porcelain"}); }
  WorkRepo repo;
};

TEST_F(PlacesTest, SubdirectoryAndRelativeFiles) {
  EXPECT_EQ(repo.plan({"list"}, {.cwd = "src"}).out, kList);
  repo.write("src/p.md", "# Two\n\nText.\n");
  EXPECT_EQ(repo.plan({"create", "-F", "p.md", "--naming", "y"}, {.cwd = "src"}).out, "y\n");
}

TEST_F(PlacesTest, LinkedWorktree) {
  repo.git({"worktree", "add", "-q", "../linked"});
  EXPECT_EQ(repo.plan({"list"}, {.cwd = repo.root() / "linked"}).out, kList);
  EXPECT_EQ(repo.plan({"create", "-F", "-", "--naming", "y"},
                      {.cwd = repo.root() / "linked", .stdin_text = "# Two\n\nText.\n"})
                .out,
            "y\n");
  EXPECT_EQ(repo.plan({"trust", "--list"}).out, "x  trusted  One\ny  trusted  Two\n");
}

TEST_F(PlacesTest, BareRepository) {
  repo.git({"clone", "-q", "--bare", ".", "../bare.git"});
  repo.git({"push", "-q", "../bare.git", "refs/plans/*:refs/plans/*"});
  const RunOptions bare{.cwd = repo.root() / "bare.git"};
  EXPECT_EQ(repo.plan({"list"}, bare).out, kList);
  EXPECT_EQ(repo.plan({"update", "x", "--title", "New", "--yes"}, bare).exit_status, 0);
  EXPECT_THAT(repo.plan({"diff", "x"}, bare).out, HasSubstr("+title: New\n"));
}

TEST_F(PlacesTest, GitDirAndWorkTreeGiven) {
  const std::string git_dir = repo.path() / ".git";
  EXPECT_EQ(repo.run({"git-plan", "list"}, {.cwd = "/", .env = {{"GIT_DIR", git_dir}}}).out, kList);
  EXPECT_EQ(repo.run({"git", "--git-dir=" + git_dir, "--work-tree=" + repo.path().string(), "plan",
                      "list"},
                     {.cwd = "/"})
                .out,
            kList);
  EXPECT_EQ(repo.run({"git", "-C", repo.path(), "plan", "show", "x"}, {.cwd = "/"}).out,
            "# One\n\nText.\n");
}

TEST_F(PlacesTest, InsideAHookWithAnIndexOfItsOwn) {
  repo.write(
      ".git/hooks/pre-commit",
      "#!/bin/sh\n"
      "git plan list >hook.out 2>&1 &&\n"
      "printf '# Hook\\n\\nText.\\n' | git plan create -F - --naming hooked >>hook.out 2>&1\n");
  repo.run({"chmod", "+x", ".git/hooks/pre-commit"});
  repo.write("src/a.txt", "changed\n");
  repo.write("src/b.txt", "new\n");
  repo.git({"add", "src/b.txt"});
  repo.git({"commit", "-q", "-m", "with a hook", "src/a.txt"});  // GIT_INDEX_FILE is another one
  EXPECT_EQ(repo.read("hook.out"),
            std::string(kList) + "hooked\nCreated without tasks. Next: git plan edit hooked\n");
  EXPECT_EQ(status(), "A  src/b.txt\n?? hook.out");
}

TEST_F(PlacesTest, ReadingAndWritingLeaveTheWorkTreeAlone) {
  repo.plan({"list"});
  repo.plan({"update", "x", "--title", "New", "--yes"});
  repo.plan({"diff", "x"});
  repo.plan({"delete", "x", "--yes"});
  EXPECT_EQ(status(), "");
  EXPECT_EQ(repo.git({"fsck", "--strict"}), "");
}

TEST_F(PlacesTest, UnbornBranch) {
  const TempRepo fresh;
  EXPECT_EQ(fresh
                .plan({"create", "-F", "-", "--naming", "x"},
                      {.stdin_text = "# One\n\n## Changes\n- [modify] a.txt\n"})
                .exit_status,
            0);
  EXPECT_EQ(fresh.plan({"list"}).out, kList);
}

TEST_F(PlacesTest, AWrongConfigurationIsNamed) {
  const ProcessResult result =
      repo.run({"git", "-c", "plan.editMode=never", "plan", "update", "x", "--title", "T"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("error: configuration plan.editMode = 'never' must be one of "
                                    "apply, confirm, iterate\n"));
}

}  // namespace
}  // namespace gitplan::test
