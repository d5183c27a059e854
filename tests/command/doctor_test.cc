// doctor and gc: faults named with a remedy, leftovers removed and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Doctor, FindsNothingInAGoodRepository) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x}\n");
  const ProcessResult result = repo.plan({"doctor", "--fsck"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.out, HasSubstr("plans      1\n"));
  EXPECT_THAT(result.out, HasSubstr("agents     none configured or installed\n"));
  EXPECT_THAT(result.out, HasSubstr("fsck       every plan folds to what is stored\n"));
  EXPECT_THAT(result.out, HasSubstr("\n\nNo faults found.\n"));
}

TEST(Doctor, NamesEachFaultWithItsRemedy) {
  WorkRepo repo;
  repo.git({"config", "plan.maxFork", "3"});
  repo.git({"config", "plan.land", "sometimes"});
  repo.git({"config", "plan.naming", "{day}-{title}"});
  repo.git({"config", "plan.worktreeRoot", "/dev/null/trees"});
  repo.git({"config", "plan.agent", "ghost"});
  repo.git({"config", "plan.agent.robot.command", "X=1 no-such-program-here --fast"});
  repo.git({"config", "plan.agent.shell.command", "cat >/dev/null"});
  repo.git({"config", "remote.origin.url", "nowhere"});
  repo.git({"config", "remote.origin.fetch", "+refs/plans/*:refs/plans/*"});
  const ProcessResult result = repo.plan({"doctor", "--json"});
  EXPECT_EQ(result.exit_status, 1);
  const auto json = nlohmann::json::parse(result.out);
  std::string codes;
  for (const auto& each : json["diagnostics"]) {
    codes += each["code"].get<std::string>() + "\n";
    EXPECT_NE(each["fix"].get<std::string>(), "") << each.dump();
  }
  EXPECT_THAT(codes, HasSubstr("agent-not-found\n"));
  EXPECT_THAT(codes, HasSubstr("unknown-agent\n"));
  EXPECT_THAT(codes, HasSubstr("direct-refspec\n"));
  EXPECT_EQ(json["facts"]["agents"], "shell");
  const std::string text = repo.plan({"doctor"}).out;
  EXPECT_THAT(text, HasSubstr("plan.maxFork"));
  EXPECT_THAT(text, HasSubstr("sometimes"));
  EXPECT_THAT(text, HasSubstr("plan.naming = '{day}-{title}' must be a template with no tokens "
                              "but {date} {time} {datetime} {title} {id}"));
  EXPECT_THAT(text, HasSubstr("plan.worktreeRoot: '/dev/null/trees' cannot be made or written"));
  EXPECT_THAT(text, HasSubstr("error: the agent 'robot' starts 'no-such-program-here', which is "
                              "not on PATH\n    install it, or change plan.agent.robot.command\n"));
  // The remedy works.
  repo.git(
      {"config", "--fixed-value", "--unset", "remote.origin.fetch", "+refs/plans/*:refs/plans/*"});
  EXPECT_THAT(repo.plan({"doctor"}).out, Not(HasSubstr("refs/plans")));
}

// Its ledger and its message are in the caches, and the commit that they are of is gone.
TEST(Doctor, APlanWhoseTipIsGoneIsSaidEverywhere) {
  WorkRepo repo;
  repo.make_plan("lost", "    - {name: x, run: echo x >x}\n");
  repo.make_plan("kept", "    - {name: x, run: echo x >x}\n");
  EXPECT_EQ(repo.plan({"status", "lost"}).exit_status, 0);
  const std::string tip = repo.git({"rev-parse", "refs/plans/lost"});
  std::filesystem::remove(repo.path() / ".git/objects" / tip.substr(0, 2) / tip.substr(2));
  const std::string said = "cannot read refs/plans/lost: ";
  for (const Words& words : {Words{"list"}, Words{"list", "--tree"}, Words{"status"}}) {
    const ProcessResult result = repo.plan(words);
    EXPECT_EQ(result.exit_status, 0) << words.back();
    EXPECT_THAT(result.err, HasSubstr("warning: " + said)) << words.back();
    EXPECT_THAT(result.out, Not(HasSubstr("lost"))) << words.back();
  }
  EXPECT_THAT(repo.plan({"list", "--tree"}).out, HasSubstr("kept"));
  for (const char* command : {"status", "show", "why", "log", "diff", "execute"}) {
    const ProcessResult result = repo.plan({command, "lost"});
    EXPECT_EQ(result.exit_status, 1) << command;
    EXPECT_THAT(result.err, HasSubstr("error: refs/plans/lost: cannot read the commit " + tip))
        << command;
    EXPECT_THAT(result.err, HasSubstr("a fetch from another clone brings it back")) << command;
  }
  const ProcessResult quick = repo.plan({"doctor"});
  EXPECT_EQ(quick.exit_status, 1);
  EXPECT_THAT(quick.out, HasSubstr("error: " + said));
  const ProcessResult whole = repo.plan({"doctor", "--fsck"});
  EXPECT_EQ(whole.exit_status, 1);
  EXPECT_THAT(whole.out, HasSubstr("error: refs/plans/lost: cannot read the commit " + tip));
  EXPECT_THAT(whole.out, HasSubstr("1 error, 1 warning.\n"));
  EXPECT_THAT(whole.out, HasSubstr("warning: what is left over cannot be told: refs/plans/lost: "));
  // Which worktrees and logs are its own nobody knows now, so that all of them stay.
  EXPECT_EQ(repo.plan({"gc"}).exit_status, 1);
}

TEST(Doctor, VerboseListsEveryKey) {
  WorkRepo repo;
  repo.git({"config", "plan.maxForks", "7"});
  const std::string text = repo.plan({"doctor", "--verbose"}).out;
  EXPECT_THAT(text, ::testing::ContainsRegex("plan\\.maxForks +7 +3 +"));
}

TEST(Gc, HasNothingToDoAfterARun) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 0);
  EXPECT_EQ(repo.said({"gc"}), "0\nNothing to remove.\n");
}

TEST(Gc, RemovesWhatAVanishedPlanLeft) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x; exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 4);
  repo.git({"update-ref", "-d", "refs/plans/one"});
  repo.git({"config", "plan.gcAge", "0"});
  EXPECT_THAT(repo.said({"gc"}), HasSubstr("left the plan 'one': refs/plans/one was deleted; "));
  const std::string said = repo.said({"gc", "--dry-run"});
  EXPECT_THAT(said, HasSubstr("would remove worktree "));
  EXPECT_NE(repo.git({"worktree", "list", "--porcelain"}).find("worktree", 1), std::string::npos);
  EXPECT_THAT(repo.said({"gc"}), HasSubstr("removed worktree "));
  EXPECT_EQ(repo.git({"worktree", "list", "--porcelain"}).find("worktree", 1), std::string::npos);
  EXPECT_THAT(repo.said({"gc"}), Not(HasSubstr("worktree")));
}

// By mistake, perhaps: both ways back are told, and nothing of it goes meanwhile.
TEST(Gc, APlanWhoseRefIsGoneCanComeBack) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x; exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 4);
  const std::string tip = repo.git({"rev-parse", "refs/plans/one"});
  const std::string refs = repo.git({"for-each-ref", "refs/heads", "refs/plan-keep"});
  repo.git({"update-ref", "-d", "refs/plans/one"});
  const std::string command = "git update-ref refs/plans/one " + tip;
  const ProcessResult doctor = repo.plan({"doctor"});
  EXPECT_EQ(doctor.exit_status, 1);
  EXPECT_THAT(doctor.out,
              HasSubstr("error: refs/plans/one was deleted, and files of that plan are here\n    " +
                        command + "\n"));
  EXPECT_THAT(doctor.out, Not(HasSubstr("git plan gc")));
  EXPECT_EQ(repo.plan({"status", "one"}).err,
            "error: refs/plans/one is gone: it was deleted\n"
            "hint: '" +
                command + "' brings it back\n");
  EXPECT_EQ(repo.plan({"gc"}).out,
            "left the plan 'one': refs/plans/one was deleted; '" + command + "' brings it back\n");
  EXPECT_EQ(repo.git({"for-each-ref", "refs/heads", "refs/plan-keep"}), refs);
  repo.git({"update-ref", "refs/plans/one", tip});
  EXPECT_EQ(repo.said({"gc"}), "0\nNothing to remove.\n");
  EXPECT_EQ(repo.plan({"doctor"}).exit_status, 0);
  EXPECT_NE(repo.git({"worktree", "list", "--porcelain"}).find("worktree", 1), std::string::npos);
}

TEST(Gc, LeavesAResultThatHasNotLanded) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x}\n");
  EXPECT_EQ(repo.plan({"execute", "one", "--no-land"}).exit_status, 0);
  const std::string tip = repo.git({"rev-parse", "plan/one/integration"});
  EXPECT_EQ(repo.run({"git", "-c", "plan.gcAge=0", "plan", "gc"}).exit_status, 0);
  EXPECT_EQ(repo.git({"rev-parse", "plan/one/integration"}), tip);
  EXPECT_NE(repo.git({"for-each-ref", "refs/plan-keep"}), "");
}

TEST(Gc, RemovesOldLogsButNotWork) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo said; echo x >x; exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 4);
  const std::string id = repo.load("one").ledger.task("x").last()->id;
  EXPECT_EQ(repo.said({"gc"}), "0\nNothing to remove.\n");
  const ProcessResult gone = repo.run({"git", "-c", "plan.gcAge=0", "plan", "gc"});
  EXPECT_THAT(gone.out,
              HasSubstr("removed the log and the worktree " +
                        (repo.root() / "repo.plan/1").string() + " of one, x, attempt " + id));
  EXPECT_EQ(repo.plan({"attempts", "one", "x", "--revive", id, "--branch", "back"}).exit_status, 0);
  EXPECT_EQ(repo.git({"show", "back:x"}), "x");
}

}  // namespace
}  // namespace gitplan::test
