#include "refs/wave/hand_merge.h"

#include "tests/refs/wave/wave_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class HandMerge : public WaveFixture {
 protected:
  HandMerge() {
    start({{"a.txt", lines(20)}, {"b.txt", "b\n"}});
    ours_ = commit_on(base_, {{"a.txt", lines(20, {{5, "ours"}})}, {"b.txt", "ours\n"}});
    theirs_ = commit_on(base_, {{"a.txt", lines(20, {{5, "theirs"}})}, {"c.txt", "c\n"}});
    hand_ = must(forks_->hand_tree(plan_dir(), "d1", ours_));
  }
  void prepare() { must(prepare_conflict(*repository_, hand_, ours_, theirs_)); }
  Result<std::string> take() { return take_hand(*repository_, hand_, "Merge by hand\n"); }
  std::string ours_, theirs_, hand_;
};

TEST_F(HandMerge, MarksAreInTheFilesAndResolvedWorkIsTaken) {
  script(".git/hooks/pre-commit", "exit 1\n");
  prepare();
  EXPECT_THAT(*read_small_file(hand_ + "/a.txt"), HasSubstr("<<<<<<< "));
  auto refused = take();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDecision);
  EXPECT_EQ(refused.error().message, "not resolved in '" + hand_ + "': a.txt");
  EXPECT_EQ(refused.error().hint, "edit them there; a file that one side deleted: git -C '" +
                                      hand_ + "' add <file>, or rm <file>");
  git_in(hand_, {"add", "-A"});
  refused = take();
  ASSERT_FALSE(refused) << "added, but the marks are still there";
  write_in(hand_, "a.txt", lines(20, {{5, "both"}}));
  prepare();  // asked for once more
  git_in(hand_, {"add", "-A"});
  const std::string commit = must(take());
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P", commit}), ours_ + " " + theirs_);
  EXPECT_EQ(file_in(commit, "a.txt") + "\n", lines(20, {{5, "both"}}));
  EXPECT_EQ(file_in(commit, "c.txt"), "c");
  EXPECT_EQ(must(take()), commit);
  prepare();
  EXPECT_EQ(must(take()), commit) << "a finished merge is left alone";
}

TEST_F(HandMerge, APersonsOwnCommitIsTaken) {
  prepare();
  write_in(hand_, "a.txt", lines(20, {{5, "both"}}));
  git_in(hand_, {"commit", "-q", "-am", "Mine"});
  EXPECT_EQ(must(take()), git_in(hand_, {"rev-parse", "HEAD"}));
  write_in(hand_, "b.txt", "one thing more\n");
  const std::string more = must(take());
  EXPECT_EQ(file_in(more, "b.txt"), "one thing more");
  EXPECT_EQ(git_in(hand_, {"status", "--porcelain"}), "");
}

TEST_F(HandMerge, WhatIsEditedNeedsNoAdd) {
  prepare();
  EXPECT_EQ(must(conflicts_in(*repository_, hand_)), std::vector<std::string>{"a.txt"});
  write_in(hand_, "a.txt", lines(20, {{5, "both"}}));
  EXPECT_EQ(file_in(must(take()), "a.txt") + "\n", lines(20, {{5, "both"}}));
}

TEST_F(HandMerge, WhatOneSideDeletedMustBeChosen) {
  git_in(hand_, {"rm", "-q", "b.txt"});
  git_in(hand_, {"commit", "-q", "-m", "Delete"});
  ours_ = git_in(hand_, {"rev-parse", "HEAD"});
  theirs_ = commit_on(base_, {{"b.txt", "changed\n"}});
  prepare();
  EXPECT_EQ(take().error().message, "not resolved in '" + hand_ + "': b.txt");
  git_in(hand_, {"add", "b.txt"});
  EXPECT_EQ(file_in(must(take()), "b.txt"), "changed");
}

TEST_F(HandMerge, WhatLandsAsItIsGetsTheHooks) {
  script(".git/hooks/commit-msg", "echo 'Seen-By: hook' >> \"$1\"\n");
  prepare();
  write_in(hand_, "a.txt", lines(20, {{5, "both"}}));
  const std::string commit =
      must(take_hand(*repository_, hand_, "Merge by hand\n", HandCommit::kFinal));
  EXPECT_THAT(repo_.git({"log", "-1", "--format=%B", commit}), HasSubstr("Seen-By: hook"));
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P", commit}), ours_ + " " + theirs_);
  script(".git/hooks/commit-msg", "echo no; exit 1\n");
  write_in(hand_, "b.txt", "one thing more\n");
  EXPECT_FALSE(take_hand(*repository_, hand_, "More\n", HandCommit::kFinal));
}

TEST_F(HandMerge, ATreeThatIsGoneIsSaid) {
  must(forks_->release_hand_tree(plan_dir(), "d1"));
  EXPECT_EQ(take().error().message, "'" + hand_ + "' is not there any more");
}

TEST_F(HandMerge, FromConflictToLandedWave) {
  Integrate::Part part;
  part.task = "two";
  part.base = base_;
  part.commit = theirs_;
  EXPECT_EQ(merge({part}, ours_).overlaps.size(), 1u);
  prepare();
  write_in(hand_, "a.txt", lines(20, {{5, "both"}}));
  git_in(hand_, {"add", "-A"});
  part.choice.commit = must(take());
  const std::string later = commit_on(ours_, {{"d.txt", "d\n"}});
  const Merged merged = merge({part}, later);
  EXPECT_EQ(merged.tasks, std::vector<std::string>{"two"});
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n", lines(20, {{5, "both"}}));
  EXPECT_EQ(file_in(merged.tree, "d.txt"), "d");
}

}  // namespace
}  // namespace gitplan::test
