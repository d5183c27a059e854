// Landing where the user has edits and files of their own in the way.
#include <unistd.h>

#include <filesystem>

#include "tests/refs/wave/landing_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LandingDirty : public LandingFixture {
 protected:
  // All that git knows and that lies there: to see that a refusal touched nothing.
  std::string picture() const {
    return status() + "\n" + repo_.git({"ls-files", "-s"}) + "\n" + tip() + "\n" +
           repo_.git({"diff"});
  }
  std::vector<std::string> conflicts() {
    const std::string before = picture();
    const LandConflict conflict = run_for<LandConflict>();
    EXPECT_TRUE(conflict.dirty);
    EXPECT_EQ(picture(), before);
    return text_of(conflict.conflicts);
  }
  static std::vector<std::string> labels_of(const DecisionAsked& asked) {
    std::vector<std::string> result;
    for (const DecisionOption& option : asked.options)
      if (option.disabled.empty()) result.push_back(option.key + ": " + option.label);
    return result;
  }
  std::string kept() const {
    return repo_.git({"for-each-ref", "--format=%(refname)", "refs/plan-keep"});
  }
};

TEST_F(LandingDirty, EveryKindOfChangeIsSeen) {
  repo_.write("a.txt", lines(60, {{7, "mine"}}));
  repo_.write("new.txt", "my own\n");
  repo_.write("gone.txt", "still needed\n");
  EXPECT_THAT(conflicts(),
              ElementsAre("a.txt dirty: user 7-7; one 5-5", "gone.txt dirty: user 1-1; one deletes",
                          "new.txt dirty: user; one 1-1"));
  repo_.git({"add", "a.txt", "new.txt", "gone.txt"});
  EXPECT_THAT(conflicts(),
              ElementsAre("a.txt dirty: user 7-7; one 5-5", "gone.txt dirty: user 1-1; one deletes",
                          "new.txt dirty: user 1-1; one 1-1"));
  repo_.git({"checkout", "-q", "HEAD", "a.txt", "gone.txt"});
  repo_.git({"rm", "-q", "--cached", "new.txt"});
  std::filesystem::remove(repo_.path() / "new.txt");
  run_for<LandDone>();
}

TEST_F(LandingDirty, IgnoredFilesAreTheUsersToo) {
  plan_ = wave_on(base_, {{"config.local", "from the plan\n"}}, {"one"});
  effect_.commit = plan_;
  repo_.write("config.local", "mine\n");
  EXPECT_THAT(conflicts(), ElementsAre("config.local dirty: user; one 1-1"));
  EXPECT_EQ(repo_.read("config.local"), "mine\n");
}

TEST_F(LandingDirty, FilesWhereADirectoryMustBeAndTheOtherWayRound) {
  plan_ = wave_on(base_, {{"dir/x.txt", "x\n"}, {"name", "a file\n"}}, {"one"});
  effect_.commit = plan_;
  repo_.write("dir", "a file of mine\n");
  repo_.write("name/below/file", "mine\n");
  EXPECT_THAT(conflicts(),
              ElementsAre("dir/x.txt dirty: user; one 1-1", "name dirty: user; one 1-1"));
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("dir/x.txt"), "x\n");
  EXPECT_EQ(repo_.read("name"), "a file\n");
  EXPECT_EQ(status(), "");
  EXPECT_EQ(said_.size(), 2u);
  EXPECT_THAT(said_.front(), HasSubstr("your version of dir is kept: git show "));
  EXPECT_THAT(said_.back(), HasSubstr(":name/below/file"));
}

TEST_F(LandingDirty, ALinkOutOfTheRepositoryIsNotFollowed) {
  plan_ = wave_on(base_, {{"dir/x.txt", "x\n"}}, {"one"});
  effect_.commit = plan_;
  std::filesystem::create_directories(repo_.root() / "outside");
  std::filesystem::create_directory_symlink(repo_.root() / "outside", repo_.path() / "dir");
  EXPECT_THAT(conflicts(), ElementsAre("dir/x.txt dirty: user; one 1-1"));
  EXPECT_TRUE(std::filesystem::is_empty(repo_.root() / "outside"));
}

TEST_F(LandingDirty, WhatIsTheSameIsNotInTheWay) {
  repo_.write("new.txt", "new\n");
  repo_.write("a.txt", lines(60, {{5, "plan"}}));
  std::filesystem::remove(repo_.path() / "gone.txt");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(status(), "");
}

// Files and index were moved, then everything was killed before the ref.
TEST_F(LandingDirty, AHalfDoneLandingIsFinished) {
  repo_.git({"read-tree", "-m", "-u", base_, plan_});
  EXPECT_NE(status(), "");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(status(), "");
}

TEST_F(LandingDirty, MineLeavesTheFilesAndShowsThemAsModified) {
  repo_.write("a.txt", lines(60, {{7, "mine"}}));
  repo_.write("new.txt", "my own\n");
  repo_.write("gone.txt", "still needed\n");
  answer("mine");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(tip(), plan_);
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{7, "mine"}}));
  EXPECT_EQ(repo_.read("new.txt"), "my own\n");
  EXPECT_EQ(repo_.read("gone.txt"), "still needed\n");
  EXPECT_EQ(status(), " M a.txt\n M new.txt\n?? gone.txt");
  EXPECT_EQ(repo_.git({"diff", "--cached"}), "");
  EXPECT_THAT(said_, ElementsAre());
  EXPECT_EQ(kept(), "");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
}

TEST_F(LandingDirty, MineUpdatesTheOtherFiles) {
  plan_ = wave_on(base_, {{"a.txt", lines(60, {{5, "plan"}})}, {"b.txt", "plan\n"}}, {"one"});
  effect_.commit = plan_;
  repo_.write("a.txt", "all mine\n");
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("b.txt"), "plan\n");
  EXPECT_EQ(status(), " M a.txt");
}

TEST_F(LandingDirty, KeepThePlansKeepsTheUsersToo) {
  repo_.write("a.txt", lines(60, {{7, "mine"}}));
  repo_.write("new.txt", "my own\n");
  repo_.write("gone.txt", "still needed\n");
  repo_.write("b.txt", "not concerned\n");
  answer("keep:one");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(status(), " M b.txt");
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}}));
  EXPECT_EQ(repo_.read("new.txt"), "new\n");
  EXPECT_FALSE(repo_.exists("gone.txt"));
  const std::string keep = repo_.git({"rev-parse", kept() + "^1"});
  EXPECT_EQ(file_in(keep, "a.txt") + "\n", lines(60, {{7, "mine"}}));
  EXPECT_EQ(file_in(keep, "new.txt"), "my own");
  EXPECT_EQ(file_in(keep, "gone.txt"), "still needed");
  EXPECT_EQ(said_.size(), 3u);
}

// Each key does what its label says, and nothing to the files that it does not name.
TEST_F(LandingDirty, KeepTakesTheFilesOfItsTaskAndNoOther) {
  const std::string one = wave_on(base_, {{"a.txt", lines(60, {{5, "one"}})}}, {"one"});
  effect_.commit = plan_ = wave_on(one, {{"b.txt", "two\n"}}, {"two"});
  repo_.write("a.txt", "my a\n");
  repo_.write("b.txt", "my b\n");
  const DecisionAsked asked = answer("keep:one");
  EXPECT_THAT(labels_of(asked),
              ElementsAre("mine: land, and leave these files, and what you staged of them, as they "
                          "are; the plan's changes then show in them as undone",
                          "keep:one: take the plan's a.txt; yours, staged or not, are kept in a "
                          "commit; leave b.txt as you have it",
                          "keep:two: take the plan's b.txt; yours, staged or not, are kept in a "
                          "commit; leave a.txt as you have it",
                          "theirs: take all of these files from the plan; yours, staged or not, "
                          "are kept in a commit",
                          "wait: land as soon as nothing is in the way",
                          "abort: end the plan here; everything done is kept"));
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "one"}}));
  EXPECT_EQ(repo_.read("b.txt"), "my b\n");
  EXPECT_EQ(status(), " M b.txt");
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_THAT(said_[0], HasSubstr("your version of a.txt is kept"));
}

TEST_F(LandingDirty, TheirsTakesTheFilesOfAllTasks) {
  const std::string one = wave_on(base_, {{"a.txt", lines(60, {{5, "one"}})}}, {"one"});
  effect_.commit = plan_ = wave_on(one, {{"b.txt", "two\n"}}, {"two"});
  repo_.write("a.txt", "my a\n");
  repo_.write("b.txt", "my b\n");
  answer("theirs");
  run_for<LandDone>();
  EXPECT_EQ(status(), "");
  EXPECT_EQ(repo_.read("b.txt"), "two\n");
  EXPECT_EQ(said_.size(), 2u);
}

TEST_F(LandingDirty, AFileOfTwoTasksIsNamedSo) {
  const std::string one = wave_on(base_, {{"a.txt", lines(60, {{5, "one"}})}}, {"one"});
  effect_.commit = plan_ =
      wave_on(one, {{"a.txt", lines(60, {{5, "one"}, {9, "two"}})}, {"b.txt", "two\n"}}, {"two"});
  repo_.write("a.txt", "my a\n");
  repo_.write("b.txt", "my b\n");
  EXPECT_THAT(labels_of(answer("keep:one"))[1],
              "keep:one: take the plan's a.txt (with what 'two' did there); yours, staged or not, "
              "are kept in a commit; leave b.txt as you have it");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("b.txt"), "my b\n");
}

TEST_F(LandingDirty, AnAnswerIsForTheFilesThatWereNamedAndForNoOther) {
  repo_.write("a.txt", "my a\n");
  answer("keep:one");
  repo_.write("new.txt", "my own, since then\n");
  EXPECT_THAT(conflicts(),
              ElementsAre("a.txt dirty: user 1-1; one 5-5", "new.txt dirty: user; one 1-1"));
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("new.txt"), "my own, since then\n");
}

// Where lines of commits were decided about, nothing is said about what is in no commit.
TEST_F(LandingDirty, AnAnswerAboutCommitsIsNoneAboutEdits) {
  on_main({{"a.txt", lines(60, {{5, "user"}})}});
  repo_.write("a.txt", lines(60, {{5, "user"}, {30, "edit"}}));
  answer("keep:one");
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user 30-30; one 5-5"));
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(file_in("main", "a.txt") + "\n", lines(60, {{5, "plan"}}));
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "user"}, {30, "edit"}}));
}

TEST_F(LandingDirty, WhatTheUserDeletedIsShownSo) {
  std::filesystem::remove(repo_.path() / "a.txt");
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user deletes; one 5-5"));
  repo_.git({"rm", "-q", "a.txt"});
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user deletes; one 5-5"));
  const DecisionAsked asked = answer("keep:one");
  EXPECT_THAT(asked.what, HasSubstr("\na.txt: deleted by you; 'one' line 5"));
  EXPECT_EQ(labels_of(asked)[1], "keep:one: take the plan's a.txt; your deletion is undone");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}}));
  EXPECT_EQ(status(), "");
  const std::string keep = repo_.git({"rev-parse", kept() + "^1"});
  EXPECT_EQ(repo_.git({"ls-tree", keep, "a.txt"}), "");
  EXPECT_THAT(said_,
              ElementsAre("you had deleted a.txt: git show " + keep.substr(0, 12) + " tells it"));
}

TEST_F(LandingDirty, MineLeavesAFileDeleted) {
  std::filesystem::remove(repo_.path() / "a.txt");
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(status(), " D a.txt");
}

TEST_F(LandingDirty, FilesInADirectoryWhereAFileWasAreKept) {
  std::filesystem::remove(repo_.path() / "a.txt");
  repo_.write("a.txt/mine", "mine\n");
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}}));
  EXPECT_EQ(file_in(repo_.git({"rev-parse", kept() + "^1"}), "a.txt/mine"), "mine");
}

TEST_F(LandingDirty, WithAMovedBranchNothingIsMadeBeforeTheUserHasChosen) {
  on_main({{"b.txt", "user\n"}});
  repo_.write("a.txt", "mine\n");
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user 1-1; one 5-5"));
  EXPECT_EQ(git_in(tree_, {"rev-parse", "HEAD"}), base_);
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), "mine\n");
  EXPECT_EQ(status(), " M a.txt");
}

// The user's own commits touch files that they edit further: no business of the landing.
TEST_F(LandingDirty, EditsOfFilesThatOnlyTheUsersCommitsTouchAreNotInTheWay) {
  on_main({{"b.txt", "user\n"}});
  repo_.write("b.txt", "user, further\n");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("b.txt"), "user, further\n");
  EXPECT_EQ(status(), " M b.txt");
}

TEST_F(LandingDirty, ExecutableBitsAndLinksCount) {
  std::filesystem::permissions(repo_.path() / "a.txt", std::filesystem::perms::owner_all);
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user; one 5-5"));
  std::filesystem::remove(repo_.path() / "a.txt");
  std::filesystem::create_symlink("b.txt", repo_.path() / "a.txt");
  EXPECT_THAT(conflicts().size(), 1u);
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_FALSE(std::filesystem::is_symlink(repo_.path() / "a.txt"));
  EXPECT_EQ(repo_.read("b.txt"), "b\n");
  const std::string keep = repo_.git({"rev-parse", kept() + "^1"});
  EXPECT_EQ(repo_.git({"ls-tree", keep, "a.txt"}).substr(0, 6), "120000");
}

TEST_F(LandingDirty, InASecondWorktreeOfTheBranch) {
  const std::string other = (repo_.root() / "other").string();
  repo_.git({"worktree", "add", "-q", "--force", other, "main"});
  write_in(other, "a.txt", "mine, over there\n");
  EXPECT_THAT(conflicts(), ElementsAre("a.txt dirty: user 1-1; one 5-5"));
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(status(), "");
  EXPECT_EQ(git_in(other, {"status", "--porcelain"}), " M a.txt");
}

}  // namespace
}  // namespace gitplan::test
