// Landing and what the user's index says: staged versions, entries taken out, marks that hide a
// file from git status.
#include <filesystem>

#include "tests/refs/wave/landing_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LandingIndex : public LandingFixture {
 protected:
  std::string staged(const std::string& path) const {
    return repo_.git({"ls-files", "-s", "--", path});
  }
  // "S a.txt": with the letter of its mark.
  std::string mark(const std::string& path) const {
    return repo_.git({"ls-files", "-v", "--", path});
  }
  std::vector<std::string> conflicts() {
    const std::string index = repo_.git({"ls-files", "-s", "-v"});
    const LandConflict conflict = run_for<LandConflict>();
    EXPECT_TRUE(conflict.dirty);
    EXPECT_EQ(repo_.git({"ls-files", "-s", "-v"}), index);
    return text_of(conflict.conflicts);
  }
  std::string kept() const {
    return repo_.git(
        {"rev-parse", repo_.git({"for-each-ref", "--format=%(refname)", "refs/plan-keep"}) + "^1"});
  }
};

TEST_F(LandingIndex, MineLeavesWhatIsStaged) {
  repo_.write("a.txt", "staged\n");
  repo_.write("new.txt", "my own\n");
  repo_.git({"add", "a.txt", "new.txt"});
  repo_.write("a.txt", "edited further\n");
  const std::string a = staged("a.txt"), own = staged("new.txt");
  answer("mine");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(staged("a.txt"), a);
  EXPECT_EQ(staged("new.txt"), own);
  EXPECT_EQ(repo_.read("a.txt"), "edited further\n");
  EXPECT_EQ(status(), "MM a.txt\nM  new.txt");
  EXPECT_THAT(said_, ElementsAre());
}

TEST_F(LandingIndex, MineLeavesWhatIsTakenOutOfTheIndex) {
  repo_.git({"rm", "-q", "--cached", "a.txt"});
  EXPECT_THAT(conflicts(), ElementsAre("a.txt rm --cached: user; one 5-5"));
  repo_.write("a.txt", lines(60, {{7, "mine"}}));
  EXPECT_THAT(conflicts(), ElementsAre("a.txt rm --cached: user 7-7; one 5-5"));
  EXPECT_THAT(answer("mine").why,
              HasSubstr("\n'a.txt' is no longer in your index, but still a file."));
  run_for<LandDone>();
  EXPECT_EQ(staged("a.txt"), "");
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{7, "mine"}}));
  EXPECT_EQ(status(), "D  a.txt\n?? a.txt");
}

TEST_F(LandingIndex, MineLeavesAStagedDeletion) {
  repo_.git({"rm", "-q", "a.txt"});
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(status(), "D  a.txt");
}

TEST_F(LandingIndex, MineLeavesAStagedFileWhereADirectoryMustBeAndTheOtherWayRound) {
  effect_.commit = plan_ = wave_on(base_, {{"dir/x.txt", "x\n"}, {"name", "a file\n"}}, {"one"});
  repo_.write("dir", "a file of mine\n");
  repo_.write("name/below", "mine\n");
  repo_.git({"add", "dir", "name"});
  const std::string all = staged("dir") + staged("name");
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(staged("dir") + staged("name"), all);
  EXPECT_EQ(repo_.read("dir"), "a file of mine\n");
  EXPECT_EQ(repo_.read("name/below"), "mine\n");
}

TEST_F(LandingIndex, ThePlansVersionTakesStagedOnesOutAndKeepsThem) {
  effect_.commit = plan_ = wave_on(base_, {{"a.txt", "plan\n"}, {"dir/x.txt", "x\n"}}, {"one"});
  repo_.write("a.txt", "staged\n");
  repo_.write("dir", "staged too\n");
  repo_.git({"add", "a.txt", "dir"});
  repo_.write("a.txt", "edited further\n");
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_EQ(status(), "");
  EXPECT_EQ(file_in(kept(), "a.txt"), "edited further");
  EXPECT_EQ(file_in(kept() + "^", "a.txt"), "staged");
  EXPECT_EQ(file_in(kept() + "^", "dir"), "staged too");
  const std::string id = kept().substr(0, 12);
  EXPECT_THAT(said_, ElementsAre("your version of a.txt is kept: git show " + id + ":a.txt",
                                 "what you had staged of a.txt is kept: git show " + id + "^:a.txt",
                                 "your version of dir is kept: git show " + id + ":dir"));
}

// The plan deletes the file, so does the user; but a version of it is staged.
TEST_F(LandingIndex, AStagedVersionOfADeletedFileIsInTheWay) {
  repo_.write("gone.txt", "staged\n");
  repo_.git({"add", "gone.txt"});
  std::filesystem::remove(repo_.path() / "gone.txt");
  EXPECT_THAT(conflicts(), ElementsAre("gone.txt dirty: user deletes; one deletes"));
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_EQ(file_in(kept() + "^", "gone.txt"), "staged");
  EXPECT_EQ(status(), "");
}

struct Mark {
  std::string name, letter;
};

TEST_F(LandingIndex, AHiddenChangeIsNamedWithItsReason) {
  for (const Mark& one : {Mark{"skip-worktree", "S"}, Mark{"assume-unchanged", "h"}}) {
    repo_.git({"update-index", "--" + one.name, "a.txt"});
    repo_.write("a.txt", lines(60, {{7, "mine"}}));
    EXPECT_EQ(status(), "");
    EXPECT_THAT(conflicts(), ElementsAre("a.txt " + one.name + ": user 7-7; one 5-5"));
    const DecisionAsked asked = ask_about_landing(run_for<LandConflict>());
    EXPECT_EQ(asked.kind, "fork_user_conflict");
    EXPECT_THAT(asked.why,
                HasSubstr("\n'a.txt' is marked " + one.name +
                          ", so git status does not show your change; 'git update-index --no-" +
                          one.name + "' takes the mark away."));
    repo_.git({"update-index", "--no-" + one.name, "a.txt"});
    repo_.git({"checkout", "-q", "a.txt"});
  }
}

TEST_F(LandingIndex, MineLeavesAHiddenChangeHidden) {
  for (const Mark& one : {Mark{"skip-worktree", "S"}, Mark{"assume-unchanged", "h"}}) {
    repo_.git({"update-index", "--" + one.name, "a.txt"});
    repo_.write("a.txt", lines(60, {{7, "mine"}}));
    effect_.answers = {};
    answer("mine");
    run_for<LandDone>();
    EXPECT_EQ(repo_.read("a.txt"), lines(60, {{7, "mine"}}));
    EXPECT_EQ(mark("a.txt"), one.letter + " a.txt");
    EXPECT_EQ(status(), "");
    EXPECT_EQ(repo_.git({"diff", "--cached"}), "");
    repo_.git({"update-index", "--no-" + one.name, "a.txt"});
    repo_.git({"reset", "-q", "--hard", base_});
  }
}

TEST_F(LandingIndex, ThePlansVersionTakesTheHiddenPlace) {
  for (const Mark& one : {Mark{"skip-worktree", "S"}, Mark{"assume-unchanged", "h"}}) {
    repo_.git({"update-index", "--" + one.name, "a.txt"});
    repo_.write("a.txt", lines(60, {{7, "mine"}}));
    effect_.answers = {};
    answer("keep:one");
    run_for<LandDone>();
    EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}}));
    EXPECT_EQ(file_in(kept(), "a.txt") + "\n", lines(60, {{7, "mine"}}));
    EXPECT_EQ(mark("a.txt"), one.letter + " a.txt");
    repo_.git({"update-index", "--no-" + one.name, "a.txt"});
    repo_.git(
        {"update-ref", "-d", repo_.git({"for-each-ref", "--format=%(refname)", "refs/plan-keep"})});
    EXPECT_EQ(status(), "");
    repo_.git({"reset", "-q", "--hard", base_});
  }
}

TEST_F(LandingIndex, HiddenFilesWithoutAChangeAreNotInTheWay) {
  repo_.git({"update-index", "--skip-worktree", "gone.txt"});
  repo_.git({"update-index", "--assume-unchanged", "a.txt"});
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}}));
}

// What is skipped and not there is nobody's deletion.
TEST_F(LandingIndex, WhatASparseCheckoutLeavesOutIsNotInTheWay) {
  repo_.git({"sparse-checkout", "set", "--no-cone", "/*", "!/a.txt"});
  EXPECT_EQ(mark("a.txt"), "S a.txt");
  run_for<LandDone>();
  EXPECT_FALSE(repo_.exists("a.txt"));
  EXPECT_EQ(status(), "");
}

TEST_F(LandingIndex, AHiddenDeletionIsTheUsersToo) {
  for (const Mark& one : {Mark{"skip-worktree", "S"}, Mark{"assume-unchanged", "h"}}) {
    repo_.git({"update-index", "--" + one.name, "a.txt"});
    std::filesystem::remove(repo_.path() / "a.txt");
    effect_.answers = {};
    EXPECT_THAT(conflicts(), ElementsAre("a.txt " + one.name + ": user deletes; one 5-5"));
    answer("mine");
    run_for<LandDone>();
    EXPECT_FALSE(repo_.exists("a.txt"));
    EXPECT_EQ(mark("a.txt"), one.letter + " a.txt");
    repo_.git({"update-index", "--no-" + one.name, "a.txt"});
    repo_.git({"reset", "-q", "--hard", base_});
  }
}

TEST_F(LandingIndex, HiddenLinksAndBitsCount) {
  repo_.git({"update-index", "--skip-worktree", "a.txt"});
  std::filesystem::permissions(repo_.path() / "a.txt", std::filesystem::perms::owner_all);
  EXPECT_THAT(conflicts(), ElementsAre("a.txt skip-worktree: user; one 5-5"));
  repo_.git({"config", "core.fileMode", "false"});
  std::filesystem::remove(repo_.path() / "a.txt");
  std::filesystem::create_symlink("b.txt", repo_.path() / "a.txt");
  EXPECT_EQ(conflicts().size(), 1u);
}

// As 'git stash pop' leaves them, with no merge going on.
TEST_F(LandingIndex, UnresolvedFilesAreWaitedFor) {
  repo_.write("b.txt", "stashed\n");
  repo_.git({"stash", "-q"});
  on_main({{"b.txt", "user\n"}});
  repo_.run({"git", "stash", "pop"});
  EXPECT_EQ(
      run_for<LandWaits>().reason,
      "in '" + repo_.path().string() + "' are files with conflicts that are not resolved: b.txt");
  repo_.git({"checkout", "-q", "HEAD", "b.txt"});
  run_for<LandDone>();
}

}  // namespace
}  // namespace gitplan::test
