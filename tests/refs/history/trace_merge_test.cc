#include <gtest/gtest.h>

#include "refs/history/trace.h"
#include "tests/refs/history/history_fixture.h"

namespace gitplan::test {
namespace {

struct TraceMergeTest : testing::Test, History {
  // On a branch of `at`.
  void branch(const std::string& name, const std::string& at) const {
    repo.git({"checkout", "-q", "-b", name, at});
  }
  void merge(const std::string& branch) const {
    repo.git({"merge", "-q", "--no-ff", "-m", "merge", branch});
  }
};

TEST_F(TraceMergeTest, MovedOnTheOtherSideAndEditedOnOurs) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  branch("side", from);
  move("a", "b");
  const std::string moved = repo.commit("move");
  move("b", "c");
  const std::string again = repo.commit("move again");
  repo.git({"checkout", "-q", "main"});
  repo.write("a", lines("a", 1, 36));
  repo.commit("edit");
  merge("side");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "c");
  EXPECT_EQ(a.by, again);
  EXPECT_EQ(a.changed_percent, 10);
  EXPECT_TRUE(a.certain);
}

TEST_F(TraceMergeTest, MovedOnOurSideAndEditedOnTheOther) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  branch("side", from);
  repo.write("a", lines("a", 1, 36));
  repo.commit("edit");
  repo.git({"checkout", "-q", "main"});
  move("a", "b");
  const std::string moved = repo.commit("move");
  merge("side");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.path, "b");
  EXPECT_EQ(a.by, moved);
  EXPECT_EQ(a.changed_percent, 10);
}

TEST_F(TraceMergeTest, GraduallyChangedOnTheOtherSide) {
  repo.write("f0", lines("a", 1, 10));
  const std::string from = repo.commit("one");
  branch("side", from);
  for (int i = 1; i <= 5; ++i) {
    move("f" + std::to_string(i - 1), "f" + std::to_string(i));
    repo.write("f" + std::to_string(i), lines("a", 1 + 2 * i, 10 + 2 * i));
    repo.commit("step");
  }
  repo.git({"checkout", "-q", "main"});
  repo.write("z", "z\n");
  repo.commit("ours");
  merge("side");
  EXPECT_EQ(trace_one(from, {"f0"}).path, "f5");
}

TEST_F(TraceMergeTest, MovedOnBothSidesIsWhereTheMergeHasIt) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  branch("side", from);
  move("a", "c");
  const std::string theirs = repo.commit("theirs");
  repo.git({"checkout", "-q", "main"});
  move("a", "b");
  repo.commit("ours");
  repo.run({"git", "merge", "-q", "--no-commit", "--no-ff", "side"});
  repo.git({"rm", "-q", "--cached", "--ignore-unmatch", "a", "b"});
  std::filesystem::remove(repo.path() / "b");
  repo.write("c", lines("a", 1, 40));
  repo.commit("merge");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Moved);
  EXPECT_EQ(a.path, "c");
  EXPECT_EQ(a.by, theirs);
}

TEST_F(TraceMergeTest, DeletedOnTheOtherSide) {
  repo.write("a", lines("a", 1, 40));
  repo.write("b", "b\n");
  const std::string from = repo.commit("one");
  branch("side", from);
  repo.git({"rm", "-q", "a"});
  const std::string deleted = repo.commit("delete");
  repo.git({"checkout", "-q", "main"});
  repo.write("b", "bb\n");
  repo.commit("ours");
  merge("side");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.fate, Fate::Gone);
  EXPECT_EQ(a.by, deleted);
}

TEST_F(TraceMergeTest, NotedOnABranchThatWasMergedIntoAnother) {
  repo.write("a", lines("a", 1, 40));
  const std::string base = repo.commit("one");
  branch("topic", base);
  repo.write("t", lines("t", 1, 40));
  const std::string from = repo.commit("topic");
  repo.git({"checkout", "-q", "main"});
  move("a", "b");
  const std::string moved = repo.commit("move");
  merge("topic");
  move("t", "u");
  repo.commit("move t");
  const Traced a = trace_one(from, {"a"});
  EXPECT_EQ(a.path, "b");
  EXPECT_EQ(a.by, moved);
  EXPECT_EQ(trace_one(from, {"t"}).path, "u");
}

TEST_F(TraceMergeTest, ARebasedBranch) {
  repo.write("a", lines("a", 1, 40));
  repo.write("b", lines("b", 1, 40));
  const std::string base = repo.commit("one");
  branch("topic", base);
  move("a", "a2");
  repo.write("new", lines("new", 1, 40));
  const std::string from = repo.commit("topic");
  repo.git({"checkout", "-q", "main"});
  move("b", "b2");
  repo.commit("main");
  repo.git({"checkout", "-q", "topic"});
  repo.git({"rebase", "-q", "main"});
  EXPECT_EQ(trace_one(from, {"a2"}).fate, Fate::Same);
  EXPECT_EQ(trace_one(from, {"new"}).fate, Fate::Same);
  const Traced b = trace_one(from, {"b"});
  EXPECT_EQ(b.fate, Fate::Moved);
  EXPECT_EQ(b.path, "b2");
}

TEST_F(TraceMergeTest, NothingInCommonAndNotHere) {
  repo.write("x/a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  const std::string id = repo.git({"rev-parse", "HEAD:x/a"});
  repo.git({"checkout", "-q", "--orphan", "other"});
  move("x/a", "y/a");
  repo.commit("root");
  TraceTarget target;
  target.commit = repo.git({"rev-parse", "HEAD"});
  for (const std::string& start : {from, std::string(40, 'd'), std::string()}) {
    const TraceResult result = trace_all(start, target, {{"x/a", id}});
    EXPECT_EQ(result.places[0].fate, Fate::Moved) << start;
    EXPECT_EQ(result.places[0].path, "y/a");
    ASSERT_EQ(result.unseen.size(), 1u);
    EXPECT_NE(result.unseen[0].find("only contents were compared"), std::string::npos);
  }
}

TEST_F(TraceMergeTest, AShallowCloneSaysWhereItEnds) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.commit("two");
  move("b", "c");
  repo.commit("three");
  repo.commit("four");
  repo.git({"clone", "-q", "--depth", "2", "file://" + repo.path().string(), "../shallow"});
  const auto shallow = Repository::open_at(repo.root() / "shallow");
  ASSERT_TRUE(shallow.ok());
  TraceTarget target;
  target.commit = repo.git({"rev-parse", "HEAD"});
  const std::string id = repo.git({"rev-parse", from + ":a"});
  const auto traced = trace(*shallow, from, target, {{"a", id}});
  ASSERT_TRUE(traced.ok());
  EXPECT_EQ(traced->places[0].path, "c");
  EXPECT_EQ(traced->unseen.size(), 1u);
  // Both ends are here, and no way between them.
  repo.git({"-C", "../shallow", "fetch", "-q", "--depth", "1", "origin", from});
  const auto again = trace(*shallow, from, target, {{"a", id}});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->places[0].path, "c");
  ASSERT_GE(again->unseen.size(), 2u);
  EXPECT_NE(again->unseen[0].find("as this clone is shallow"), std::string::npos);
}

TEST_F(TraceMergeTest, APartialCloneIsNotFetchedFrom) {
  repo.write("a", lines("a", 1, 40));
  const std::string from = repo.commit("one");
  move("a", "b");
  repo.commit("two");
  repo.write("b", lines("a", 1, 30));
  repo.commit("three");
  repo.git({"config", "uploadpack.allowFilter", "true"});
  for (const char* filter : {"blob:none", "tree:0"}) {
    const std::string name = std::string("partial-") + filter[0];
    repo.git({"clone", "-q", "--no-checkout", std::string("--filter=") + filter,
              "file://" + repo.path().string(), "../" + name});
    const auto partial = Repository::open_at(repo.root() / name);
    ASSERT_TRUE(partial.ok());
    TraceTarget target;
    target.commit = repo.git({"rev-parse", "HEAD"});
    const std::string before = repo.git({"-C", "../" + name, "count-objects", "-v"});
    const auto traced =
        trace(*partial, from, target, {{"a", repo.git({"rev-parse", from + ":a"})}});
    ASSERT_TRUE(traced.ok()) << traced.error().message;
    ASSERT_EQ(traced->unseen.size(), 1u);
    EXPECT_NE(traced->unseen[0].find("partial clone"), std::string::npos);
    if (filter[0] == 'b') {
      EXPECT_EQ(traced->places[0].path, "b");
      EXPECT_EQ(traced->places[0].similarity, -1);
    }
    EXPECT_EQ(repo.git({"-C", "../" + name, "count-objects", "-v"}), before);
  }
}

}  // namespace
}  // namespace gitplan::test
