// next, done and fail: tasks that are worked on by hand, beside a run or without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kTwo = R"(    - name: notes
      description: Write the notes
      agent: none
      expects: [notes.txt]
      checks: ["grep -q ready notes.txt"]
    - name: after
      description: Read the notes
      agent: none
      depends_on: [notes]
)";

class ByHand : public ::testing::Test {
 protected:
  json claimed(const std::string& plan, const Words& more = {}) {
    Words words{"next", plan, "--claim", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = repo.plan(words);
    EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
    return json::parse(result.out, nullptr, false);
  }
  static void leave(const json& claim, const std::string& name, const std::string& text) {
    std::ofstream(claim["worktree"].get<std::string>() + "/" + name) << text;
  }
  // As if its time had passed.
  void expire(const std::string& plan, const std::string& task) {
    repo.append(plan, {AttemptRenewed{task, repo.load(plan).ledger.task(task).last()->id, 1000}});
  }
  TaskStatus status(const std::string& plan, const std::string& task) {
    return repo.load(plan).ledger.task(task).status;
  }
  void until(const std::function<bool()>& condition) {
    for (int left = 600; left > 0 && !condition(); --left)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(condition());
  }

  WorkRepo repo;
};

TEST_F(ByHand, IsListedTakenProvedAndLanded) {
  repo.make_plan("p", kTwo);
  EXPECT_EQ(repo.said({"next"}), "0\nnotes  Write the notes\n");
  const json listed = json::parse(repo.plan({"next", "p", "--json"}).out);
  EXPECT_EQ(listed["ready"], json::array({"notes"}));
  EXPECT_EQ(listed["held"], nullptr);
  EXPECT_EQ(listed["tasks"][1]["why"], "'after' cannot be taken: waits for 'notes' (pending)");

  EXPECT_THAT(repo.said({"next", "p", "--claim"}),
              ::testing::MatchesRegex("0\nnotes, attempt <attempt>: Write the notes\n"
                                      "  work in  <root>[^\n]*\n"
                                      "  brief    <root>[^\n]*/brief.md\n"
                                      "  until    [^\n]*<when> UTC; git plan next p --renew notes\n"
                                      "  then     git plan done p notes\n"
                                      "  or       git plan fail p notes <reason>\n"));
  EXPECT_THAT(repo.said({"status", "p"}),
              HasSubstr("is worked on by hand since <when>, lease until"));
  EXPECT_THAT(repo.said({"why", "p", "notes"}), HasSubstr("is worked on by hand since"));
  EXPECT_THAT(repo.said({"log", "p"}), HasSubstr("notes: taken by hand, lease until"));
  EXPECT_THAT(repo.said({"attempts", "p"}), HasSubstr("hand"));
  const json shown = json::parse(repo.plan({"attempts", "p", "--json"}).out)["attempts"][0];
  EXPECT_EQ(shown["run"], nullptr);
  EXPECT_NE(shown["lease"], nullptr);
  const std::string tree = shown["worktree"];

  // What is missing is named, and the task stays taken.
  EXPECT_THAT(repo.said({"done", "p", "notes"}),
              HasSubstr("1\nerror: 'notes' is not done: it changed nothing; 'notes.txt', which it "
                        "should leave, is not there; "));
  std::ofstream(tree + "/notes.txt") << "draft\n";
  EXPECT_THAT(repo.said({"done", "p"}, {.cwd = tree}),
              HasSubstr("1\nerror: 'notes' is not done: 'grep -q ready notes.txt' failed"));
  EXPECT_EQ(status("p", "notes"), TaskStatus::kRunning);
  std::ofstream(tree + "/notes.txt") << "ready\n";
  EXPECT_THAT(repo.said({"done", "p", "--summary", "It is in notes.txt"}, {.cwd = tree}),
              HasSubstr("p: done as asked, 1 of 2 tasks done"));
  EXPECT_EQ(status("p", "notes"), TaskStatus::kCompleted);
  EXPECT_FALSE(std::filesystem::exists(tree));
  EXPECT_THAT(repo.said({"output", "p", "notes"}), HasSubstr("It is in notes.txt"));

  const json after = claimed("p");
  EXPECT_EQ(after["task"], "after");
  EXPECT_THAT(after["brief"]["text"].get<std::string>(), HasSubstr("It is in notes.txt"));
  EXPECT_EQ(after["environment"]["PLAN_TASK"], "after");
  leave(after, "read.txt", "yes\n");
  // The user's branch moves, also when it is said in the task's own tree.
  EXPECT_THAT(repo.said({"done", "p"}, {.cwd = after["worktree"].get<std::string>()}),
              HasSubstr("p: completed, 2 of 2 tasks done"));
  EXPECT_EQ(repo.read("notes.txt"), "ready\n");
  EXPECT_EQ(repo.read("read.txt"), "yes\n");
  EXPECT_EQ(repo.git({"for-each-ref", "--format=%(refname)", "refs/heads"}), "refs/heads/main");
  EXPECT_THAT(repo.said({"next", "p"}), HasSubstr("0\nNothing is ready: the plan is completed"));
}

TEST_F(ByHand, ManyWhoClaimAtOnceGetDifferentTasks) {
  std::string tasks;
  for (int i = 0; i < 8; ++i)
    tasks += "    - name: t" + std::to_string(i) + "\n      agent: none\n";
  repo.make_plan("p", tasks);
  std::vector<std::string> got(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const ProcessResult result = repo.plan({"next", "p", "--claim", "--json"});
      got[i] =
          result.exit_status == 0 ? json::parse(result.out)["task"].get<std::string>() : result.err;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(got.begin(), got.end()),
            (std::set<std::string>{"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"}));
  EXPECT_THAT(repo.said({"next", "p", "--claim"}),
              HasSubstr("1\nerror: no task of plan 'p' can be taken now: 't0' is claimed by"));
}

TEST_F(ByHand, OfManyWhoClaimOneTaskOneGetsIt) {
  repo.make_plan("p", kTwo);
  std::vector<ProcessResult> results(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      results[i] = repo.plan({"next", "p", "--claim", "--task", "notes"});
    });
  for (std::thread& thread : threads) thread.join();
  int won = 0;
  for (const ProcessResult& result : results) {
    won += result.exit_status == 0;
    if (result.exit_status == 0) continue;
    EXPECT_EQ(result.exit_status, 1);
    EXPECT_THAT(scrubbed(result.err), HasSubstr("error: 'notes' is claimed by attempt <attempt> "
                                                "since <when>, lease until"));
  }
  EXPECT_EQ(won, 1);
  EXPECT_EQ(repo.load("p").ledger.task("notes").attempts.size(), 1u);
  EXPECT_TRUE(repo.load("p").ledger.misfits.empty());
}

TEST_F(ByHand, AnExpiredLeaseGivesTheTaskToTheNextAndKeepsTheWork) {
  repo.make_plan("p", kTwo);
  const json first = claimed("p");
  leave(first, "half.txt", "half\n");
  expire("p", "notes");
  EXPECT_EQ(repo.said({"next", "p"}), "0\nnotes  Write the notes\n");
  const json second = claimed("p", {"--task", "notes"});
  EXPECT_NE(first["attempt"], second["attempt"]);
  const Attempt lost = repo.load("p").ledger.task("notes").attempts[0];
  EXPECT_EQ(lost.outcome, "lost");
  EXPECT_EQ(lost.error, "its lease ended");
  EXPECT_EQ(repo.git({"show", lost.commit + ":half.txt"}), "half");
  EXPECT_THAT(repo.said({"attempts", "p"}), HasSubstr("lost"));

  // Whoever had it is told, in its tree and by its number.
  leave(first, "notes.txt", "ready\n");
  const std::string over =
      "2\nerror: attempt <attempt> of 'notes' is over: lost, its lease ended\n"
      "hint: its work is kept: git plan attempts p notes\n";
  EXPECT_EQ(repo.said({"done", "p"}, {.cwd = first["worktree"].get<std::string>()}), over);
  EXPECT_EQ(repo.said({"done", "p", "notes", "--attempt", first["attempt"]}), over);
  EXPECT_EQ(
      repo.said({"next", "p", "--renew", "notes"}, {.cwd = first["worktree"].get<std::string>()}),
      over);
  EXPECT_EQ(status("p", "notes"), TaskStatus::kRunning);
}

TEST_F(ByHand, RenewingPutsTheEndOff) {
  repo.make_plan("p", kTwo);
  repo.git({"config", "plan.lease", "5"});
  claimed("p");
  expire("p", "notes");
  EXPECT_THAT(repo.said({"next", "p", "--renew", "notes"}),
              HasSubstr("0\nnotes, attempt <attempt>: until"));
  const Attempt* attempt = repo.load("p").ledger.task("notes").claimed();
  ASSERT_NE(attempt, nullptr);
  EXPECT_THAT(repo.said({"next", "p", "--claim", "--task", "notes"}), HasSubstr("is claimed by"));
  EXPECT_THAT(repo.said({"next", "p", "--renew", "after"}),
              HasSubstr("2\nerror: 'after' is not worked on by hand: it is pending"));
}

TEST_F(ByHand, GivingUpFailsAndGivingBackDoesNot) {
  repo.make_plan("p", kTwo);
  json claim = claimed("p");
  leave(claim, "half.txt", "half\n");
  EXPECT_THAT(repo.said({"fail", "p", "notes", "--release"}),
              HasSubstr("0\nGave 'notes' back; it can be taken again.\nIts work is kept as <id>"));
  EXPECT_EQ(status("p", "notes"), TaskStatus::kPending);
  claim = claimed("p");
  EXPECT_EQ(repo.said({"fail", "p", "no idea"}, {.cwd = claim["worktree"].get<std::string>()}),
            "0\nEnded 'notes' as failed: no idea\n");
  EXPECT_EQ(status("p", "notes"), TaskStatus::kFailed);
  EXPECT_EQ(repo.load("p").ledger.task("notes").last()->error, "no idea");
  EXPECT_THAT(repo.said({"next", "p", "--claim"}),
              HasSubstr("'notes' cannot be taken: failed: no idea; 'after' cannot be taken: needs "
                        "'notes', which failed"));
  EXPECT_THAT(repo.said({"done", "p", "notes"}),
              HasSubstr("2\nerror: 'notes' is not worked on by hand: it is failed"));
  // By its name it can be had again.
  claim = claimed("p", {"--task", "notes"});
  EXPECT_EQ(repo.load("p").ledger.task("notes").attempts.size(), 3u);
  EXPECT_EQ(repo.said({"fail", "p", "notes", "--release"}),
            "0\nGave 'notes' back; it can be taken again.\n");
  EXPECT_FALSE(std::filesystem::exists(claim["worktree"].get<std::string>()));
}

TEST_F(ByHand, NoGateIsPassed) {
  repo.make_plan("p", "    - name: deploy\n      agent: none\n      approval_gate: true\n");
  EXPECT_THAT(repo.said({"next", "p"}),
              HasSubstr("Nothing is ready:\n  'deploy' waits for approval"));
  EXPECT_EQ(repo.said({"next", "p", "--claim", "--task", "deploy"}),
            "4\nerror: 'deploy' waits for approval\nhint: git plan approve p deploy\n");
  repo.git({"config", "plan.allowHeadlessApproval", "true"});
  repo.plan({"approve", "p", "deploy"});
  EXPECT_EQ(claimed("p")["task"], "deploy");

  repo.make_plan("q", "    - name: one\n      agent: none\n", "  waits_for: {plan: p}\n");
  EXPECT_THAT(repo.said({"next", "q", "--claim"}),
              HasSubstr("2\nerror: plan 'q' waits for the plan 'p': it is active, its task "
                        "'deploy' is running\n"));
  repo.make_plan("r",
                 "    - name: a\n      agent: none\n      locks: [db]\n"
                 "    - name: b\n      agent: none\n      locks: [db]\n");
  EXPECT_EQ(claimed("r")["task"], "a");
  EXPECT_THAT(repo.said({"next", "r", "--claim"}), HasSubstr("waits for the lock 'db'"));
  EXPECT_THAT(repo.said({"next"}), HasSubstr("2\nerror: several plans are active: p, q, r"));
}

TEST_F(ByHand, InItsWorktreeThePlanStillLandsWhereItWasTaken) {
  repo.make_plan("p", kTwo);
  const RunOptions inside{.cwd = claimed("p")["worktree"].get<std::string>()};
  EXPECT_THAT(repo.plan({"status", "p"}, inside).out, HasSubstr("\n  for main\n"));
  const json told = json::parse(repo.plan({"status", "p", "--json"}, inside).out);
  EXPECT_EQ(told["plan"]["target"], "main");
  const json dry = json::parse(repo.plan({"execute", "p", "-n", "--json"}, inside).out);
  EXPECT_EQ(dry["target"], "main");
}

TEST_F(ByHand, WhatIsNotTrustedIsNotHandedOut) {
  repo.make_plan("p", kTwo);
  repo.run({"git", "plan", "trust", "p", "--revoke"});
  EXPECT_THAT(repo.said({"next", "p", "--claim"}), HasSubstr("7\nerror: "));
  EXPECT_EQ(status("p", "notes"), TaskStatus::kPending);
}

TEST_F(ByHand, InsideATaskItIsForThatTaskOnly) {
  repo.make_plan("p", kTwo);
  const RunOptions inside{.env = {{"PLAN_TASK", "after"}, {"PLAN_ID", "p"}}};
  EXPECT_THAT(repo.said({"next", "p", "--claim"}, inside),
              HasSubstr("2\nerror: inside a task ('after') 'git plan next' is for that task only"));
  const json claim = claimed("p");
  leave(claim, "notes.txt", "ready\n");
  EXPECT_THAT(repo.said({"done", "p", "notes"}, inside), HasSubstr("for that task only"));
  EXPECT_THAT(repo.said({"fail", "p", "notes"}, inside), HasSubstr("for that task only"));
  const RunOptions own{.env = {{"PLAN_TASK", "notes"}, {"PLAN_ID", "p"}}};
  EXPECT_THAT(repo.said({"done", "p", "notes"}, own), ::testing::StartsWith("0\n"));
}

// A run goes on beside it, pauses for it, and another that is at work takes what is done.
TEST_F(ByHand, ARunLeavesItAloneAndIntegratesIt) {
  repo.make_plan("p", R"(    - name: mine
      agent: none
    - name: other
      run: echo other >other.txt; while [ ! -e "$GO" ]; do sleep 0.05; done
)");
  repo.git({"config", "plan.agent.none.command", "false"});
  const json claim = claimed("p", {"--task", "mine"});
  const std::string go = repo.root() / "go";
  ProcessResult run;
  std::thread executing([&] { run = repo.plan({"execute", "p", "--yes"}, {.env = {{"GO", go}}}); });
  until([&] { return status("p", "other") == TaskStatus::kRunning; });
  leave(claim, "mine.txt", "mine\n");
  const std::string said = repo.said({"done", "p", "mine"});
  EXPECT_THAT(said, ::testing::StartsWith("0\n"));
  EXPECT_THAT(said, HasSubstr("Run <run> is at work and integrates it."));
  std::ofstream(go).put('\n');
  executing.join();
  EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
  EXPECT_EQ(repo.read("mine.txt"), "mine\n");
  EXPECT_EQ(repo.read("other.txt"), "other\n");
  EXPECT_EQ(repo.load("p").ledger.task("mine").attempts.size(), 1u);
}

// The first of them runs the plan, and each of the others comes before or after its end.
TEST_F(ByHand, ManyThatAreDoneAtOnceAreAllIntegrated) {
  std::string tasks;
  for (int i = 0; i < 4; ++i)
    tasks += "    - name: t" + std::to_string(i) + "\n      agent: none\n";
  repo.make_plan("p", tasks);
  std::vector<json> claims;
  for (int i = 0; i < 4; ++i) {
    claims.push_back(claimed("p"));
    leave(claims.back(), "f" + std::to_string(i), "x\n");
  }
  std::vector<ProcessResult> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      results[i] = repo.plan({"done", "p", "t" + std::to_string(i)});
    });
  for (std::thread& thread : threads) thread.join();
  for (const ProcessResult& result : results)
    EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(status("p", "t" + std::to_string(i)), TaskStatus::kCompleted) << i;
    EXPECT_TRUE(repo.exists("f" + std::to_string(i))) << i;
  }
  EXPECT_TRUE(repo.load("p").ledger.misfits.empty());
}

TEST_F(ByHand, ARunThatCanOnlyWaitPausesAndSaysForWhom) {
  repo.make_plan("p", kTwo);
  repo.git({"config", "plan.agent.none.command", "false"});
  claimed("p");
  EXPECT_THAT(repo.said({"execute", "p", "--yes"}),
              ::testing::ContainsRegex("'notes' is worked on by hand until .*<when>\\."));
  EXPECT_EQ(status("p", "notes"), TaskStatus::kRunning);
  // And when its time is over the run has it.
  expire("p", "notes");
  EXPECT_THAT(repo.said({"execute", "p", "--yes"}), HasSubstr("notes: lost after"));
  EXPECT_EQ(repo.load("p").ledger.task("notes").attempts.size(), 2u);
}

TEST_F(ByHand, CancelAndAbortLeaveItAlone) {
  const std::string go = repo.root() / "go";
  repo.make_plan("p", R"(    - name: mine
      agent: none
    - name: other
      run: while [ ! -e "$GO" ]; do sleep 0.05; done; echo other >other.txt
)");
  repo.git({"config", "plan.agent.none.command", "false"});
  const json claim = claimed("p", {"--task", "mine"});
  const std::string left =
      "'mine' is worked on by hand and is left alone: 'git plan fail p mine' ends it.\n";
  ProcessResult run;
  std::thread executing([&] { run = repo.plan({"execute", "p", "--yes"}, {.env = {{"GO", go}}}); });
  until([&] { return status("p", "other") == TaskStatus::kRunning; });
  EXPECT_THAT(repo.said({"cancel", "p"}), ::testing::EndsWith(left));
  executing.join();
  EXPECT_EQ(run.exit_status, 130) << run.out << run.err;
  EXPECT_EQ(repo.said({"abort", "p"}), "0\nAborted plan 'p'; what is done is kept.\n" + left);
  EXPECT_EQ(status("p", "mine"), TaskStatus::kRunning);

  leave(claim, "mine.txt", "mine\n");
  EXPECT_EQ(repo.said({"done", "p", "mine"}),
            "0\nFinished 'mine': 1 file changed.\n"
            "The plan is aborted: 'git plan execute p' integrates it.\n");
  EXPECT_EQ(status("p", "mine"), TaskStatus::kFinished);
  std::ofstream(go).put('\n');
  const ProcessResult again =
      repo.plan({"execute", "p", "--yes", "--resume"}, {.env = {{"GO", go}}});
  EXPECT_EQ(again.exit_status, 0) << again.out << again.err;
  EXPECT_EQ(repo.read("mine.txt"), "mine\n");
  EXPECT_EQ(repo.read("other.txt"), "other\n");
  EXPECT_EQ(repo.load("p").ledger.task("mine").attempts.size(), 1u);
}

TEST_F(ByHand, ASpentBudgetHoldsIt) {
  repo.make_plan("p", "    - {name: dear, agent: none, budget_usd: 1}\n");
  AttemptStarted started;
  started.task = "dear";
  started.attempt = "aaaaaaaaaaaa.1";
  started.lease = 1;
  AttemptEnded ended;
  ended.task = "dear";
  ended.attempt = "aaaaaaaaaaaa.1";
  ended.outcome = "lost";
  ended.cost_usd = 2;
  repo.append("p", {started, ended});
  EXPECT_THAT(repo.said({"next", "p", "--claim", "--task", "dear"}),
              HasSubstr("4\nerror: 'dear' has spent its budget\n"));
  EXPECT_EQ(status("p", "dear"), TaskStatus::kPending);
}

// Such a task has no tree of its own.
TEST_F(ByHand, OnlyForkedTasksAreHandedOut) {
  repo.make_plan("p", "    - {name: here, agent: none, mode: inline}\n");
  const std::string said = repo.said({"next", "p", "--claim", "--task", "here"});
  EXPECT_THAT(said, ::testing::StartsWith("2\nerror: "));
  EXPECT_THAT(said, HasSubstr("inline"));
  EXPECT_EQ(status("p", "here"), TaskStatus::kPending);
}

TEST_F(ByHand, AFailedSetupEndsTheAttempt) {
  repo.make_plan("p", kTwo, "  setup: [\"exit 3\"]\n");
  EXPECT_THAT(repo.said({"next", "p", "--claim"}),
              HasSubstr("1\nerror: 'notes' was not taken: setup 'exit 3' failed with status 3"));
  EXPECT_EQ(repo.load("p").ledger.task("notes").last()->failure, "setup");
}

TEST_F(ByHand, OptionsThatDoNotFitAreRefused) {
  repo.make_plan("p", kTwo);
  EXPECT_THAT(repo.said({"next", "p", "--task", "notes"}),
              HasSubstr("129\nerror: option '--task' needs '--claim'"));
  EXPECT_THAT(repo.said({"next", "p", "--claim", "--renew", "notes"}), HasSubstr("129\n"));
  EXPECT_THAT(repo.said({"done", "p"}),
              HasSubstr("2\nerror: 'git plan done' needs a task outside of its worktree"));
  EXPECT_THAT(repo.said({"next", "p", "--claim", "--task", "note"}),
              HasSubstr("did you mean 'notes'?"));
}

}  // namespace
}  // namespace gitplan::test
