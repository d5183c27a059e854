#include "refs/wave/integrate.h"

#include <chrono>

#include "refs/wave/merge_tree.h"
#include "tests/refs/wave/wave_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class IntegrateTest : public WaveFixture {
 protected:
  IntegrateTest() { start({{"a.txt", lines(60)}, {"b.txt", "b\n"}, {"d/f.txt", lines(20)}}); }
  static std::vector<std::string> auto_merged(const Merged& merged) {
    std::vector<std::string> result;
    for (const AutoMerge& one : merged.auto_merged)
      result.push_back(one.path + ": " + text_of(one.sides));
    return result;
  }
};

TEST_F(IntegrateTest, DifferentFiles) {
  const Merged merged =
      merge({part("one", {{"b.txt", "B\n"}}), part("two", {{"new/c.txt", "c\n"}})});
  EXPECT_EQ(merged.error, "");
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_THAT(merged.overlaps, IsEmpty());
  EXPECT_THAT(merged.auto_merged, IsEmpty());
  EXPECT_EQ(file_in(merged.tree, "b.txt"), "B");
  EXPECT_EQ(file_in(merged.tree, "new/c.txt"), "c");
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), "");
  EXPECT_EQ(git_in(tree_, {"diff", "HEAD"}), "") << "no file of a work tree is touched";
}

TEST_F(IntegrateTest, TheSameFileIsToldWithItsLines) {
  const Merged merged =
      merge({part("one", {{"a.txt", lines(60, {{5, "five\nfive and a half"}})}}),
             part("two", {{"a.txt", lines(60, {{20, "twenty"}, {21, "twenty-one"}})}}),
             part("three", {{"a.txt", lines(60, {{50, "fifty"}})}, {"b.txt", "B\n"}})});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two", "three"));
  EXPECT_THAT(auto_merged(merged), ElementsAre("a.txt: one 5-6; two 21-22; three 51-51"));
  EXPECT_EQ(
      file_in(merged.tree, "a.txt") + "\n",
      lines(60, {{5, "five\nfive and a half"}, {20, "twenty"}, {21, "twenty-one"}, {50, "fifty"}}));
}

TEST_F(IntegrateTest, ARemovalIsToldAtTheLineBefore) {
  std::string without = lines(60);
  without.erase(without.find("30\n"), 3);
  const Merged merged = merge(
      {part("one", {{"a.txt", without}}), part("two", {{"a.txt", lines(60, {{50, "fifty"}})}})});
  EXPECT_THAT(auto_merged(merged), ElementsAre("a.txt: one 29-29; two 49-49"));
}

TEST_F(IntegrateTest, AnOverlapDropsOutAndTheRestGoesOn) {
  const Merged merged = merge({part("one", {{"a.txt", lines(60, {{5, "one"}, {40, "one"}})}}),
                               part("two", {{"a.txt", lines(60, {{5, "two"}, {20, "two"}})}}),
                               part("three", {{"a.txt", lines(60, {{30, "three"}})}})});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "three"));
  ASSERT_EQ(merged.overlaps.size(), 1u);
  EXPECT_EQ(merged.overlaps[0].task, "two");
  EXPECT_THAT(text_of(merged.overlaps[0].conflicts),
              ElementsAre("a.txt content: one 5-5; two 5-5"));
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n",
            lines(60, {{5, "one"}, {30, "three"}, {40, "one"}}));
}

TEST_F(IntegrateTest, TheOrderDecidesWhoDropsOut) {
  const auto one = part("one", {{"b.txt", "one\n"}}), two = part("two", {{"b.txt", "two\n"}});
  EXPECT_THAT(merge({one, two}).tasks, ElementsAre("one"));
  EXPECT_THAT(merge({two, one}).tasks, ElementsAre("two"));
  EXPECT_EQ(merge({two, one}).tree, merge({two, one}).tree);
}

TEST_F(IntegrateTest, EveryTaskThatChangedTheLinesIsNamed) {
  const Merged merged =
      merge({part("one", {{"a.txt", lines(60, {{5, "one"}})}}),
             part("two", {{"a.txt", lines(60, {{8, "two"}})}}),
             part("three", {{"a.txt", lines(60, {{5, "x"}, {6, "x"}, {7, "x"}, {8, "x"}})}})});
  ASSERT_EQ(merged.overlaps.size(), 1u);
  EXPECT_THAT(text_of(merged.overlaps[0].conflicts),
              ElementsAre("a.txt content: one 5-5; two 8-8; three 5-8"));
}

TEST_F(IntegrateTest, KindsOfOverlaps) {
  const std::string binary("x\0y", 3), binary_one("x\0one", 5), binary_two("x\0two", 5);
  base_ = commit_on(base_, {{"bin", binary}, {"gone.txt", lines(9)}});
  tree_ = must(forks_->integration_tree(plan_dir(), base_));
  const auto conflicts = [&](const Files& one, const Files& two) {
    const Merged merged = merge({part("one", one), part("two", two)});
    return merged.overlaps.empty() ? std::vector<std::string>{}
                                   : text_of(merged.overlaps[0].conflicts);
  };
  EXPECT_THAT(conflicts({{"bin", binary_one}}, {{"bin", binary_two}}),
              ElementsAre("bin binary: one; two"));
  EXPECT_THAT(conflicts({{"gone.txt", kGone}}, {{"gone.txt", lines(9, {{1, "x"}})}}),
              ElementsAre("gone.txt delete: one deletes; two"));
  EXPECT_THAT(conflicts({{"gone.txt", kGone}, {"one.txt", lines(9)}},
                        {{"gone.txt", kGone}, {"two.txt", lines(9)}}),
              ElementsAre("gone.txt rename: one; two"));
  EXPECT_THAT(conflicts({{"new.txt", "one\n"}}, {{"new.txt", "two\n"}}),
              ElementsAre("new.txt content: one 1-1; two 1-1"));
  EXPECT_THAT(conflicts({{"x", "file\n"}}, {{"x/y", "below\n"}}).size(), 1u);
}

TEST_F(IntegrateTest, ARenameAndAnEditGoTogether) {
  const Merged merged =
      merge({part("one", {{"d/f.txt", kGone}, {"d/g.txt", lines(20, {{1, "one"}})}}),
             part("two", {{"d/f.txt", lines(20, {{15, "two"}})}})});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_THAT(auto_merged(merged), ElementsAre("d/g.txt: one 1-1; two 15-15"));
  EXPECT_EQ(file_in(merged.tree, "d/g.txt") + "\n", lines(20, {{1, "one"}, {15, "two"}}));
}

TEST_F(IntegrateTest, OverlapThroughARename) {
  const Merged merged =
      merge({part("one", {{"d/f.txt", lines(20, {{15, "one"}})}}),
             part("two", {{"d/f.txt", kGone}, {"d/g.txt", lines(20, {{15, "two"}})}})});
  ASSERT_EQ(merged.overlaps.size(), 1u);
  EXPECT_THAT(text_of(merged.overlaps[0].conflicts),
              ElementsAre("d/g.txt content: one 15-15; two 15-15"));
}

TEST_F(IntegrateTest, AttributesOfTheBaseCount) {
  base_ = commit_on(base_, {{".gitattributes", "*.log merge=union\n"}, {"x.log", "1\n"}});
  tree_ = must(forks_->integration_tree(plan_dir(), base_));
  const Merged merged =
      merge({part("one", {{"x.log", "1\none\n"}}), part("two", {{"x.log", "1\ntwo\n"}})});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_EQ(file_in(merged.tree, "x.log"), "1\none\ntwo");
}

TEST_F(IntegrateTest, AMergeDriverIsAsked) {
  repo_.git({"config", "merge.take.driver", "cp %B %A"});
  base_ = commit_on(base_, {{".gitattributes", "*.v merge=take\n"}, {"x.v", "1\n"}});
  tree_ = must(forks_->integration_tree(plan_dir(), base_));
  const Merged merged = merge({part("one", {{"x.v", "one\n"}}), part("two", {{"x.v", "two\n"}})});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_EQ(file_in(merged.tree, "x.v"), "two");
}

TEST_F(IntegrateTest, KeepOneSideOfTheLinesThatMeet) {
  auto one = part("one", {{"a.txt", lines(60, {{5, "one"}, {40, "one"}})}});
  auto two = part("two", {{"a.txt", lines(60, {{5, "two"}, {20, "two"}})}});
  two.choice.keep = "two";
  Merged merged = merge({one, two});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n",
            lines(60, {{5, "two"}, {20, "two"}, {40, "one"}}));
  two.choice.keep = "one";
  merged = merge({one, two});
  EXPECT_THAT(merged.overlaps, IsEmpty());
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n",
            lines(60, {{5, "one"}, {20, "two"}, {40, "one"}}));
}

TEST_F(IntegrateTest, KeepOneSideOfWholeFiles) {
  const std::string binary("x\0y", 3), binary_one("x\0one", 5), binary_two("x\0two", 5);
  base_ = commit_on(base_, {{"bin", binary}, {"gone.txt", lines(9)}, {"moved.txt", lines(30)}});
  tree_ = must(forks_->integration_tree(plan_dir(), base_));
  const auto one = part("one", {{"bin", binary_one},
                                {"gone.txt", kGone},
                                {"moved.txt", kGone},
                                {"moved-by-one.txt", lines(30)}});
  auto two = part("two", {{"bin", binary_two},
                          {"gone.txt", lines(9, {{1, "x"}})},
                          {"moved.txt", kGone},
                          {"moved-by-two.txt", lines(30)}});
  two.choice.keep = "two";
  Merged merged = merge({one, two});
  EXPECT_THAT(merged.overlaps, IsEmpty());
  const Words list{"ls-tree", "-r", "--name-only"};
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", merged.tree}),
            "a.txt\nb.txt\nbin\nd\ngone.txt\nmoved-by-two.txt");
  EXPECT_EQ(file_in(merged.tree, "bin"), binary_two);
  two.choice.keep = "one";
  merged = merge({one, two});
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", merged.tree}),
            "a.txt\nb.txt\nbin\nd\nmoved-by-one.txt");
  EXPECT_EQ(file_in(merged.tree, "bin"), binary_one);
}

TEST_F(IntegrateTest, AMergeByHandIsTaken) {
  const auto one = part("one", {{"b.txt", "one\n"}});
  auto two = part("two", {{"b.txt", "two\n"}, {"c.txt", "c\n"}});
  const std::string wave = wave_on(base_, {{"b.txt", "one\n"}}, {"one"});
  const std::string tree =
      repo_.git({"rev-parse", commit_on(two.commit, {{"b.txt", "both\n"}}) + "^{tree}"});
  two.choice.commit =
      repo_.git({"commit-tree", tree, "-p", wave, "-p", two.commit, "-m", "By hand"});
  const Merged merged = merge({two}, wave);
  EXPECT_THAT(merged.tasks, ElementsAre("two"));
  EXPECT_EQ(file_in(merged.tree, "b.txt"), "both");
  two.choice.commit = wave;  // does not contain the task's work
  EXPECT_EQ(merge({two}, wave).overlaps.size(), 1u);
}

// A task that was forked before an earlier wave was integrated.
TEST_F(IntegrateTest, AnOlderBaseMergesFromWhereItStarted) {
  const std::string wave =
      wave_on(base_, {{"a.txt", lines(60, {{5, "early"}, {30, "early"}})}, {"b.txt", "early\n"}},
              {"early"});
  const std::string user =
      commit_on(wave, {{"a.txt", lines(60, {{5, "early"}, {30, "early"}, {50, "user"}})}});
  const Merged merged = merge({part("late", {{"a.txt", lines(60, {{20, "late"}})}}),
                               part("new", {{"b.txt", "new\n"}}, user)},
                              user);
  EXPECT_THAT(merged.tasks, ElementsAre("late", "new"));
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n",
            lines(60, {{5, "early"}, {20, "late"}, {30, "early"}, {50, "user"}}));
  EXPECT_THAT(auto_merged(merged), ElementsAre("a.txt: early 5-5 30-30; user 50-50; late 20-20"));
  const Merged dropped =
      merge({part("late", {{"a.txt", lines(60, {{30, "late"}, {50, "late"}})}})}, user);
  EXPECT_THAT(dropped.tasks, IsEmpty());
  EXPECT_THAT(text_of(dropped.overlaps.at(0).conflicts),
              ElementsAre("a.txt content: early 30-30; user 50-50; late 30-30 50-50"));
  EXPECT_EQ(dropped.tree, "") << "nothing changed";
}

TEST_F(IntegrateTest, APartOnTopOfAnotherIsNoOverlap) {
  const auto one = part("one", {{"b.txt", "one\n"}});
  auto two = part("two", {{"b.txt", "two\n"}}, one.commit);
  const Merged merged = merge({one, two});
  EXPECT_THAT(merged.tasks, ElementsAre("one", "two"));
  EXPECT_EQ(file_in(merged.tree, "b.txt"), "two");
}

TEST_F(IntegrateTest, NothingChanged) {
  Integrate::Part same;
  same.task = "same";
  same.base = same.commit = base_;
  const Merged merged = merge({same});
  EXPECT_THAT(merged.tasks, ElementsAre("same"));
  EXPECT_EQ(merged.tree, "");
}

TEST_F(IntegrateTest, ACommitThatIsMissingIsAnError) {
  auto one = part("one", {{"b.txt", "one\n"}});
  one.commit = std::string(40, '1');
  EXPECT_THAT(merge({one}).error, ::testing::HasSubstr(one.commit));
}

TEST_F(IntegrateTest, GcInBetweenTakesNothingAway) {
  const Merged merged = merge({part("one", {{"a.txt", lines(60, {{5, "one"}})}}),
                               part("two", {{"a.txt", lines(60, {{50, "two"}})}})});
  repo_.git({"gc", "-q", "--prune=now"});
  EXPECT_EQ(file_in(merged.tree, "a.txt") + "\n", lines(60, {{5, "one"}, {50, "two"}}));
}

// Merges are tried out aside: what comes to nothing leaves no object, and no file.
TEST_F(IntegrateTest, NothingDanglesThatWasTriedOut) {
  std::vector<Integrate::Part> parts{part("one", {{"a.txt", lines(60, {{5, "one"}})}}),
                                     part("two", {{"a.txt", lines(60, {{50, "two"}})}}),
                                     part("three", {{"a.txt", lines(60, {{5, "three"}})}}),
                                     part("four", {{"dir/b.txt", "four\n"}})};
  for (const Integrate::Part& one : parts)
    repo_.git({"update-ref", "refs/heads/" + one.task, one.commit});
  const Merged merged = merge(parts);
  EXPECT_EQ(merged.tasks, (std::vector<std::string>{"one", "two", "four"}));
  repo_.git({"update-ref", "refs/heads/merged",
             repo_.git({"commit-tree", merged.tree, "-p", base_, "-m", "Wave"})});
  git_in(tree_, {"reset", "-q", "--hard"});
  EXPECT_EQ(repo_.git({"fsck", "--strict"}), "");
  for (const auto& entry :
       std::filesystem::directory_iterator(worktree_at(*repository_, tree_)->admin))
    EXPECT_FALSE(entry.path().filename().string().starts_with("plan-objects"));
}

// What the predictions save: with all of it known in advance, one merge-tree.
TEST_F(IntegrateTest, TwentyBranchesTakeAHandfulOfProcesses) {
  std::vector<Integrate::Part> parts;
  for (int i = 0; i < 20; ++i)
    parts.push_back(
        part("t" + std::to_string(i), {{"a.txt", lines(60, {{3 * i + 1, "t" + std::to_string(i)}})},
                                       {"f" + std::to_string(i), "x\n"}}));
  parts[7] = part("t7", {{"a.txt", lines(60, {{1, "clash"}})}});
  const std::string trace = (repo_.root() / "trace").string();
  setenv("GIT_TRACE2_EVENT", trace.c_str(), 1);
  const Merged merged = merge(parts);
  unsetenv("GIT_TRACE2_EVENT");
  EXPECT_EQ(merged.tasks.size(), 19u);
  ASSERT_EQ(merged.overlaps.size(), 1u);
  EXPECT_EQ(merged.overlaps[0].task, "t7");
  const std::string text = read_small_file(trace).value_or("");
  int started = 0;
  for (std::size_t at = text.find("\"event\":\"start\""); at != std::string::npos;
       at = text.find("\"event\":\"start\"", at + 1))
    ++started;
  EXPECT_LE(started, 8) << "git processes";
}

// A git that has no --stdin is called once a merge.
TEST_F(IntegrateTest, OneProcessForEachMergeSaysTheSame) {
  const std::string first = commit_on(base_, {{"a.txt", lines(60, {{5, "five"}})}});
  const std::string apart = commit_on(base_, {{"a.txt", lines(60, {{40, "forty"}})}});
  const std::string against = commit_on(base_, {{"a.txt", lines(60, {{5, "FIVE"}})}});
  const std::string gone = commit_on(base_, {{"a.txt", kGone}, {"b.txt", "B\n"}});
  const std::vector<std::pair<std::string, std::string>> pairs{
      {first, apart}, {first, against}, {first, gone}, {first, base_}};
  const auto told = [](const MergeRun& run) {
    std::string text = run.fault;
    for (const MergeOutcome& outcome : run.outcomes) {
      text += (outcome.clean ? "clean " : "not clean ") + outcome.tree + "\n";
      for (const MergeStage& stage : outcome.stages)
        text += stage.mode + stage.id + std::to_string(stage.stage) + stage.path + "\n";
      for (const MergeMessage& message : outcome.messages)
        text += message.type + ": " + message.paths.front() + ": " + message.text + "\n";
    }
    return text;
  };
  const Git git = repository_->git().in(tree_);
  const std::string together = told(must(merge_trees(git, pairs)));
  EXPECT_EQ(told(must(merge_trees_singly(git, pairs))), together);
  EXPECT_THAT(together, ::testing::HasSubstr("CONFLICT (contents): a.txt"));

  const std::string nothing(40, '1');
  const MergeRun broken = must(merge_trees_singly(git, {{first, apart}, {first, nothing}}));
  EXPECT_EQ(broken.outcomes.size(), 1u);
  EXPECT_THAT(broken.fault, ::testing::HasSubstr("1111"));
}

}  // namespace
}  // namespace gitplan::test
