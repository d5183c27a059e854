// resolve: options checked against what was asked, a conflict solved in each way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/engine/questions.h"
#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

// Both change line 10.
constexpr const char* kClashing = R"(    - name: left
      description: Write left
      run: sed -i 's/^10$/left/' src/a.txt
    - name: right
      description: Write right
      run: sed -i 's/^10$/right/' src/a.txt
)";

class Clash : public ::testing::Test {
 protected:
  Clash() {
    repo_.make_plan("clash", kClashing);
    EXPECT_EQ(repo_.plan({"execute", "clash", "--jobs", "1"}).exit_status, 4);
  }
  void finish(const std::string& line) {
    const ProcessResult result = repo_.plan({"execute", "clash"});
    EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
    EXPECT_THAT(repo_.read("src/a.txt"), HasSubstr("\n9\n" + line + "\n11\n"));
    EXPECT_EQ(repo_.git({"log", "--format=%s", "main"}), "Write right\nWrite left\nStart");
    EXPECT_EQ(repo_.git({"worktree", "list", "--porcelain"}).find("worktree", 1),
              std::string::npos);
  }
  WorkRepo repo_;
};

TEST_F(Clash, IsShownWithItsLines) {
  EXPECT_EQ(repo_.said({"resolve", "clash"}), R"(4
Decision <decision>: merge conflict, task right
  what    'right' changed lines that 'left' changed too:
          src/a.txt: 'left' line 10; 'right' line 10
  why     Both changed the same lines: git cannot tell which of them is meant.
  impact  No other task waits for it; independent tasks go on.
  options
    keep:right   take the lines of 'right'                   git plan resolve clash <decision> keep:right
    keep:left    keep the lines of 'left'                    git plan resolve clash <decision> keep:left
    hand         open a worktree and merge there             git plan resolve clash <decision> hand
    rerun:right  do 'right' again on top of the others       git plan resolve clash <decision> rerun:right
    abort        end the plan here; everything done is kept  git plan resolve clash <decision> abort
    rerun:left: not possible, it is part of a wave, and what is completed stays as it is
)");
}

TEST_F(Clash, HasOneWordInEveryView) {
  EXPECT_THAT(repo_.said({"status", "clash"}),
              HasSubstr("  right  blocked          <time>overlaps with other work"));
  EXPECT_THAT(repo_.said({"why", "clash"}), HasSubstr("right  blocked  overlaps with other work"));
  const auto json = nlohmann::json::parse(repo_.plan({"status", "clash", "--json"}).out);
  EXPECT_EQ(json["tasks"][1]["status"], "finished");
  EXPECT_EQ(json["tasks"][1]["readiness"], "blocked");
}

TEST_F(Clash, IsJsonForPrograms) {
  const ProcessResult open = repo_.plan({"resolve", "clash", "--json"});
  EXPECT_EQ(open.exit_status, 4);
  const auto json = nlohmann::json::parse(open.out);
  const auto status = nlohmann::json::parse(repo_.plan({"status", "clash", "--json"}).out);
  EXPECT_EQ(json["plan"], "clash");
  EXPECT_EQ(json["decisions"], status["decisions"]);
  EXPECT_EQ(json["decisions"][0]["options"][0]["key"], "keep:right");
  const ProcessResult answered = repo_.plan({"resolve", "clash", "keep:left", "--json"});
  EXPECT_EQ(answered.exit_status, 0);
  EXPECT_EQ(nlohmann::json::parse(answered.out)["option"], "keep:left");
  EXPECT_EQ(repo_.said({"resolve", "clash", "--json"}),
            "0\n{\"schema\":1,\"plan\":\"clash\",\"decisions\":[]}\n");
}

TEST_F(Clash, OneSideIsKept) {
  EXPECT_EQ(repo_.said({"resolve", "clash", "keep:right"}),
            "0\nAnswered decision <decision> of 'clash': keep:right.\n"
            "Go on: git plan execute clash\n");
  finish("right");
  EXPECT_THAT(repo_.said({"resolve", "clash", "keep:right"}),
              HasSubstr("error: plan 'clash' has no open decision\n"));
}

TEST_F(Clash, IsMergedByHand) {
  const ProcessResult opened = repo_.plan({"resolve", "clash", "hand"});
  EXPECT_EQ(opened.exit_status, 0) << opened.err;
  const std::string line = opened.out.substr(0, opened.out.find('\n'));
  const std::string tree = line.substr(line.find(": ") + 2);
  EXPECT_THAT(opened.out, HasSubstr("  in conflict: src/a.txt\n"));
  EXPECT_THAT(repo_.git({"-C", tree, "status", "--short"}), HasSubstr("UU src/a.txt"));

  const std::string early = repo_.said({"resolve", "clash", "hand", "--done"});
  EXPECT_THAT(early, HasSubstr("4\nerror: not resolved in '<root>/repo.plan/1-hand': src/a.txt\n"));

  repo_.run({"sed", "-i", "/^<<<<<<</,/^>>>>>>>/c both", tree + "/src/a.txt"});
  EXPECT_THAT(repo_.plan({"resolve", "clash", "hand"}).out, HasSubstr("is open already: " + tree));
  EXPECT_THAT(repo_.said({"resolve", "clash", "hand", "--done"}),
              HasSubstr("0\nAnswered decision <decision> of 'clash': hand.\n"));
  EXPECT_FALSE(std::filesystem::exists(tree));
  finish("both");
}

TEST_F(Clash, TheTaskIsRunAgainOnTop) {
  EXPECT_EQ(repo_.plan({"resolve", "clash", "rerun:right"}).exit_status, 0);
  // There it finds line 10 changed, and so changes nothing.
  const ProcessResult result = repo_.plan({"execute", "clash"});
  EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
  EXPECT_THAT(repo_.read("src/a.txt"), HasSubstr("\n9\nleft\n11\n"));
}

TEST_F(Clash, WrongWordsAreNamed) {
  EXPECT_THAT(repo_.said({"resolve", "clash", "keep:rigth"}),
              HasSubstr("2\nerror: decision '<decision>' of plan 'clash' has no option "
                        "'keep:rigth'\nhint: did you mean 'keep:right'?\n"));
  EXPECT_THAT(repo_.said({"resolve", "clash", "rerun:left"}),
              HasSubstr("error: 'rerun:left' cannot be chosen: it is part of a wave, and what is "
                        "completed stays as it is\n"));
  EXPECT_THAT(repo_.said({"resolve", "clash", "nothing", "retry"}),
              HasSubstr("2\nerror: plan 'clash' has no open decision 'nothing'\n"));
  EXPECT_THAT(repo_.said({"resolve", "clash", "keep:left", "--minutes", "3"}),
              HasSubstr("129\nerror: option '--minutes' belongs to 'longer'\n"));
  EXPECT_THAT(repo_.said({"resolve", "clash", "keep:left", "--done"}),
              HasSubstr("129\nerror: option '--done' belongs to 'hand'\n"));
  EXPECT_THAT(repo_.said({"resolve", "clash", "keep:left", "--yes"}),
              HasSubstr("129\nerror: option '--yes' belongs to 'edit'\n"));
}

TEST(Resolve, AnOptionThatOnlyOneDecisionHasNamesIt) {
  WorkRepo repo;
  repo.make_plan("two", R"(    - {name: left, run: "sed -i 's/^10$/left/' src/a.txt"}
    - {name: right, run: "sed -i 's/^10$/right/' src/a.txt"}
    - {name: bad, run: "exit 3"}
)");
  EXPECT_EQ(repo.plan({"execute", "two"}).exit_status, 4);
  const std::string several = repo.said({"resolve", "two", "abort"});
  EXPECT_THAT(several, HasSubstr("2\nerror: plan 'two' has 2 open decisions: name one\n"));
  EXPECT_THAT(repo.said({"resolve", "two", "nothing"}), HasSubstr("has no option 'nothing'"));
  EXPECT_EQ(repo.plan({"resolve", "two", "keep:right"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"resolve", "two", "skip"}).exit_status, 0);
}

TEST(Resolve, ASigningProgramThatHangsIsStoppedAndPassedBy) {
  WorkRepo repo;
  repo.write("gpg", "#!/bin/sh\nexec sleep 86399\n");
  std::filesystem::permissions(repo.path() / "gpg", std::filesystem::perms::owner_all);
  repo.git({"config", "commit.gpgSign", "true"});
  repo.git({"config", "gpg.program", (repo.path() / "gpg").string()});
  repo.git({"config", "plan.commitTimeout", "1"});
  repo.make_plan("signed", "    - {name: one, run: echo n >n}\n");
  const std::string said = repo.said({"execute", "signed"});
  EXPECT_EQ(said.substr(0, 2), "4\n");
  EXPECT_THAT(said, HasSubstr("  what    the commit of wave 1 did not end within "
                              "plan.commitTimeout:\n"));
  EXPECT_THAT(said, HasSubstr("  why     A hook or the signing program hung; it was stopped.\n"));
  EXPECT_EQ(repo.run({"pgrep", "-f", (repo.path() / "gpg").string()}).out, "");
  EXPECT_THAT(repo.said({"resolve", "signed", "unsigned"}), HasSubstr("0\n"));
  EXPECT_EQ(repo.plan({"execute", "signed"}).exit_status, 0);
  EXPECT_EQ(repo.git({"log", "-1", "--format=%s %G?", "main"}), "one N");
}

TEST(Resolve, LongerGivesTheMinutesThatWereSaid) {
  WorkRepo repo;
  repo.make_plan("slow",
                 "    - {name: nap, run: exit 1}\n    - {name: bad, run: exit 1, mode: forked}\n");
  const auto ask = [&](const std::string& task, const std::string& decision) {
    DecisionAsked asked = ask_about_failure(task, repo.load("slow").ledger.task(task), {});
    asked.decision = decision;
    asked.run = "r1";
    return asked;
  };
  RunStarted run;
  run.run = "r1";
  run.target = "refs/heads/main";
  run.base = run.target_tip = repo.git({"rev-parse", "HEAD"});
  std::vector<EventBody> events{run};
  for (const std::string task : {"nap", "bad"}) {
    AttemptStarted started;
    started.run = "r1";
    started.task = task;
    started.attempt = task + ".1";
    started.minutes = 30;
    AttemptEnded ended;
    ended.run = "r1";
    ended.task = task;
    ended.attempt = task + ".1";
    ended.outcome = task == "nap" ? "timed_out" : "failed";
    events.insert(events.end(), {started, ended});
  }
  repo.append("slow", events);
  repo.append("slow", {ask("nap", "d00001"), ask("bad", "d00002")});
  EXPECT_THAT(repo.said({"resolve", "slow", "bad", "longer"}),
              HasSubstr("decision '<decision>' of plan 'slow' has no option 'longer'"))
      << "time was not its fault";
  EXPECT_EQ(repo.plan({"resolve", "slow", "nap", "longer", "--minutes", "77"}).exit_status, 0);
  EXPECT_EQ(repo.load("slow").ledger.task("nap").minutes, 77);
}

TEST(Resolve, EditWithoutATerminalNeedsYes) {
  WorkRepo repo;
  repo.make_plan("slow", "    - {name: nap, run: exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "slow"}).exit_status, 4);
  const RunOptions editor{.env = {{"GIT_EDITOR", "sed -i 's/exit 1/echo n >n/'"}}};
  EXPECT_EQ(repo.said({"resolve", "slow", "edit"}, editor),
            "2\nerror: plan.editMode is 'confirm', and there is no terminal to ask on\n"
            "hint: '--yes' applies the change without asking\n");
  EXPECT_EQ(repo.said({"resolve", "slow", "edit", "--yes"}, editor),
            "0\nAnswered decision <decision> of 'slow': edit.\nChanged 'slow'.\n"
            "Go on: git plan execute slow\n");
  EXPECT_EQ(repo.plan({"execute", "slow"}).exit_status, 0);
  EXPECT_EQ(repo.read("n"), "n\n");
}

TEST(Resolve, ARefusedEditKeepsTheText) {
  WorkRepo repo;
  repo.make_plan("slow", "    - {name: nap, run: exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "slow"}).exit_status, 4);
  const std::string said =
      repo.said({"resolve", "slow", "edit", "--yes"},
                {.env = {{"GIT_EDITOR", "sed -i 's/run:/runs:/;s/forked/fork/'"}}});
  EXPECT_THAT(said, HasSubstr("your text is kept in <root>/repo/.git/git-plan/edit/slow.md"));
  EXPECT_THAT(repo.read(".git/git-plan/edit/slow.md"), HasSubstr("runs: exit 1"));
  EXPECT_EQ(repo.plan({"resolve", "slow"}).exit_status, 4) << "nothing is answered";
}

TEST(Resolve, ABranchToLandOnMustExist) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x}\n");
  DecisionAsked asked;
  asked.decision = "d00001";
  asked.kind = "branch_gone";
  asked.branch = "refs/heads/main";
  asked.what = "gone";
  asked.options = {{"onto:<branch>", "land on another branch", ""}};
  repo.append("one", {asked});
  EXPECT_THAT(repo.said({"resolve", "one", "onto:nowhere"}),
              HasSubstr("2\nerror: there is no branch 'nowhere'\n"));
  repo.git({"branch", "there"});
  EXPECT_EQ(repo.plan({"resolve", "one", "onto:there"}).exit_status, 0);
}

}  // namespace
}  // namespace gitplan::test
