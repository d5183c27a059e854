// status and why: what they print of plans in every stage, without and with a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kThree = R"(    - name: parser
      run: "true"
    - name: lexer
      run: "true"
    - name: docs
      run: "true"
      depends_on: [parser, lexer]
)";

AttemptStarted started(const std::string& task, const std::string& attempt) {
  AttemptStarted event;
  event.run = "r1";
  event.task = task;
  event.attempt = attempt;
  event.agent = "run";
  event.mode = "forked";
  event.branch = "refs/heads/plan/tools/" + task;
  event.minutes = 30;
  return event;
}

AttemptEnded ended(const std::string& task, const std::string& attempt,
                   const std::string& outcome) {
  AttemptEnded event;
  event.run = "r1";
  event.task = task;
  event.attempt = attempt;
  event.outcome = outcome;
  return event;
}

RunStarted run_started(const WorkRepo& repo) {
  RunStarted event;
  event.run = "r1";
  event.target = "refs/heads/main";
  event.target_tip = event.base = repo.git({"rev-parse", "HEAD"});
  event.land = "end";
  event.jobs = 2;
  return event;
}

TEST(Status, SaysWhereThereIsNothing) {
  WorkRepo repo;
  EXPECT_EQ(repo.said({"status"}),
            "0\nNo plan runs, waits or has a decision. 'git plan list' shows all plans.\n");
  EXPECT_EQ(repo.said({"status", "nothing"}).substr(0, 2), "2\n");
  EXPECT_EQ(repo.said({"status", "--watch"}),
            "129\nerror: option '--watch' needs a plan\nhint: git plan status <plan> --watch\n");
}

TEST(Status, ShowsAPlanThatHasNotStarted) {
  WorkRepo repo;
  repo.make_plan("tools", kThree);
  EXPECT_EQ(repo.said({"status", "tools"}), R"(0
tools: active, 0 of 3 tasks done
  tools
  for main

  task    status   why
  parser  ready
  lexer   ready
  docs    waiting  waits for 'parser' (pending); waits for 'lexer' (pending)
)");
  EXPECT_EQ(repo.said({"status", "tools", "--task", "parse"}),
            "2\nerror: there is no task 'parse' in plan 'tools'\nhint: did you mean 'parser'?\n");
}

TEST(Status, ShowsARunWithAFailureAndADecision) {
  WorkRepo repo;
  repo.make_plan("tools", kThree);
  AttemptEnded failure = ended("lexer", "a.1", "failed");
  failure.failure = "task";
  failure.exit_code = 3;
  failure.error = "exit status 3";
  DecisionAsked asked;
  asked.decision = "d12345";
  asked.kind = "failed";
  asked.task = "lexer";
  asked.tasks = {"lexer"};
  asked.run = "r1";
  asked.what = "'lexer' failed: exit status 3";
  asked.why = "Its command ended with status 3.";
  asked.impact = "Blocked: 'docs'. Independent tasks go on.";
  asked.options = {{"retry", "start it again", ""}, {"skip", "go on without it", "it cannot be"}};
  repo.append("tools", {run_started(repo), started("parser", "a.1"), started("lexer", "a.1"),
                        failure, asked});
  EXPECT_EQ(repo.said({"status", "tools"}), R"(0
tools: interrupted, 0 of 3 tasks done
  tools
  for main
  its executor is gone; 'git plan execute tools' goes on

  task    status   time  why
  parser  running  <time>is running
  lexer   failed   <time>failed: exit status 3
  docs    blocked        waits for 'parser' (running); needs 'lexer', which failed

Decision <decision>: failed, task lexer
  what    'lexer' failed: exit status 3
  why     Its command ended with status 3.
  impact  Blocked: 'docs'. Independent tasks go on.
  options
    retry  start it again  git plan resolve tools <decision> retry
    skip: not possible, it cannot be
)");
  EXPECT_EQ(repo.said({"status"}), R"(0
plan   state        done  decisions  title
tools  interrupted  0/3   1          tools
)");
  EXPECT_EQ(repo.said({"why", "tools"}), R"(0
parser  active   is running
lexer   stopped  failed: exit status 3; decision <decision>
docs    blocked  waits for 'parser' (running); needs 'lexer', which failed
)");
}

TEST(Status, JsonHasEveryDocumentedKey) {
  WorkRepo repo;
  repo.make_plan("tools", kThree);
  repo.append("tools", {run_started(repo), started("parser", "a.1")});
  const auto json = nlohmann::ordered_json::parse(repo.plan({"status", "tools", "--json"}).out);
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::string all;
    for (const auto& item : object.items()) all += item.key() + " ";
    return all;
  };
  EXPECT_EQ(keys(json), "schema plan run tasks waves rewritten decisions ");
  EXPECT_EQ(keys(json["plan"]),
            "id title state progress tags created last_activity stale target integration "
            "definition ");
  EXPECT_EQ(keys(json["run"]), "id since alive waiting ");
  EXPECT_EQ(json["run"]["id"], "r1");
  EXPECT_EQ(json["run"]["alive"], false);
  ASSERT_EQ(json["tasks"].size(), 3u);
  EXPECT_EQ(
      keys(json["tasks"][0]),
      "name status readiness ready why mode role agent wave attempt lease depends_on started "
      "finished duration_s exit_code branch worktree merge files_modified tokens cost_usd summary "
      "error ");
  EXPECT_EQ(json["tasks"][0]["status"], "running");
  EXPECT_EQ(json["tasks"][0]["branch"], "plan/tools/parser");
  EXPECT_EQ(json["tasks"][1]["ready"], true);
  EXPECT_EQ(json["tasks"][2]["why"], "waits for 'parser' (running); waits for 'lexer' (pending)");
  EXPECT_EQ(nlohmann::json::parse(repo.plan({"status", "--json"}).out)["plans"].size(), 1u);
}

TEST(Status, ReadsOnly) {
  WorkRepo repo;
  repo.make_plan("tools", kThree);
  const std::string refs = repo.git({"for-each-ref"});
  repo.said({"status", "tools"});
  repo.said({"status", "tools", "--watch"});
  EXPECT_EQ(repo.git({"for-each-ref"}), refs);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
}

TEST(Status, TellsTheTargetOfTheLastRunWhateverIsCheckedOut) {
  WorkRepo repo;
  repo.git({"branch", "other"});
  repo.make_plan("tools", "    - {name: parser, run: echo p >p}\n");
  EXPECT_EQ(repo.plan({"execute", "tools"}).exit_status, 0);
  repo.git({"switch", "-q", "other"});
  EXPECT_EQ(repo.said({"status", "tools"}), R"(0
tools: completed, 1 of 1 task done
  tools
  for main, landed as <id>

  task    status     wave  time
  parser  completed  1     <time>

Waves
  1  <id>  parser
)");
  const auto json = nlohmann::json::parse(repo.plan({"status", "tools", "--json"}).out);
  EXPECT_EQ(json["plan"]["target"], "main");
  EXPECT_EQ(json["tasks"][0]["status"], "completed");
  EXPECT_EQ(json["tasks"][0]["readiness"], "done");
}

TEST(Status, AStoppedRunKeepsItsTarget) {
  WorkRepo repo;
  repo.git({"branch", "other"});
  repo.make_plan("tools", "    - {name: good, run: echo g >g}\n    - {name: bad, run: exit 1}\n");
  EXPECT_EQ(repo.plan({"execute", "tools"}).exit_status, 4);
  repo.git({"switch", "-q", "other"});
  EXPECT_THAT(repo.said({"status", "tools"}),
              HasSubstr("  for main, not landed: plan/tools/integration\n"));
  EXPECT_THAT(repo.said({"execute", "tools", "--resume", "--dry-run"}),
              HasSubstr("Lands on main:"));
}

TEST(Status, SaysWhatARunWaitsFor) {
  WorkRepo repo;
  repo.make_plan("tools", "    - {name: parser, run: echo p >p}\n");
  const ProcessResult result = repo.run({"sh", "-c", R"(
touch .git/index.lock
git plan execute tools --yes >/dev/null 2>&1 &
run=$!
for i in $(seq 200); do git plan status tools | grep -q '  waits: ' && break; sleep 0.1; done
git plan status tools | grep '  waits: '
git plan why tools 2>&1
git plan status | tail -n 1
git plan status tools --json >../waits.json
rm .git/index.lock
wait $run
git plan status tools | grep -c waits: )"},
                                        {.timeout = std::chrono::seconds(120)});
  EXPECT_THAT(scrubbed(result.out), HasSubstr("  waits: "));
  EXPECT_THAT(result.out, HasSubstr("The run waits: "));
  EXPECT_THAT(result.out, HasSubstr(", waits"));
  EXPECT_THAT(result.out, ::testing::EndsWith(", waits  tools\n0\n")) << result.err;
  const auto json = nlohmann::json::parse(repo.read("../waits.json"));
  EXPECT_THAT(json["run"]["waiting"].get<std::string>(), HasSubstr("index.lock"));
  EXPECT_TRUE(nlohmann::json::parse(repo.plan({"status", "tools", "--json"}).out)["run"]["waiting"]
                  .is_null());
}

TEST(Why, SaysWhoHoldsBackWhatIsReady) {
  WorkRepo repo;
  repo.make_plan("tools",
                 "    - {name: parser, run: 'true'}\n"
                 "    - {name: gated, run: 'true', approval_gate: true}\n"
                 "    - {name: here, run: 'true', mode: inline}\n"
                 "    - {name: costly, run: 'true'}\n");
  EXPECT_EQ(repo.said({"why", "tools"}),
            "0\nparser  ready\ngated   waiting  waits for approval\nhere    ready\n"
            "costly  ready\n");
  repo.append("tools", {run_started(repo), started("parser", "a.1")});
  EXPECT_EQ(repo.said({"why", "tools"}),
            "0\nparser  active   is running\n"
            "gated   waiting  waits for approval\n"
            "here    waiting  waits for the working tree: 'parser' is running\n"
            "costly  ready\n");
  const auto json = nlohmann::json::parse(repo.plan({"status", "tools", "--json"}).out);
  EXPECT_EQ(json["tasks"][1]["ready"], false);
  EXPECT_EQ(json["tasks"][1]["readiness"], "waiting");
  EXPECT_EQ(json["tasks"][1]["why"], "waits for approval");
  const auto why = nlohmann::json::parse(repo.plan({"why", "tools", "here", "--json"}).out);
  EXPECT_EQ(why["tasks"][0]["ready"], false);
  EXPECT_EQ(why["tasks"][0]["reasons"][0], json["tasks"][2]["why"]);
  AttemptStarted inside = started("here", "a.2");
  inside.branch.clear();
  repo.append("tools", {ended("parser", "a.1", "failed"), inside});
  EXPECT_THAT(repo.said({"why", "tools", "costly"}),
              HasSubstr("waiting  waits for 'here', which has the working tree\n"));
  EXPECT_EQ(repo.plan({"next", "tools", "--json"}).exit_status, 0);
}

TEST(Why, NamesTheCommitOfWorkThatIsElsewhere) {
  WorkRepo repo;
  repo.make_plan("tools", kThree);
  const std::string base = repo.git({"rev-parse", "HEAD"});
  repo.git({"switch", "-q", "-c", "elsewhere"});
  repo.write("src/b.txt", "b\n");
  const std::string commit = repo.commit("Wave");
  repo.git({"switch", "-q", "main"});
  AttemptEnded done = ended("parser", "a.1", "finished");
  done.commit = commit;
  done.paths = {"src/b.txt"};
  repo.append(
      "tools",
      {run_started(repo), started("parser", "a.1"), done, WaveStarted{"r1", 1, base, {"parser"}},
       WaveMerged{"r1", 1, repo.git({"rev-parse", commit + "^{tree}"}), {"parser"}, {}, {}},
       WaveCommitted{"r1", 1, commit}, WaveVerified{"r1", 1, true, false, ""},
       WaveCompleted{"r1", 1, commit, {"parser"}, "clean", ""}, RunEnded{"r1", "paused", ""}});
  const std::string why = repo.said({"why", "tools", "parser"});
  EXPECT_THAT(why, HasSubstr("elsewhere"));
  EXPECT_THAT(why, HasSubstr(scrubbed(commit.substr(0, 12)).substr(0, 7)));
  repo.git({"merge", "-q", "--ff-only", "elsewhere"});
  EXPECT_EQ(repo.said({"why", "tools", "parser"}),
            "0\nparser  done  completed in wave 1, commit <id>\n");
}

}  // namespace
}  // namespace gitplan::test
