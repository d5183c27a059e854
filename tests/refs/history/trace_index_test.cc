#include <gtest/gtest.h>

#include "refs/history/trace.h"
#include "tests/refs/history/history_fixture.h"

namespace gitplan::test {
namespace {

struct TraceIndexTest : testing::Test, History {
  Traced at(TraceTarget::Kind kind, const NotedPath& noted, const std::string& index = {}) {
    TraceTarget target;
    target.kind = kind;
    target.index = index;
    target.commit = repo.git({"rev-parse", "HEAD"});
    return trace_all(from, target, {noted}).places.front();
  }
  Traced in_index(const NotedPath& noted) { return at(TraceTarget::Kind::Index, noted); }
  Traced in_tree(const NotedPath& noted) { return at(TraceTarget::Kind::WorkTree, noted); }

  void SetUp() override {
    repo.write("a", lines("a", 1, 40));
    repo.write("d/b", lines("b", 1, 40));
    from = repo.commit("one");
  }
  std::string from;
};

TEST_F(TraceIndexTest, MovedInTheIndexOnTopOfTheHistory) {
  move("a", "c");
  repo.commit("two");
  move("c", "e");
  const Traced a = in_index({"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "e");
  EXPECT_EQ(a.by, "");
  EXPECT_EQ(in_tree({"a"}).path, "e");
}

TEST_F(TraceIndexTest, WhatIsOnlyInTheTreeIsNotInTheIndex) {
  repo.write("a", lines("a", 1, 30));
  EXPECT_EQ(in_index({"a"}).fate, Fate::Same);
  const Traced a = in_tree({"a", "", 35, 40});
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_TRUE(a.lines_gone);
}

TEST_F(TraceIndexTest, AnUntrackedFileIsTheNewPlace) {
  std::filesystem::rename(repo.path() / "a", repo.path() / "z");
  const std::string index = repo.read(".git/index");
  const Traced a = in_tree({"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "z");
  EXPECT_EQ(repo.read(".git/index"), index);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), " D a\n?? z");
}

TEST_F(TraceIndexTest, AFolderInTheTree) {
  std::filesystem::rename(repo.path() / "d", repo.path() / "e");
  EXPECT_EQ(in_tree({"d"}).path, "e");
  EXPECT_EQ(in_tree({"d/b"}).path, "e/b");
}

TEST_F(TraceIndexTest, AnotherIndexFile) {
  const std::string other = repo.root() / "other-index";
  std::filesystem::copy_file(repo.path() / ".git/index", other);
  repo.git({"rm", "-q", "--cached", "a"}, {.env = {{"GIT_INDEX_FILE", other}}});
  EXPECT_EQ(at(TraceTarget::Kind::Index, {"a"}, other).fate, Fate::Gone);
  EXPECT_EQ(in_index({"a"}).fate, Fate::Same);
}

TEST_F(TraceIndexTest, ASparseCheckoutDeletesNothing) {
  repo.git({"sparse-checkout", "set", "--no-cone", "/d/"});
  ASSERT_FALSE(repo.exists("a"));
  EXPECT_EQ(in_index({"a"}).fate, Fate::Same);
  EXPECT_EQ(in_tree({"a"}).fate, Fate::Same);
}

TEST_F(TraceIndexTest, LineEndsThatGitConvertsAreNoChange) {
  repo.write(".gitattributes", "* text=auto eol=crlf\n");
  repo.commit("attributes");
  std::filesystem::remove(repo.path() / "a");
  repo.git({"checkout", "-q", "--", "a"});
  ASSERT_NE(repo.read("a").find("\r\n"), std::string::npos);
  EXPECT_EQ(in_tree({"a"}).fate, Fate::Same);
}

TEST_F(TraceIndexTest, InTheMiddleOfAConflict) {
  repo.git({"checkout", "-q", "-b", "side"});
  repo.write("a", lines("x", 1, 5) + lines("a", 6, 40));
  repo.commit("theirs");
  repo.git({"checkout", "-q", "main"});
  repo.write("a", lines("y", 1, 5) + lines("a", 6, 40));
  repo.commit("ours");
  repo.run({"git", "merge", "-q", "side"});
  const Traced a = in_index({"a"});
  EXPECT_EQ(a.fate, Fate::Changed);
  EXPECT_EQ(a.path, "a");
  EXPECT_EQ(in_tree({"a"}).path, "a");
}

TEST_F(TraceIndexTest, NoCommitYet) {
  repo.git({"checkout", "-q", "--orphan", "other"});
  TraceTarget target;
  target.kind = TraceTarget::Kind::Index;
  const TraceResult result = trace_all(from, target, {{"a"}});
  EXPECT_EQ(result.places[0].fate, Fate::Same);
  EXPECT_EQ(result.unseen.size(), 1u);
}

}  // namespace
}  // namespace gitplan::test
