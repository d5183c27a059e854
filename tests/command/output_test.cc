// output and attempts: what tasks left, and their work brought back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Output : public ::testing::Test {
 protected:
  Output() {
    repo_.make_plan("words", R"(    - name: talk
      description: Talk
      run: 'printf "one\033[31m red\n\033]0;title\007two\n"; echo "All said." >"$PLAN_OUTPUT"; echo t >t'
    - name: fail
      description: Fail
      run: echo half >half; echo 'it broke' >&2; exit 4
)");
    EXPECT_EQ(repo_.plan({"execute", "words", "--jobs", "1"}).exit_status, 4);
  }
  std::string attempt(const std::string& task) const {
    return repo_.load("words").ledger.task(task).last()->id;
  }
  WorkRepo repo_;
};

TEST_F(Output, ShowsSummaryAndLogWithoutTerminalSequences) {
  EXPECT_EQ(repo_.said({"output", "words", "talk"}), R"(0
talk, attempt <attempt>: finished after <time>
All said.

one red
two
)");
  EXPECT_EQ(repo_.plan({"output", "words", "talk", "--raw"}).out,
            "one\033[31m red\n\033]0;title\007two\n");
  EXPECT_THAT(repo_.said({"output", "words"}),
              HasSubstr("talk, attempt <attempt>: finished after <time>\nAll said.\n\nfail, "));
  const auto json = nlohmann::json::parse(repo_.plan({"output", "words", "fail", "--json"}).out);
  EXPECT_EQ(json["tasks"][0]["outcome"], "failed");
  EXPECT_EQ(json["tasks"][0]["log"], "it broke\n");
}

TEST_F(Output, FollowingEndsWithTheAttempt) {
  EXPECT_EQ(repo_.said({"output", "words", "fail", "-f"}), R"(0
fail, attempt <attempt>: failed after <time>, its command ended with status 4
it broke
)");
  EXPECT_THAT(repo_.said({"output", "words", "-f"}),
              HasSubstr("2\nerror: no task of plan 'words' is running\n"));
}

TEST_F(Output, NamesWhatIsNotThere) {
  EXPECT_EQ(repo_.said({"output", "words", "tlak"}),
            "2\nerror: there is no task 'tlak' in plan 'words'\nhint: did you mean 'talk'?\n");
  EXPECT_THAT(repo_.said({"output", "words", "talk", "--attempt", "x.9"}),
              HasSubstr("2\nerror: task 'talk' has no attempt 'x.9'\n"));
}

TEST(OutputOfVerify, IsShownWithTheDecisionAndKept) {
  WorkRepo repo;
  repo.make_plan(
      "checked", R"(    - {name: one, run: echo 1 >one}
    - {name: two, run: echo 2 >two, depends_on: [one]}
)",
      "  verify: [\"echo looks; true\", \"test ! -e two || { echo 'two is odd'; exit 3; }\"]\n");
  EXPECT_THAT(repo.said({"output", "checked", "--verify"}), HasSubstr("Nothing has been verified"));
  const std::string panel = R"(
  log     | $ echo looks; true
          | looks
          | $ test ! -e two || { echo 'two is odd'; exit 3; }
          | two is odd
          all of it: git plan output checked --verify
)";
  EXPECT_THAT(repo.said({"execute", "checked"}), HasSubstr(panel));
  EXPECT_THAT(repo.said({"status", "checked"}), HasSubstr(panel));
  EXPECT_THAT(repo.said({"resolve", "checked"}), HasSubstr(panel));
  const auto status = nlohmann::json::parse(repo.plan({"status", "checked", "--json"}).out);
  EXPECT_EQ(status["decisions"][0]["log"][3], "two is odd");
  EXPECT_EQ(repo.plan({"resolve", "checked", "accept"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"execute", "checked"}).exit_status, 0);
  EXPECT_EQ(repo.said({"output", "checked", "--verify"}), R"(0
wave 1
$ echo looks; true
looks
$ test ! -e two || { echo 'two is odd'; exit 3; }

wave 2
$ echo looks; true
looks
$ test ! -e two || { echo 'two is odd'; exit 3; }
two is odd
)");
  const auto json =
      nlohmann::json::parse(repo.plan({"output", "checked", "--verify", "--json"}).out);
  EXPECT_EQ(json["verify"][1]["wave"], 2);
  EXPECT_EQ(repo.said({"output", "checked", "one", "--verify"}),
            "129\nerror: option '--verify' is about waves and goes with no task\n"
            "hint: git plan output checked --verify\n");
}

TEST_F(Output, AttemptsAreListedAndShown) {
  const std::string listed = repo_.said({"attempts", "words"});
  EXPECT_THAT(listed, HasSubstr("talk  <attempt>"));
  EXPECT_THAT(listed, HasSubstr("fail  <attempt>"));
  const std::string shown = repo_.said({"attempts", "words", "fail", "--show", attempt("fail")});
  EXPECT_THAT(shown, HasSubstr("fail, attempt <attempt>\noutcome  failed (task)\n"));
  EXPECT_THAT(shown, HasSubstr(" half | 1 +\n"));
  const auto json = nlohmann::json::parse(repo_.plan({"attempts", "words", "--json"}).out);
  EXPECT_EQ(json["attempts"].size(), 2u);
}

TEST_F(Output, OneWhoseSetupFailedShowsThat) {
  repo_.write(repo_.root() / "p.md",
              "---\ntitle: p\nnaming: p\norchestration:\n  default_mode: forked\n"
              "  setup: [\"echo no compiler here; exit 3\"]\n"
              "  tasks:\n    - {name: one, run: \"true\"}\n---\nx\n");
  repo_.plan({"create", "-F", (repo_.root() / "p.md").string()});
  EXPECT_EQ(repo_.plan({"execute", "p"}).exit_status, 4);
  const ProcessResult shown = repo_.plan({"output", "p", "one"});
  EXPECT_EQ(shown.exit_status, 0);
  EXPECT_THAT(shown.out, HasSubstr("no compiler here"));
  EXPECT_THAT(shown.err, HasSubstr("It never ran: "));
}

TEST_F(Output, AFailedAttemptIsRevived) {
  EXPECT_THAT(
      repo_.said({"attempts", "words", "fail", "--revive", attempt("fail"), "--branch", "rescued"}),
      HasSubstr("0\nMade branch 'rescued' at <id>.\n"));
  EXPECT_EQ(repo_.git({"show", "rescued:half"}), "half");
  EXPECT_EQ(repo_.said({"attempts", "words", "--branch", "x"}),
            "129\nerror: option '--branch' needs '--revive <attempt>'\n");
}

}  // namespace
}  // namespace gitplan::test
