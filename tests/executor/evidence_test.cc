// What counts as done, and what is said of what is not.
#include "git-plan/executor/evidence.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace {

class EvidenceTest : public ::testing::Test {
 protected:
  EvidenceTest() : root_(make_temporary_directory()) {
    task_.name = "parser";
    left_.tree = root_;
    left_.agent = "claude";
    left_.command = "claude -p";
    left_.work.commit = "c0ffee";
    left_.work.changed = true;
    left_.work.paths = {"src/parser.cc"};
    proof_.run_check = [this](const std::string& check) {
      checks_.push_back(check);
      return complaint_;
    };
  }
  ~EvidenceTest() override { remove_tree(root_); }

  AttemptEnded judged() const { return judge(task_, left_, proof_); }
  void touch(const std::string& name) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << "";
  }
  void expect_missing(const std::string& what) const {
    const AttemptEnded ended = judged();
    EXPECT_EQ(ended.outcome, "failed");
    EXPECT_EQ(ended.failure, "evidence");
    EXPECT_EQ(ended.error, what);
  }
  void expect_done() const {
    const AttemptEnded ended = judged();
    EXPECT_EQ(ended.outcome, "finished") << ended.error;
    EXPECT_EQ(ended.error, "");
  }

  std::filesystem::path root_;
  Task task_;
  Left left_;
  Proof proof_;
  std::vector<std::string> checks_;
  std::string complaint_;
};

TEST_F(EvidenceTest, AChangeIsDoneAndMakesAFinding) {
  const AttemptEnded ended = judged();
  EXPECT_EQ(ended.outcome, "finished");
  EXPECT_EQ(ended.commit, "c0ffee");
  ASSERT_EQ(ended.findings.size(), 1u);
  EXPECT_EQ(ended.findings[0].item_id, "parser");
  EXPECT_EQ(ended.findings[0].status, "completed");
  EXPECT_EQ(ended.findings[0].produced, std::vector<std::string>{"src/parser.cc"});
}

TEST_F(EvidenceTest, WithoutAChangeAnAgentIsNotDone) {
  left_.work.changed = false;
  left_.work.paths.clear();
  expect_missing("it changed nothing");
}

TEST_F(EvidenceTest, NoChangeCanBeDeclared) {
  left_.work.changed = false;
  left_.findings.push_back({.item_id = "parser", .status = "no_change"});
  expect_done();
}

TEST_F(EvidenceTest, ACommandOrAnAllowedTaskNeedChangeNothing) {
  left_.work.changed = false;
  task_.allow_no_change = true;
  expect_done();
  task_.allow_no_change = false;
  task_.run = "make test";
  expect_done();
}

TEST_F(EvidenceTest, ChangesInTheWrongTreeAreNamed) {
  left_.work.changed = false;
  left_.strayed = {"notes.txt", "src/parser.cc"};
  task_.files = {"src/**"};
  expect_missing(
      "it changed nothing in its own tree, but 'src/parser.cc' in your checkout changed");
}

TEST_F(EvidenceTest, ChangesInTheUsersTreeAreARemarkWhereItsOwnChanged) {
  left_.strayed = {"notes.txt"};
  const AttemptEnded ended = judged();
  EXPECT_EQ(ended.outcome, "finished");
  EXPECT_EQ(ended.remarks,
            std::vector<std::string>{"files in your checkout changed while it ran: 'notes.txt'"});
}

TEST_F(EvidenceTest, ItsOwnDoubtsCount) {
  left_.findings.push_back({.item_id = "parser", .status = "partial"});
  expect_missing("it says itself that 'parser' is done in part only");
  left_.findings[0].status = "failed";
  expect_missing("it says itself that 'parser' failed");
  left_.findings[0].reading = "rejected";  // what cannot be read says nothing
  expect_done();
}

TEST_F(EvidenceTest, ExpectedPathsMustBeThere) {
  task_.expects = {"src/parser.cc", "docs/*.md", "out"};
  expect_missing("'src/parser.cc', 'docs/*.md', 'out', which it should leave, are not there");
  touch("src/parser.cc");
  touch("docs/a.md");
  expect_missing("'out', which it should leave, is not there");
  touch("out/x");
  expect_done();
}

TEST_F(EvidenceTest, ScopeIsARemarkOrAFault) {
  task_.files = {"src/lexer.cc", "docs/"};
  left_.work.paths = {"src/lexer.cc", "docs/a.md", "src/parser.cc"};
  EXPECT_EQ(judged().outcome, "finished");
  EXPECT_EQ(judged().remarks,
            std::vector<std::string>{"changed files outside its scope: 'src/parser.cc'"});
  proof_.enforce_scope = true;
  expect_missing("it changed files outside its scope: 'src/parser.cc'");
}

TEST_F(EvidenceTest, AllThatIsMissingIsNamedAtOnce) {
  left_.work.changed = false;
  left_.work.planted = {".env"};
  left_.work.remarks = {"left a merge half done", "left out: .env, an ignored file of yours"};
  task_.expects = {"out"};
  task_.checks = {"make"};
  complaint_ = "'make' failed with status 2";
  expect_missing(
      "its commits hold ignored files of yours: '.env'; it left a merge half done; it changed "
      "nothing; 'out', which it should leave, is not there; 'make' failed with status 2");
  EXPECT_EQ(checks_, std::vector<std::string>{"make"});
}

TEST_F(EvidenceTest, WithoutItsPlaceNothingIsDone) {
  left_.work.missing = {"its worktree is gone, and with it what was not committed",
                        "its branch 'plan/x/parser' is gone"};
  left_.tree.clear();
  task_.run = "rm -rf .";
  task_.checks = {"make"};
  expect_missing(
      "its worktree is gone, and with it what was not committed; its branch 'plan/x/parser' is "
      "gone");
  EXPECT_TRUE(checks_.empty()) << "there is no tree to run them in";
}

TEST_F(EvidenceTest, ChecksDoNotRunAfterAFailure) {
  task_.checks = {"make"};
  left_.exit_code = 1;
  EXPECT_EQ(judged().failure, "task");
  EXPECT_EQ(judged().error, "its command ended with status 1");
  EXPECT_TRUE(checks_.empty());
}

TEST_F(EvidenceTest, HowItEndedIsClassified) {
  const auto said = [this](int code, const std::string& stopped_by = "") {
    left_.exit_code = code;
    left_.stopped_by = stopped_by;
    const AttemptEnded ended = judged();
    return ended.failure + ": " + ended.error;
  };
  EXPECT_EQ(said(75), "network: it asked to be tried again later (status 75)");
  EXPECT_EQ(said(139), "task: its command was ended by signal 11");
  EXPECT_EQ(said(143, "wall"), "task: its time was up");
  EXPECT_EQ(said(143, "idle"), "idle: it wrote nothing and used no processor time for too long");
  EXPECT_EQ(said(0, "wall"), "task: its time was up");
  EXPECT_EQ(said(143, "cancel"), ": ");
  EXPECT_EQ(judged().outcome, "cancelled");
  EXPECT_EQ(said(127),
            "config: 'claude' was not found (status 127); see plan.agent.claude.command");
  left_.agent = "run";
  left_.command = "X=1 no-such-thing | cat";
  EXPECT_EQ(said(127), "config: 'no-such-thing' was not found (status 127)");
  left_.command = "sh ./build.sh";
  EXPECT_EQ(said(127), "config: a program that its command starts was not found (status 127)");
  left_.error = "its directory cannot be entered: No such file or directory";
  EXPECT_EQ(said(126), "config: its directory cannot be entered: No such file or directory");
}

TEST_F(EvidenceTest, ALostProcessIsNoFailure) {
  left_.lost = true;
  left_.exit_code = 137;
  EXPECT_EQ(judged().outcome, "lost");
  EXPECT_EQ(judged().error, "its process was lost");
}

}  // namespace
}  // namespace gitplan::test
