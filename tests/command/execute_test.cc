// execute: the looks before a run, what a pipe sees of one, how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two tasks change different lines of one file, a third waits for both.
constexpr const char* kMerging = R"(    - name: top
      description: Change the top
      run: sed -i 's/^2$/two/' src/a.txt
    - name: bottom
      description: Change the bottom
      run: sed -i 's/^19$/nineteen/' src/a.txt
    - name: count
      description: Count the lines
      run: wc -l <src/a.txt >count
      depends_on: [top, bottom]
)";

TEST(Execute, RunsWavesMergesAndLands) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  // One at a time, so that the lines of a pipe come in one order.
  EXPECT_EQ(repo.said({"execute", "lines", "--jobs", "1"}), R"(0
run <run> on <id> for main
top: started
top: finished after <time>, 1 file changed
bottom: started
bottom: finished after <time>, 1 file changed
wave 1: top, bottom
wave 1: auto-merged src/a.txt: lines 2 (top), 19 (bottom)
wave 1: merged 2 tasks
wave 1: committed <id>
count: started
count: finished after <time>, 1 file changed
wave 2: count
wave 2: merged 1 task
wave 2: committed <id>
landed on main: <id>

lines: completed, 3 of 3 tasks done, <time>
  wave 1  <id>  top, bottom
  wave 2  <id>  count
Landed on main as <id>.
What each task left: git plan output lines
)");
  EXPECT_EQ(repo.read("count"), "20\n");
  EXPECT_EQ(repo.git({"log", "--format=%s", "main"}),
            "Count the lines\nChange the top (+1)\nStart");
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
  EXPECT_EQ(repo.said({"execute", "lines"}),
            "2\nerror: the plan is completed\n"
            "hint: git plan create --from lines starts a new one\n");
}

TEST(Execute, AReaderThatGoesAwayDoesNotEndTheRun) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  const ProcessResult piped = repo.run({"sh", "-c", "git plan execute lines --jobs 1 | head -n 1"});
  EXPECT_THAT(piped.out, ::testing::StartsWith("run "));
  EXPECT_THAT(piped.err, HasSubstr("cannot write standard output: Broken pipe"));
  EXPECT_THAT(repo.said({"status", "lines"}), HasSubstr("lines: completed, 3 of 3 tasks done"));
}

TEST(Execute, DryRunShowsLevelsAndWritesNothing) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  const std::string refs = repo.git({"for-each-ref"});
  EXPECT_EQ(repo.said({"execute", "lines", "--dry-run"}), R"(0
  ok      definition  3 tasks on 2 levels
  ok      trust       written or read here
  ok      state       active
  ok      repository  main at <id>
  ok      agents      run

Level 1
  top     forked  run  brief <size>
  bottom  forked  run  brief <size>

Level 2
  count  forked  run  brief <size>

At most 3 at once. Lands on main: one commit a wave, at the end.
)");
  const auto json =
      nlohmann::json::parse(repo.plan({"execute", "lines", "--dry-run", "--json"}).out);
  EXPECT_EQ(json["levels"].size(), 2u);
  EXPECT_EQ(json["levels"][0]["tasks"][0]["branch"], "plan/lines/top");
  EXPECT_EQ(json["land"], "end");
  EXPECT_EQ(repo.git({"for-each-ref"}), refs);
  EXPECT_EQ(repo.git({"worktree", "list", "--porcelain"}).find("worktree", 1), std::string::npos);
}

TEST(Execute, NamesEveryKeyThatItCannotHonour) {
  WorkRepo repo;
  repo.make_plan("gated", R"(    - name: deploy
      run: "true"
      contract: builder
    - name: other
      contract: builder
)");
  const std::string said = repo.said({"execute", "gated", "--yes"});
  EXPECT_THAT(said, HasSubstr("2\n"));
  EXPECT_THAT(said, HasSubstr("plan.md:8:7: error: 'contract' of task 'deploy'"));
  EXPECT_THAT(said, HasSubstr("plan.md:10:7: error: 'contract' of task 'other'"));
  EXPECT_THAT(said, HasSubstr("the plan asks for what a run cannot do: nothing was started"));
}

TEST(Execute, AnIntegrationBranchOfTheUsersIsNotTaken) {
  WorkRepo repo;
  repo.make_plan("x", "    - {name: one, run: \"echo 1 >one\"}\n");
  repo.git({"checkout", "-q", "-b", "plan/x/integration"});
  repo.write("mine.txt", "mine\n");
  repo.commit("Not for main");
  repo.git({"checkout", "-q", "main"});
  EXPECT_THAT(repo.said({"execute", "x", "--yes"}),
              HasSubstr("error: the branch 'plan/x/integration' is at <id>, which no wave of this "
                        "plan made\nhint: git branch -m plan/x/integration <other name>"));
  repo.git({"branch", "-m", "plan/x/integration", "other"});
  EXPECT_EQ(repo.plan({"execute", "x", "--yes"}).exit_status, 0);
  EXPECT_FALSE(repo.exists("mine.txt"));
}

TEST(Execute, ATaskThatCannotStartSaysWhy) {
  WorkRepo repo;
  repo.make_plan("x",
                 "    - {name: p, run: \"echo 1 >p\"}\n"
                 "    - {name: q, run: \"echo 1 >q\", depends_on: [p]}\n");
  const std::string said = repo.said({"execute", "x", "--task", "q", "--yes"});
  EXPECT_THAT(said, HasSubstr("130\n"));
  EXPECT_THAT(said, HasSubstr("'q' cannot start: 'git plan why x q' says why.\n"));
}

TEST(Execute, AModeFromTheCommandLineCounts) {
  WorkRepo repo;
  repo.make_plan("modes", "    - {name: one, mode: inline, run: \"echo 1 >one\"}\n");
  EXPECT_EQ(repo.plan({"execute", "modes", "--mode", "forked"}).exit_status, 0);
  EXPECT_EQ(repo.read("one"), "1\n");
  EXPECT_EQ(repo.load("modes").ledger.task("one").last()->mode, "forked");
}

TEST(Execute, RefusesWhatTheRepositoryIsNotReadyFor) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  repo.git({"branch", "plan"});
  EXPECT_THAT(repo.said({"execute", "lines"}),
              HasSubstr("error: the branch 'plan' is in the way of the branches plan/lines/"));
  repo.git({"branch", "-m", "plan", "other"});
  EXPECT_EQ(repo.said({"execute", "lines", "--task", "tops"}),
            "2\nerror: there is no task 'tops' in plan 'lines'\nhint: did you mean 'top'?\n");
  repo.make_plan("robots", "    - {name: think, description: Think, agent: nobody}\n");
  EXPECT_THAT(repo.said({"execute", "robots"}), HasSubstr("plan.agent.nobody.command"));
}

TEST(Execute, AnotherPlanOnTheSameFilesIsAWarning) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: \"true\", files: [src]}\n");
  repo.make_plan("two", "    - {name: y, run: \"echo y >y\", files: [src/a.txt]}\n");
  const ProcessResult result = repo.plan({"execute", "two"});
  EXPECT_EQ(result.err, "warning: other plans touch the same files: one (active)\n");
  EXPECT_EQ(result.exit_status, 0);
}

TEST(Execute, AFailureIsADecisionWithItsLog) {
  WorkRepo repo;
  repo.make_plan("broken", R"(    - name: bad
      description: Fail
      run: echo compiling; echo 'no such thing'; exit 3
    - name: after
      run: "true"
      depends_on: [bad]
)");
  EXPECT_EQ(repo.said({"execute", "broken"}), R"(4
run <run> on <id> for main
bad: started
bad: failed after <time>: its command ended with status 3
decision <decision>: 'bad' failed: its command ended with status 3

broken: paused, 0 of 2 tasks done, <time>

Decision <decision>: failed, task bad
  what    'bad' failed: its command ended with status 3
  log     | compiling
          | no such thing
  why     Its command ended with status 3.
  impact  Blocked: 'after'. Independent tasks go on.
  options
    retry  start it again                                 git plan resolve broken <decision> retry
    edit   edit the plan, then start it again             git plan resolve broken <decision> edit
    skip   go on without it: unblocks what depends on it  git plan resolve broken <decision> skip
    abort  end the plan here; everything done is kept     git plan resolve broken <decision> abort

Answer, then go on: git plan execute broken
)");
  EXPECT_EQ(repo.said({"resolve", "broken", "bad", "skip"}),
            "0\nAnswered decision <decision> of 'broken': skip.\n"
            "Go on: git plan execute broken\n");
  EXPECT_EQ(repo.plan({"execute", "broken"}).exit_status, 0);
  EXPECT_EQ(repo.said({"why", "broken", "bad"}).substr(0, 16), "0\nbad  done  ski");
}

TEST(Execute, SomeTasksAloneAreASuccess) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  EXPECT_EQ(repo.said({"execute", "lines", "--task", "top"}), R"(0
run <run> on <id> for main
top: started
top: finished after <time>, 1 file changed
wave 1: top
wave 1: merged 1 task
wave 1: committed <id>
landed on main: <id>

lines: done as asked, 1 of 3 tasks done, <time>
  wave 1  <id>  top
Landed on main as <id>.
2 tasks left: bottom, count. Go on: git plan execute lines
)");
  EXPECT_THAT(repo.said({"execute", "lines"}), HasSubstr("lines: completed, 3 of 3 tasks done"));
}

TEST(Execute, FaultsAreSaidInOneOrderEverywhere) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  repo.plan({"trust", "lines", "--revoke"});
  repo.git({"branch", "plan"});
  const ProcessResult text = repo.plan({"execute", "lines", "--task", "tops"});
  const ProcessResult json = repo.plan({"execute", "lines", "--task", "tops", "--json"});
  const ProcessResult dry = repo.plan({"execute", "lines", "--task", "tops", "--dry-run"});
  const ProcessResult dry_json =
      repo.plan({"execute", "lines", "--task", "tops", "--dry-run", "--json"});
  for (const ProcessResult* each : {&text, &json, &dry, &dry_json}) EXPECT_EQ(each->exit_status, 2);
  const std::string all = nlohmann::json::parse(json.out)["errors"].dump();
  EXPECT_EQ(nlohmann::json::parse(dry_json.out)["errors"].dump(), all);
  EXPECT_EQ(nlohmann::json::parse(json.out)["error"]["message"],
            "there is no task 'tops' in plan 'lines'");
  for (const std::string& said : {text.err, json.err, all, dry.out, dry_json.out}) {
    const std::size_t task = said.find("there is no task 'tops'");
    const std::size_t trust = said.find("trust in this plan was revoked here");
    const std::size_t branch = said.find("the branch 'plan' is in the way");
    EXPECT_LT(task, trust) << said;
    EXPECT_LT(trust, branch) << said;
    EXPECT_NE(branch, std::string::npos) << said;
  }
}

TEST(Execute, TheSubjectIsTheUsersTemplate) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  repo.git({"config", "plan.subject", "[{plan}/{wave}] {task}: {description} {{}"});
  EXPECT_EQ(repo.plan({"execute", "lines"}).exit_status, 2) << "'{{}' is no token";
  repo.git({"config", "plan.subject", "[{plan}/{wave}] {title}, {task}"});
  EXPECT_EQ(repo.plan({"execute", "lines"}).exit_status, 0);
  EXPECT_THAT(repo.git({"log", "--format=%s", "main"}), HasSubstr("[lines/1] lines, top (+1)\n"));
}

TEST(Execute, APlanThatChangedNothingHasNothingToLand) {
  WorkRepo repo;
  repo.make_plan("idle", "    - {name: look, run: \"true\"}\n");
  const ProcessResult result = repo.plan({"execute", "idle"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.out, Not(HasSubstr("git merge")));
}

TEST(Execute, WrongSettingsAreSaidBeforeAnythingStarts) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  repo.git({"config", "plan.maxLog", "0"});
  repo.git({"config", "plan.maxForks", "many"});
  repo.git({"config", "plan.land", "sometimes"});
  repo.git({"config", "plan.worktreeRoot", "/dev/null"});
  const ProcessResult dry = repo.plan({"execute", "lines", "--dry-run"});
  const ProcessResult run = repo.plan({"execute", "lines"});
  for (const ProcessResult* each : {&dry, &run}) EXPECT_EQ(each->exit_status, 2);
  for (const std::string& said : {dry.out, run.err}) {
    EXPECT_THAT(said, HasSubstr("configuration plan.maxLog = '0' must be a number of bytes, as "
                                "512k or 64m, 4096 or more"));
    EXPECT_THAT(said, HasSubstr("configuration plan.maxForks = 'many' must be a whole number"));
    EXPECT_THAT(said, HasSubstr("configuration plan.land = 'sometimes' must be one of"));
    EXPECT_THAT(said, HasSubstr("plan.worktreeRoot: '/dev/null' cannot be made or written"));
    EXPECT_THAT(said, HasSubstr("hint: set plan.worktreeRoot to a directory that can be written"));
  }
  EXPECT_EQ(repo.git({"for-each-ref", "refs/heads/plan"}), "");
}

TEST(Execute, ADryRunSaysWhatHoldsATask) {
  WorkRepo repo;
  repo.make_plan("held",
                 R"(    - {name: asked, run: "true", approval_gate: true, locks: [database, net]}
    - {name: shown, run: "true", checkpoint: human_verify}
    - {name: plain, run: "true"}
)");
  const std::string said = repo.said({"execute", "held", "--dry-run"});
  EXPECT_THAT(said, HasSubstr("waits for approval, locks database, net\n"));
  EXPECT_THAT(said, HasSubstr("checkpoint human_verify\n"));
  const auto tasks = nlohmann::json::parse(
      repo.plan({"execute", "held", "--dry-run", "--json"}).out)["levels"][0]["tasks"];
  EXPECT_EQ(tasks[0]["approval_gate"], true);
  EXPECT_EQ(tasks[0]["locks"], nlohmann::json({"database", "net"}));
  EXPECT_EQ(tasks[1]["checkpoint"], "human_verify");
  EXPECT_EQ(tasks[2]["checkpoint"], "none");
}

TEST(Execute, ADryRunNamesTheDecisionThatHoldsEverything) {
  WorkRepo repo;
  repo.make_plan("broken", R"(    - {name: bad, run: exit 3}
    - {name: after, run: "true", depends_on: [bad]}
)");
  EXPECT_EQ(repo.plan({"execute", "broken"}).exit_status, 4);
  EXPECT_EQ(repo.said({"execute", "broken", "--dry-run"}), R"(0
  ok      definition  no task would start
  ok      trust       written or read here
  ok      state       paused
  warning decisions   1 decision is open: git plan resolve broken
          <decision>: 'bad' failed: its command ended with status 3
  ok      repository  main at <id>
)");
  EXPECT_THAT(repo.said({"execute", "broken", "--dry-run", "--resume"}),
              HasSubstr("ok      definition  2 tasks on 2 levels\n"));
}

TEST(Execute, SeveralDecisionsStandOneLineApartAndWhatStaysIsSaid) {
  WorkRepo repo;
  repo.make_plan("broken", R"(    - {name: bad, run: exit 3}
    - {name: worse, run: exit 4}
)");
  const std::string said = repo.said({"execute", "broken", "--jobs", "1"});
  EXPECT_THAT(said, Not(HasSubstr("\n\n\n")));
  EXPECT_THAT(said, HasSubstr("abort\n\nDecision <decision>: failed, task worse\n"));
  const auto json = nlohmann::json::parse(repo.plan({"resolve", "broken", "--json"}).out);
  for (const auto& decision : json["decisions"])
    EXPECT_EQ(repo.plan({"resolve", "broken", decision["id"], "skip"}).exit_status, 0);
  EXPECT_THAT(
      repo.said({"execute", "broken"}),
      HasSubstr("Left for a look; 'git plan gc' removes it when it is older than plan.gcAge:\n"
                "  bad, attempt <attempt>: <root>/repo.plan/1, branch plan/broken/bad\n"));
}

TEST(Execute, JsonIsTheStatusAtTheEnd) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  const ProcessResult result = repo.plan({"execute", "lines", "--json", "--no-land"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["plan"]["state"], "completed");
  EXPECT_EQ(json["waves"].size(), 2u);
  EXPECT_EQ(json["waves"][0]["auto_merged"][0]["path"], "src/a.txt");
  EXPECT_THAT(result.err, HasSubstr("wave 1: merged 2 tasks\n"));
  EXPECT_EQ(repo.git({"log", "--format=%s", "main"}), "Start");
}

// Whether it says who it is or not.
TEST(Execute, ATaskCannotChangeWhatTheSameRunStarts) {
  for (const std::string hidden : {"", "env -u PLAN_TASK "}) {
    WorkRepo repo;
    repo.make_plan("two", "    - name: one\n      run: \"" + hidden +
                              "git plan update two --set 'two.run=echo other >two' --yes; " +
                              "echo $? >one; " + hidden + "git plan abort two; echo $? >>one\"\n" +
                              "    - {name: two, run: echo own >two, depends_on: [one]}\n");
    const ProcessResult result = repo.plan({"execute", "two"});
    EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
    EXPECT_EQ(repo.read("two"), "own\n");
    EXPECT_EQ(repo.read("one"), "2\n2\n");
    EXPECT_EQ(repo.load("two").plan.find("two")->run, "echo own >two");
  }
}

TEST(Execute, TheEnvironmentOfATaskIsNotLeftInFiles) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: one, run: echo x >one}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}, {.env = {{"MY_TOKEN", "hunter2"}}}).exit_status, 0);
  EXPECT_EQ(repo.run({"grep", "-r", "hunter2", "."}).exit_status, 1);
}

TEST(Execute, IsRefusedInsideATask) {
  WorkRepo repo;
  repo.make_plan("lines", kMerging);
  const std::string said = repo.said({"execute", "lines"}, {.env = {{"PLAN_TASK", "top"}}});
  EXPECT_THAT(said, HasSubstr("'git plan execute' is refused inside a task ('top')"));
}

}  // namespace
}  // namespace gitplan::test
