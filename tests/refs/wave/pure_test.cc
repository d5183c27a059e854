// The parts of integrating and committing that need no repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refs/wave/line_diff.h"
#include "refs/wave/merge_tree.h"
#include "refs/wave/wave_commit.h"

namespace gitplan {

bool operator==(const LineRange& a, const LineRange& b) {
  return a.first == b.first && a.last == b.last;
}

namespace test {
namespace {

using ::testing::ElementsAre;

std::string subject_of(const std::string& message) { return message.substr(0, message.find('\n')); }

Commit wave(std::string subject, std::vector<std::string> tasks) {
  Commit effect;
  effect.wave = 7;
  effect.run = "0123456789ab-1";
  effect.subject = std::move(subject);
  effect.tasks = std::move(tasks);
  return effect;
}

std::string message_of(const Commit& effect) {
  WaveCommitOptions options;
  options.plan = "2026-03-03-demo";
  return wave_message(effect, options);
}

TEST(WaveMessage, SubjectAndTrailers) {
  EXPECT_EQ(message_of(wave("Pull the counter out", {"counter"})),
            "Pull the counter out\n\n"
            "Plan: 2026-03-03-demo\nWave: 007\nPlan-Run: 0123456789ab-1\nTask: counter\n");
}

TEST(WaveMessage, FurtherLinesAreTheBody) {
  const std::string trailers =
      "Plan: 2026-03-03-demo\nWave: 007\nPlan-Run: 0123456789ab-1\nTask: a\nTask: b\n";
  EXPECT_EQ(message_of(wave("Pull it out\nIt counts twice.\n\nAnd slowly.\n", {"a", "b"})),
            "Pull it out (+1)\n\nIt counts twice.\n\nAnd slowly.\n\n" + trailers);
  EXPECT_EQ(message_of(wave("Pull it out\n\nRefs: 12\nWave: 9\n", {"a", "b"})),
            "Pull it out (+1)\n\nRefs: 12\n" + trailers);
  EXPECT_EQ(message_of(wave("Pull it out\n \n", {"a", "b"})), "Pull it out (+1)\n\n" + trailers);
}

TEST(WaveMessage, MoreTasksAreCounted) {
  EXPECT_EQ(subject_of(message_of(wave("Pull the counter out", {"a", "b", "c"}))),
            "Pull the counter out (+2)");
  EXPECT_EQ(subject_of(message_of(wave("Pull it out (+2)", {"a", "b", "c"}))), "Pull it out (+2)");
}

TEST(WaveMessage, ALongSubjectIsCutAtAWord) {
  const std::string long_one =
      "Move everything that counts combat rounds into a module of its own, with tests";
  EXPECT_EQ(subject_of(message_of(wave(long_one, {"a"}))),
            "Move everything that counts combat rounds into a module of its own…");
  EXPECT_EQ(subject_of(message_of(wave(long_one, {"a", "b"}))),
            "Move everything that counts combat rounds into a module of its own… (+1)");
  std::string exact(72, 'x');
  EXPECT_EQ(subject_of(message_of(wave(exact, {"a"}))), exact);
  EXPECT_EQ(subject_of(message_of(wave(exact + "y", {"a"}))), std::string(71, 'x') + "…");
}

TEST(WaveMessage, CharactersCountNotBytes) {
  std::string umlauts;
  for (int i = 0; i < 72; ++i) umlauts += "ü";
  EXPECT_EQ(subject_of(message_of(wave(umlauts, {"a"}))), umlauts);
  EXPECT_EQ(subject_of(message_of(wave(umlauts + "ü", {"a"}))), umlauts.substr(0, 142) + "…");
}

TEST(WaveMessage, ASubjectIsOneLineAndNeverEmpty) {
  EXPECT_EQ(subject_of(message_of(wave(" \n two\twords\x1b[31m \nlines", {"a"}))), "two words");
  EXPECT_EQ(subject_of(message_of(wave(" \n", {"a"}))), "Wave 007 of plan 2026-03-03-demo");
}

TEST(WaveMessage, AMessageOfAPersonReplacesSubjectAndBody) {
  Commit effect = wave("Ignored", {"a"});
  effect.message = "Mine\n\nBecause.\n";
  EXPECT_EQ(message_of(effect),
            "Mine\n\nBecause.\n\n"
            "Plan: 2026-03-03-demo\nWave: 007\nPlan-Run: 0123456789ab-1\nTask: a\n");
}

TEST(WaveMessage, TrailersOfAPersonStayInOneBlockAndOursAreNotDoubled) {
  Commit effect = wave("Ignored", {"a"});
  effect.message = "Mine\n\nFixes: #3\nPlan: other\nWave: 001\nTask: z\n\n\n";
  EXPECT_EQ(message_of(effect),
            "Mine\n\nFixes: #3\n"
            "Plan: 2026-03-03-demo\nWave: 007\nPlan-Run: 0123456789ab-1\nTask: a\n");
  effect.message = message_of(effect);
  EXPECT_EQ(message_of(effect), effect.message) << "editing the whole message changes nothing";
}

TEST(WaveMessage, NothingBehindADividerIsLost) {
  Commit effect = wave("Ignored", {"a"});
  effect.message = "Mine\n\n---\ndiff\n";
  EXPECT_EQ(message_of(effect).substr(0, 17), "Mine\n\n ---\ndiff\n\n");
}

TEST(LineDiff, HunksWithoutContext) {
  const auto hunks = diff_lines("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(new_lines(hunks[0]), (LineRange{2, 2}));
  EXPECT_EQ(new_lines(hunks[1]), (LineRange{5, 5}));
  EXPECT_EQ(new_lines(diff_lines("a\nb\nc\n", "a\nc\n").at(0)), (LineRange{1, 1}));
  EXPECT_EQ(new_lines(diff_lines("a\nb\n", "b\n").at(0)), (LineRange{1, 1}));
  EXPECT_TRUE(diff_lines(std::string("a\0b", 3), "x\n").empty());
}

TEST(LineDiff, NeighboursMeetAndOthersDoNot) {
  const std::string base = "1\n2\n3\n4\n5\n6\n";
  const auto change = [&base](const std::string& text) { return diff_lines(base, text).at(0); };
  const Hunk second = change("1\nX\n3\n4\n5\n6\n");
  EXPECT_TRUE(meet(second, change("1\n2\nX\n4\n5\n6\n")));
  EXPECT_FALSE(meet(second, change("1\n2\n3\nX\n5\n6\n")));
  EXPECT_TRUE(meet(second, change("1\n2\nnew\n3\n4\n5\n6\n")));
  EXPECT_FALSE(meet(second, change("1\n2\n3\nnew\n4\n5\n6\n")));
}

TEST(LineDiff, RangesAreJoined) {
  EXPECT_THAT(joined({{5, 6}, {1, 2}, {3, 3}, {6, 8}}),
              ElementsAre(LineRange{1, 3}, LineRange{5, 8}));
  EXPECT_EQ(count_lines("a\nb"), 2);
  EXPECT_EQ(count_lines("a\nb\n"), 2);
  EXPECT_EQ(count_lines(""), 0);
}

TEST(MergeTreeOutput, CleanAndConflicts) {
  const std::string id(40, 'a'), tree(40, 'b');
  std::string text = "1\n" + tree + "\n\n1\na.txt\nAuto-merging\nAuto-merging a.txt\t\n\n";
  text += "0\n" + tree + "\n100644 " + id + " 1\tx y\n100755 " + id + " 3\tx y\n\n";
  text += "2\nx y\nz\nCONFLICT (modify/delete)\nwords\n\n";
  for (char& c : text)
    if (c == '\n') c = '\0';
  const auto outcomes = parse_merge_tree(text);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_TRUE(outcomes[0].clean);
  EXPECT_EQ(outcomes[0].tree, tree);
  ASSERT_EQ(outcomes[0].messages.size(), 1u);
  EXPECT_EQ(outcomes[0].messages[0].type, "Auto-merging");
  EXPECT_FALSE(outcomes[1].clean);
  ASSERT_EQ(outcomes[1].stages.size(), 2u);
  EXPECT_EQ(outcomes[1].stages[1].mode, "100755");
  EXPECT_EQ(outcomes[1].stages[1].stage, 3);
  EXPECT_EQ(outcomes[1].stages[1].path, "x y");
  EXPECT_THAT(outcomes[1].messages.at(0).paths, ElementsAre("x y", "z"));
  EXPECT_EQ(parse_merge_tree(text.substr(0, text.size() - 1)).size(), 1u) << "cut off";
}

}  // namespace
}  // namespace test
}  // namespace gitplan
