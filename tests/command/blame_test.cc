// git plan blame: the plan behind a commit, a file and a line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Blame : public ::testing::Test {
 protected:
  Blame() {
    repo_.make_plan(
        "p",
        "    - {name: head, description: Put a head on it, run: \"sed -i '1i head' src/a.txt;"
        " echo well >$PLAN_OUTPUT; echo '{\\\"item_id\\\":\\\"head\\\",\\\"status\\\":"
        "\\\"completed\\\",\\\"prose_notes\\\":\\\"was odd\\\"}' >>$PLAN_FINDINGS\"}\n"
        "    - {name: tail, run: \"printf '\\\\ntail\\\\n' >>src/a.txt\"}\n"
        "    - {name: other, checkpoint: human_verify, run: echo o >other.txt}\n");
    EXPECT_EQ(repo_.plan({"execute", "p"}).exit_status, 4);
    allowed({"resolve", "p", "approve"});
    EXPECT_EQ(repo_.plan({"execute", "p"}).exit_status, 0);
  }
  void allowed(const Words& words) {
    RunOptions options;
    options.env = {{"GIT_CONFIG_COUNT", "1"},
                   {"GIT_CONFIG_KEY_0", "plan.allowHeadlessApproval"},
                   {"GIT_CONFIG_VALUE_0", "true"}};
    EXPECT_EQ(repo_.plan(words, options).exit_status, 0);
  }
  std::string blame(const std::string& what, RunOptions options = {}) {
    const std::string said = repo_.said({"blame", what}, options);
    const std::regex moving("\\d+ [a-z]+ ago|just now|[^ ]+/attempts/[^\n]*");
    return std::regex_replace(said, moving, "<moving>");
  }
  nlohmann::json origins(const std::string& what) {
    return nlohmann::json::parse(repo_.plan({"blame", what, "--json"}).out)["origins"];
  }
  WorkRepo repo_;
};

TEST_F(Blame, ALineLeadsToItsTaskThroughRenames) {
  repo_.git({"mv", "src/a.txt", "src/renamed.txt"});
  repo_.commit("Rename");
  EXPECT_EQ(blame("src/renamed.txt:1"),
            "0\nsrc/renamed.txt:1\n<id> A U Thor, <moving>: Put a head on it (+1)\n"
            "  plan      p  p (completed)\n  wave      1 of run <run>\n"
            "  task      head  by its command, attempt <attempt>, <time>\n"
            "            Put a head on it\n  brief     <moving>\n  summary   well\n"
            "  findings  - completed: was odd\n");
  EXPECT_EQ(origins("src/renamed.txt:21")[0]["plan"], nullptr);
  const auto tail = origins("src/renamed.txt:23");
  ASSERT_EQ(tail.size(), 1u);
  EXPECT_EQ(tail[0]["plan"], "p");
  ASSERT_EQ(tail[0]["tasks"].size(), 1u);
  EXPECT_EQ(tail[0]["tasks"][0]["name"], "tail");
  // Any task may have written a line in which nothing stands.
  EXPECT_EQ(origins("src/renamed.txt:22")[0]["tasks"].size(), 2u);
}

TEST_F(Blame, AFileIsToldByCommit) {
  const std::string said = blame("src/a.txt");
  EXPECT_THAT(said, HasSubstr("1, 22-23  <id>"));
  EXPECT_THAT(said, HasSubstr("head, tail"));
  EXPECT_THAT(said, HasSubstr("20 lines are no plan's work.\n"));
  EXPECT_EQ(origins("src/a.txt").size(), 2u);
}

TEST_F(Blame, ACommitTellsItsTasksAndDecisions) {
  const std::string commit = repo_.git({"log", "-1", "--format=%H", "--", "other.txt"});
  const auto all = origins(commit);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["plan"], "p");
  EXPECT_EQ(all[0]["tasks"][0]["name"], "other");
  ASSERT_EQ(all[0]["decisions"].size(), 1u);
  EXPECT_EQ(all[0]["decisions"][0]["option"], "approve");
  EXPECT_THAT(blame(commit), HasSubstr("  decision  <decision>, checkpoint: approve\n"));
}

TEST_F(Blame, CommitsThatWereRewrittenAreKnown) {
  const std::string commit = repo_.git({"log", "-1", "--format=%H", "--", "other.txt"});
  repo_.git({"checkout", "-q", "-b", "side", "main~2"});
  repo_.commit("Between");
  repo_.git({"cherry-pick", "--allow-empty", commit});
  EXPECT_EQ(origins("HEAD")[0]["tasks"][0]["name"], "other");
}

TEST_F(Blame, WithoutThePlanTheTrailersAreTold) {
  const std::string at = (repo_.root() / "clone").string();
  repo_.git({"clone", "-q", ".", at});
  RunOptions options;
  options.cwd = at;
  const std::string said = blame("src/a.txt:1", options);
  EXPECT_THAT(said, HasSubstr("  plan      p, which is not in this clone\n"));
  EXPECT_THAT(said, HasSubstr("  task      head, tail\n"));
}

TEST_F(Blame, PlacesAndFaults) {
  RunOptions below;
  below.cwd = "src";
  EXPECT_THAT(blame("a.txt:1", below), HasSubstr("src/a.txt:1\n"));
  EXPECT_THAT(blame("nope"), HasSubstr("2\nerror: 'nope' is no commit and no file here\n"));
  EXPECT_THAT(blame("src/a.txt:99"), HasSubstr("has only 23 lines"));
  repo_.write("src/a.txt", "mine\n");
  EXPECT_THAT(blame("src/a.txt:1"), HasSubstr("  not committed yet\n"));
  repo_.git({"branch", "src/b"});
  repo_.write("src/b", "b\n");
  EXPECT_THAT(blame("src/b"), HasSubstr("error: 'src/b' is both a commit and a file\n"));
  EXPECT_THAT(blame("./src/b"), HasSubstr("error: git blame: fatal: no such path 'src/b' in HEAD"));
}

}  // namespace
}  // namespace gitplan::test
