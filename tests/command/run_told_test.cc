// What a run says of itself: before it begins, while it works, at its end; and what it says of what
// is not so any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunTold, DryRunSaysThatWorkInTheWorkingTreeLandsAtOnce) {
  WorkRepo repo;
  repo.make_plan("mixed",
                 "    - {name: away, run: 'true'}\n"
                 "    - {name: here, run: 'true', mode: inline, depends_on: [away]}\n"
                 "    - {name: there, run: 'true', mode: clean}\n");
  EXPECT_THAT(repo.said({"execute", "mixed", "--dry-run"}),
              ::testing::EndsWith("Lands on main: what works in your working tree (there, here) at "
                                  "once,\nthe rest one commit a wave, before each of these and at "
                                  "the end.\n"));
  EXPECT_THAT(repo.said({"execute", "mixed", "--dry-run", "--mode", "inline"}),
              ::testing::EndsWith("Lands on main: one commit a task, at once.\n"));
  EXPECT_THAT(repo.said({"execute", "mixed", "--dry-run", "--mode", "forked"}),
              ::testing::EndsWith("Lands on main: one commit a wave, at the end.\n"));
  const auto json = nlohmann::json::parse(
      repo.plan({"execute", "mixed", "--dry-run", "--json", "--task", "there"}).out);
  EXPECT_TRUE(json["levels"][0]["tasks"][0]["branch"].is_null());
}

TEST(RunTold, WhatHasNotLandedAndWhatWasSkippedIsSaid) {
  WorkRepo repo;
  repo.make_plan("two",
                 "    - {name: here, run: echo h >h, mode: inline}\n"
                 "    - {name: good, run: echo g >g, depends_on: [here]}\n"
                 "    - {name: bad, run: exit 1, depends_on: [here]}\n");
  const std::string said = repo.said({"execute", "two"});
  EXPECT_THAT(said, HasSubstr("Landed on main as <id>.\n"
                              "Not landed: wave 2, on plan/two/integration.\n"));
  EXPECT_EQ(repo.plan({"resolve", "two", "bad", "skip"}).exit_status, 0);
  const std::string end = repo.said({"execute", "two"});
  EXPECT_THAT(end, HasSubstr("two: completed, 2 of 3 tasks done, 1 skipped, <time>"));
  EXPECT_THAT(end, Not(HasSubstr("Not landed")));
  EXPECT_THAT(repo.said({"status", "two"}), HasSubstr("2 of 3 tasks done, 1 skipped\n"));
}

TEST(RunTold, ABranchThatWasMadeAgainIsNotGone) {
  WorkRepo repo;
  repo.git({"switch", "-q", "-c", "feature"});
  repo.make_plan("one", "    - {name: x, run: \"echo x >x; git -C '" + repo.path().string() +
                            "' switch -q main; git branch -q -D feature\"}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 4);
  EXPECT_THAT(repo.said({"status", "one"}), HasSubstr("should land, is gone\n"));
  repo.git({"branch", "feature", "main"});
  EXPECT_THAT(repo.said({"status", "one"}),
              ::testing::EndsWith("The branch 'feature' was gone and is there again: 'git plan "
                                  "execute one' lands on it.\n"));
  const ProcessResult result = repo.plan({"execute", "one"});
  EXPECT_EQ(result.exit_status, 0) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("is gone")));
  EXPECT_EQ(repo.git({"show", "feature:x"}), "x");
}

TEST(RunTold, WhereOnlyCancelledTasksAreLeftNothingBegins) {
  WorkRepo repo;
  repo.make_plan("one", "    - {name: x, run: echo x >x, approval_gate: true}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 4);
  EXPECT_EQ(repo.plan({"resolve", "one", "x", "reject"}).exit_status, 0);
  const std::size_t runs = repo.load("one").ledger.runs.size();
  for (const Words& words : {Words{"execute", "one"}, Words{"execute", "one", "--detach"}})
    EXPECT_EQ(repo.said(words),
              "2\nerror: nothing is left to start: 'x' was cancelled or rejected\n"
              "hint: 'git plan execute one --resume' starts it again\n");
  EXPECT_EQ(repo.load("one").ledger.runs.size(), runs);
  EXPECT_EQ(repo.plan({"execute", "one", "--resume"}).exit_status, 4) << "it asks again";
}

TEST(RunTold, ACancelledRunIsGoneOnWithByResumeAlsoBesideADecision) {
  WorkRepo repo;
  repo.make_plan(
      "two", "    - {name: bad, run: exit 1}\n    - {name: slow, run: sleep 100 && echo s >s}\n");
  const ProcessResult result = repo.run({"sh", "-c", R"(
git plan execute two --yes >../two.txt 2>&1 &
run=$!
for i in $(seq 600); do grep -q '^decision ' ../two.txt && break; sleep 0.1; done
git plan cancel two
wait $run)"},
                                        {.timeout = std::chrono::seconds(100)});
  EXPECT_EQ(result.exit_status, 130);
  EXPECT_THAT(repo.read("../two.txt"),
              ::testing::EndsWith("\nAnswer, then go on, and start what was stopped again: git "
                                  "plan execute two --resume\n"));
  EXPECT_THAT(repo.said({"resolve", "two", "bad", "retry"}),
              ::testing::EndsWith("\nGo on, and start what was stopped again: git plan execute two "
                                  "--resume\n"));
}

TEST(RunTold, ADescriptionOfSeveralLinesIsSubjectAndBody) {
  WorkRepo repo;
  repo.make_plan("one",
                 "    - {name: x, run: echo x >x, description: \"Say x\\nIt was missing.\"}\n");
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 0);
  EXPECT_THAT(repo.git({"log", "-1", "--format=%B"}),
              ::testing::StartsWith("Say x\n\nIt was missing.\n\nPlan: one\n"));
  repo.git({"config", "plan.subject", "{task}: {description}"});
  repo.make_plan("two", "    - {name: y, run: echo y >y, description: \"Say y\\nToo.\"}\n");
  EXPECT_EQ(repo.plan({"execute", "two"}).exit_status, 0);
  EXPECT_THAT(repo.git({"log", "-1", "--format=%B"}),
              ::testing::StartsWith("y: Say y\n\nToo.\n\nPlan: two\n"));
}

TEST(RunTold, APlanThatWaitedStartsFromWhatItWaitedFor) {
  WorkRepo repo;
  repo.make_plan("first", "    - {name: one, run: echo 1 >shared.txt}\n");
  repo.make_plan("second", "    - {name: two, run: sed -i s/1/2/ shared.txt}\n",
                 "  waits_for: {plan: first}\n");
  const ProcessResult result = repo.run({"sh", "-c", R"(
git plan execute second --yes >../second.txt 2>&1 &
run=$!
for i in $(seq 600); do grep -q 'waits for' ../second.txt && break; sleep 0.1; done
git plan execute first --yes >/dev/null 2>&1
wait $run)"},
                                        {.timeout = std::chrono::seconds(200)});
  const std::string said = repo.read("../second.txt");
  EXPECT_EQ(result.exit_status, 0) << said;
  EXPECT_EQ(repo.read("shared.txt"), "2\n");
  EXPECT_THAT(said, HasSubstr("waits for plan first: "));
  EXPECT_THAT(said, Not(HasSubstr("waits: "))) << "once";
}

TEST(RunTold, AnAgentThatTakesOverIsNotAnnouncedAsATry) {
  WorkRepo repo;
  repo.git({"config", "plan.agent.first.command",
            "cat >/dev/null; echo 'rate limit reached, try again in 2 hours'; exit 1"});
  repo.git({"config", "plan.agent.second.command", "cat >/dev/null; echo x >x"});
  repo.make_plan("one", "    - {name: x, description: X, agent: first, fallback: [second]}\n");
  const std::string said = repo.said({"execute", "one"});
  EXPECT_THAT(said, HasSubstr(", another agent takes over\nx: started with second, attempt 2\n"));
  EXPECT_THAT(said, Not(HasSubstr("tried again")));
}

TEST(RunTold, ARefThatIsDeletedMeanwhileIsMissedAndCanComeBack) {
  WorkRepo repo;
  repo.make_plan("one", "    - name: x\n      run: test -e " + (repo.root() / "again").string() +
                            " || { git update-ref -d refs/plans/one; sleep 100; }; echo x >x\n");
  const ProcessResult result = repo.plan({"execute", "one"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.err, HasSubstr("error: the journal of plan 'one' cannot be written: "
                                    "refs/plans/one is gone: it was deleted\n"));
  const std::size_t at = result.err.find("hint: 'git update-ref refs/plans/one ");
  ASSERT_NE(at, std::string::npos) << result.err;
  const std::size_t end = result.err.find('\'', at + 7);
  EXPECT_EQ(result.err.substr(end), "' brings it back\n");
  EXPECT_EQ(repo.run({"sh", "-c", result.err.substr(at + 7, end - at - 7)}).exit_status, 0);
  repo.write("../again", "");
  EXPECT_EQ(repo.plan({"doctor", "--fsck"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"execute", "one"}).exit_status, 130) << "what ran was cancelled";
  EXPECT_EQ(repo.plan({"execute", "one", "--resume"}).exit_status, 0);
  EXPECT_EQ(repo.read("x"), "x\n");
}

}  // namespace
}  // namespace gitplan::test
