#include "core/ledger/fold.h"

#include <gtest/gtest.h>

#include "core/journal/event_codec.h"

namespace gitplan {
namespace {

// Builds a journal event by event, as a writer does.
class Fold : public testing::Test {
 protected:
  Fold() { take(PlanCreated{"p", "A plan", "d0", ""}); }

  void take(EventBody body, const std::string& actor = "aaaaaaaaaaaa") {
    const auto known = ledger.actors.find(actor);
    const Event event =
        stamp(std::move(body), actor, known == ledger.actors.end() ? "" : known->second.last_id,
              ledger.clock + 1, 1000 * static_cast<Millis>(ledger.clock + 1));
    journal.push_back(event);
    apply(ledger, event);
  }
  void run_started(const std::string& run = "r1") {
    RunStarted started;
    started.run = run;
    started.target = "refs/heads/main";
    started.base = "b0";
    take(started);
  }
  void attempt(const std::string& task, const std::string& id, const std::string& outcome) {
    AttemptStarted started;
    started.run = "r1";
    started.task = task;
    started.attempt = id;
    started.minutes = 30;
    take(started);
    if (outcome.empty()) return;
    AttemptEnded ended;
    ended.task = task;
    ended.attempt = id;
    ended.outcome = outcome;
    ended.commit = "c-" + task;
    take(ended);
  }
  void decision(const std::string& kind, const std::string& task, std::vector<std::string> keys) {
    DecisionAsked asked;
    asked.decision = "d" + std::to_string(ledger.decisions.size() + 1);
    asked.kind = kind;
    asked.task = task;
    asked.run = "r1";
    for (auto& key : keys) asked.options.push_back({std::move(key), "", ""});
    if (kind == "commit_refused" || kind == "verify_failed") asked.wave = 1;
    take(asked);
  }
  void resolve(const std::string& option, const std::string& text = {}, int minutes = 0) {
    take(DecisionResolved{ledger.decisions.back().asked.decision, option, text, minutes});
  }
  TaskStatus status(const std::string& task) const { return ledger.task(task).status; }

  std::vector<Event> journal;
  Ledger ledger;
};

TEST_F(Fold, ARunThatHasWaitedTakesItsBaseOnceMore) {
  run_started();
  take(RunWaits{"r1", "other", "it is at work"});
  take(BaseTaken{"r1", "", "", "b1"});
  take(RunWaits{"r1", "", ""});
  EXPECT_EQ("b1", ledger.run()->base);
  EXPECT_EQ(PlanState::kRunning, ledger.state);
  attempt("a", "x.1", "");
  EXPECT_EQ("run r1 has begun on another base", misfit(ledger, BaseTaken{"r1", "", "", "b2"}));
  take(BaseTaken{"r1", "", "", "b2"});
  EXPECT_EQ("b1", ledger.run()->base);
}

TEST_F(Fold, ATaskGoesThroughItsStates) {
  run_started();
  EXPECT_EQ(PlanState::kRunning, ledger.state);
  attempt("a", "x.1", "");
  EXPECT_EQ(TaskStatus::kRunning, status("a"));
  AttemptEnded ended;
  ended.task = "a";
  ended.attempt = "x.1";
  ended.outcome = "finished";
  take(ended);
  EXPECT_EQ(TaskStatus::kFinished, status("a"));
  take(WaveStarted{"r1", 1, "b0", {"a"}});
  take(WaveMerged{"r1", 1, "t1", {"a"}, {}, {}});
  take(WaveCommitted{"r1", 1, "c1"});
  take(WaveVerified{"r1", 1, true, false, ""});
  EXPECT_EQ(TaskStatus::kFinished, status("a"));
  take(WaveCompleted{"r1", 1, "c1", {"a"}, "clean", ""});
  EXPECT_EQ(TaskStatus::kCompleted, status("a"));
  EXPECT_EQ(1, ledger.task("a").wave);
  EXPECT_EQ("c1", ledger.task("a").commit);
  take(RunEnded{"r1", "completed", ""});
  EXPECT_EQ(PlanState::kCompleted, ledger.state);
  EXPECT_TRUE(ledger.misfits.empty());
}

TEST_F(Fold, WhatDoesNotFitIsListedAndHasNoEffect) {
  take(WaveCommitted{"r1", 7, "c1"});
  take(AttemptEnded{});
  take(UnknownEvent{"plan_sung"});
  take(PlanCreated{"q", "Another", "d9", ""});
  ASSERT_EQ(4u, ledger.misfits.size());
  EXPECT_EQ("there is no wave 7", ledger.misfits[0].why);
  EXPECT_EQ("'' has no attempt ", ledger.misfits[1].why);
  EXPECT_EQ("this version does not know the type 'plan_sung'", ledger.misfits[2].why);
  EXPECT_EQ("the plan was created before", ledger.misfits[3].why);
  EXPECT_EQ("p", ledger.plan);
  EXPECT_EQ(5u, ledger.events);
}

TEST_F(Fold, EverythingBeforeTheCreationIsAMisfit) {
  Ledger empty;
  EXPECT_EQ("there is no plan yet", misfit(empty, RunEnded{}));
  EXPECT_EQ("", misfit(empty, PlanCreated{"p", "t", "d", ""}));
}

TEST_F(Fold, ARewrittenCommitIsFollowed) {
  run_started();
  attempt("a", "x.1", "finished");
  EXPECT_EQ("no completed task stands in commit c1",
            misfit(ledger, WaveRewritten{"r1", 1, "c1", "c2"}));
  take(WaveStarted{"r1", 1, "b0", {"a"}});
  take(WaveMerged{"r1", 1, "t1", {"a"}, {}, {}});
  take(WaveCommitted{"r1", 1, "c1"});
  take(WaveCompleted{"r1", 1, "c1", {"a"}, "clean", ""});
  take(WaveRewritten{"r1", 1, "c1", "c2"});
  take(WaveRewritten{"r1", 1, "c2", "c3"});
  take(WaveRewritten{"r1", 1, "c1", "c3"});
  const TaskRecord& task = ledger.task("a");
  EXPECT_EQ("c1", task.commit) << "the run goes on from what it made";
  EXPECT_EQ((std::vector<std::string>{"c2", "c3"}), task.rewritten);
  EXPECT_TRUE(task.stands_in("c1") && task.stands_in("c3"));
  EXPECT_FALSE(task.stands_in(""));
  for (int i = 0; i < 40; ++i) take(WaveRewritten{"r1", 1, "c1", "d" + std::to_string(i)});
  EXPECT_EQ(32u, ledger.task("a").rewritten.size());
  EXPECT_EQ("d39", ledger.task("a").rewritten.back());
  EXPECT_TRUE(ledger.misfits.empty());
}

TEST_F(Fold, CompletedTasksStay) {
  run_started();
  attempt("a", "x.1", "finished");
  take(WaveStarted{"r1", 1, "b0", {"a"}});
  take(WaveMerged{"r1", 1, "", {"a"}, {}, {}});
  take(WaveCompleted{"r1", 1, "", {"a"}, "clean", "nothing changed"});
  EXPECT_EQ("'a' is completed", misfit(ledger, TaskSet{"a", "pending", ""}));
  EXPECT_EQ("'a' is completed", misfit(ledger, TaskSet{"a", "skipped", ""}));
  AttemptStarted again;
  again.task = "a";
  again.attempt = "x.2";
  EXPECT_EQ("'a' is completed", misfit(ledger, again));
}

TEST_F(Fold, EditsMadeApartLeaveTwoHeads) {
  take(DefinitionChanged{"d1", {"d0"}, "", "edit"});
  take(DefinitionChanged{"d2", {"d0"}, "", "edit"}, "bbbbbbbbbbbb");
  EXPECT_EQ((std::vector<std::string>{"d1", "d2"}), ledger.heads);
  take(DefinitionChanged{"d3", {"d1", "d2"}, "", "edit"});
  EXPECT_EQ((std::vector<std::string>{"d3"}), ledger.heads);
}

TEST_F(Fold, AnEditOpensACompletedPlanAgain) {
  run_started();
  take(RunEnded{"r1", "completed", ""});
  EXPECT_EQ("the plan is completed", misfit(ledger, RunStarted{"r2", "", "", "", "", {}, 0}));
  take(DefinitionChanged{"d1", {"d0"}, "", "edit"});
  EXPECT_EQ(PlanState::kActive, ledger.state);
}

TEST_F(Fold, StatesThatPeopleSet) {
  EXPECT_EQ("no one can set the state 'running'", misfit(ledger, PlanStateSet{"running", ""}));
  EXPECT_EQ("the plan is active already", misfit(ledger, PlanStateSet{"active", ""}));
  take(PlanStateSet{"deleted", ""});
  EXPECT_EQ("the plan is deleted", misfit(ledger, PlanStateSet{"draft", ""}));
  EXPECT_EQ("the plan is deleted", misfit(ledger, DefinitionChanged{"d1", {"d0"}, "", ""}));
  EXPECT_EQ("the plan is deleted", misfit(ledger, RunStarted{"r", "", "", "", "", {}, 0}));
  take(PlanStateSet{"active", "undo"});
  EXPECT_EQ(PlanState::kActive, ledger.state);
  run_started();
  EXPECT_EQ("the plan is running", misfit(ledger, PlanStateSet{"deleted", ""}));
}

TEST_F(Fold, TheStrongestControlCounts) {
  run_started();
  take(ControlRequested{"r1", "cancel"});
  take(ControlRequested{"r1", "pause"});
  EXPECT_EQ("cancel", ledger.run()->control);
  take(ControlRequested{"r1", "abort"});
  EXPECT_EQ("abort", ledger.run()->control);
  take(RunEnded{"r1", "paused", "cancel"});
  EXPECT_EQ("run r1 is over", misfit(ledger, ControlRequested{"r1", "pause"}));
  take(ControlRequested{"", "abort"});
  EXPECT_EQ(PlanState::kAborted, ledger.state);
}

TEST_F(Fold, AFailedTaskIsAnsweredByEachKey) {
  run_started();
  const std::vector<std::string> keys{"retry", "longer", "edit", "skip", "abort"};
  for (const std::string key : {"retry", "longer", "edit"}) {
    attempt("a", key, "failed");
    decision("failed", "a", keys);
    EXPECT_TRUE(ledger.has_open_decision("a"));
    resolve(key);
    EXPECT_EQ(TaskStatus::kPending, status("a")) << key;
  }
  EXPECT_EQ(60, ledger.task("a").minutes);
  attempt("a", "more", "timed_out");
  decision("timed_out", "a", keys);
  resolve("longer", "", 90);
  EXPECT_EQ(90, ledger.task("a").minutes);
  attempt("a", "last", "failed");
  decision("failed", "a", keys);
  EXPECT_EQ("decision d5 has no option 'rerun:a'",
            misfit(ledger, DecisionResolved{"d5", "rerun:a", "", 0}));
  resolve("skip", "not needed");
  EXPECT_EQ(TaskStatus::kSkipped, status("a"));
  EXPECT_EQ("not needed", ledger.task("a").reason);
  EXPECT_EQ("decision d5 is resolved", misfit(ledger, DecisionResolved{"d5", "retry", "", 0}));
}

TEST_F(Fold, ASkipWithoutAReasonSaysAfterWhat) {
  run_started();
  attempt("a", "x.1", "timed_out");
  decision("timed_out", "a", {"skip"});
  resolve("skip");
  EXPECT_EQ("skipped after it timed out", ledger.task("a").reason);
  attempt("b", "x.1", "failed");
  decision("failed", "b", {"skip"});
  resolve("skip");
  EXPECT_EQ("skipped after it failed", ledger.task("b").reason);
}

TEST_F(Fold, AnOverlapIsAnsweredByEachKey) {
  run_started();
  const std::vector<std::string> keys{"keep:a", "keep:b", "hand", "rerun:a", "abort"};
  attempt("a", "x.1", "finished");
  decision("merge_conflict", "a", keys);
  resolve("keep:b");
  ASSERT_TRUE(ledger.task("a").merge.has_value());
  EXPECT_EQ("b", ledger.task("a").merge->keep);
  decision("merge_conflict", "a", keys);
  resolve("hand", "c9");
  EXPECT_EQ("c9", ledger.task("a").merge->commit);
  decision("merge_conflict", "a", keys);
  resolve("rerun:a");
  EXPECT_EQ(TaskStatus::kPending, status("a"));
  EXPECT_FALSE(ledger.task("a").merge.has_value());
  decision("merge_conflict", "a", keys);
  resolve("abort");
  EXPECT_EQ("abort", ledger.run()->control);
}

TEST_F(Fold, WhatWasSaidAboutLandingHoldsUntilItHasLanded) {
  run_started();
  const auto ask = [&](const std::string& kind, const std::string& option) {
    DecisionAsked asked;
    asked.decision = "d" + std::to_string(ledger.decisions.size());
    asked.kind = kind;
    asked.run = ledger.run()->id;
    asked.branch = "refs/heads/main";
    asked.options = {{option, "", ""}};
    take(asked);
    take(DecisionResolved{asked.decision, option, option == "message" ? "New words" : "", 0});
  };
  ask("commit_refused", "no-hooks");
  ask("commit_refused", "unsigned");
  ask("commit_refused", "message");
  ask("fork_user_conflict", "mine");
  take(RunEnded{"r1", "paused", ""});
  RunStarted second;
  second.run = "r2";
  second.target = ledger.run()->target;
  take(second);
  EXPECT_TRUE(ledger.run()->land_no_hooks);
  EXPECT_TRUE(ledger.run()->land_unsigned);
  EXPECT_EQ(ledger.run()->land_message, "New words");
  EXPECT_EQ(ledger.run()->land_choice, "mine");
  take(LandingStarted{"r2", second.target, "c1"});
  take(Landed{"r2", second.target, "c1"});
  EXPECT_FALSE(ledger.run()->land_no_hooks || ledger.run()->land_unsigned);
  EXPECT_EQ(ledger.run()->land_message + ledger.run()->land_choice, "");
  EXPECT_EQ(ledger.misfits.size(), 0u);
}

TEST_F(Fold, WhatIsLeftOnTheIntegrationBranchStaysThere) {
  run_started();
  DecisionAsked asked;
  asked.decision = "d1";
  asked.kind = "branch_gone";
  asked.run = "r1";
  asked.branch = "refs/heads/main";
  asked.options = {{"leave", "", ""}};
  take(asked);
  take(RunEnded{"r1", "paused", ""});
  take(DecisionResolved{"d1", "leave", "", 0});
  EXPECT_TRUE(ledger.left_unlanded());
  EXPECT_EQ(ledger.run()->land, "never");
}

TEST_F(Fold, ARefusedCommitAndAFailedVerify) {
  run_started();
  attempt("a", "x.1", "finished");
  attempt("b", "x.1", "finished");
  take(WaveStarted{"r1", 1, "b0", {"a", "b"}});
  take(WaveMerged{"r1", 1, "t1", {"a", "b"}, {}, {}});
  decision("commit_refused", "", {"retry", "message", "no-hooks", "unsigned", "abort"});
  resolve("message", "New words");
  EXPECT_EQ("New words", ledger.held_wave()->message);
  decision("commit_refused", "", {"retry", "message", "no-hooks", "unsigned", "abort"});
  resolve("no-hooks");
  EXPECT_TRUE(ledger.held_wave()->no_hooks);
  take(WaveCommitted{"r1", 1, "c1"});
  take(WaveVerified{"r1", 1, false, false, "make test"});
  EXPECT_EQ(WavePhase::kCommitted, ledger.held_wave()->phase);
  decision("verify_failed", "", {"retry", "accept", "drop:a", "drop:b", "abort"});
  resolve("drop:b");
  EXPECT_EQ(nullptr, ledger.held_wave());
  EXPECT_EQ(TaskStatus::kFinished, status("a"));
  EXPECT_EQ(TaskStatus::kFailed, status("b"));
  EXPECT_EQ("dropped from wave 1: verify failed", ledger.task("b").reason);
  take(WaveStarted{"r1", 2, "b0", {"a"}});
  take(WaveMerged{"r1", 2, "t2", {"a"}, {}, {}});
  take(WaveCommitted{"r1", 2, "c2"});
  take(WaveVerified{"r1", 2, false, false, "make test"});
  DecisionAsked asked;
  asked.decision = "dx";
  asked.kind = "verify_failed";
  asked.run = "r1";
  asked.wave = 2;
  asked.options = {{"accept", "", ""}};
  take(asked);
  resolve("accept");
  EXPECT_EQ(WavePhase::kVerified, ledger.held_wave()->phase);
  EXPECT_TRUE(ledger.held_wave()->accepted);
}

TEST_F(Fold, LandingAnswersReachTheRunAlsoAfterItStopped) {
  run_started();
  DecisionAsked asked;
  asked.decision = "dl";
  asked.kind = "fork_user_conflict";
  asked.branch = "refs/heads/main";
  asked.options = {{"mine", "", ""}, {"wait", "", ""}};
  take(asked);
  take(RunEnded{"r1", "paused", "a decision is open"});
  resolve("mine");
  run_started("r2");
  EXPECT_EQ("mine", ledger.run()->land_choice);
  asked.decision = "dm";
  asked.kind = "branch_gone";
  asked.options = {{"onto:<branch>", "", ""}, {"leave", "", ""}};
  take(asked);
  resolve("onto:release");
  EXPECT_EQ("refs/heads/release", ledger.run()->target);
  EXPECT_EQ("", ledger.run()->land_choice);
}

// What an answer says about a file depends on who is a side of it, and an answer about commits says
// nothing about what is in none.
TEST_F(Fold, ALandingAnswerHoldsForTheFilesOfItsDecision) {
  run_started();
  DecisionAsked asked;
  asked.kind = "fork_user_conflict";
  asked.branch = "refs/heads/main";
  asked.options = {{"mine", "", ""}, {"theirs", "", ""}, {"keep:one", "", ""}, {"hand", "", ""}};
  const auto ask = [&](const std::string& kind, const std::string& option) {
    asked.decision = "d" + std::to_string(ledger.decisions.size());
    asked.conflicts = {{"a.txt", kind, {{"user", {}}, {"one", {}}}},
                       {"b.txt", kind, {{"user", {}}, {"two", {}}}}};
    take(asked);
    take(DecisionResolved{asked.decision, option, option == "hand" ? "c9" : "", 0});
    return ledger.run()->land_answers;
  };
  using Answers = std::map<std::string, std::string>;
  LandAnswers answers = ask("content", "keep:one");
  EXPECT_EQ(answers.committed, (Answers{{"a.txt", "theirs"}, {"b.txt", "mine"}}));
  EXPECT_EQ(answers.uncommitted, Answers());
  answers = ask("skip-worktree", "mine");
  EXPECT_EQ(answers.committed, (Answers{{"a.txt", "theirs"}, {"b.txt", "mine"}}));
  EXPECT_EQ(answers.uncommitted, (Answers{{"a.txt", "mine"}, {"b.txt", "mine"}}));
  EXPECT_EQ(ask("dirty", "theirs").uncommitted,
            (Answers{{"a.txt", "theirs"}, {"b.txt", "theirs"}}));
  EXPECT_EQ(ask("content", "hand").by_hand, "c9");
  take(Landed{"r1", "refs/heads/main", "c1"});
  EXPECT_EQ(ledger.run()->land_answers.committed, Answers());
  EXPECT_EQ(ledger.run()->land_answers.by_hand, "");
}

TEST_F(Fold, ATransientFailureQueuesTheTask) {
  run_started();
  attempt("a", "x.1", "");
  take(TaskQueued{"r1", "a", "x.1", "rate_limit", "too many requests", 5000});
  EXPECT_EQ(TaskStatus::kQueued, status("a"));
  EXPECT_EQ(5000, ledger.task("a").queued_until);
  EXPECT_EQ(1, ledger.task("a").transient_failures);
  attempt("a", "x.2", "lost");
  EXPECT_EQ(TaskStatus::kPending, status("a"));
}

TEST_F(Fold, WhatIsTakenByHandIsItsOwnersUntilItEnds) {
  AttemptStarted taken;
  taken.task = "a";
  taken.attempt = "x.1";
  taken.lease = 5000;
  take(taken);
  const Attempt* claimed = ledger.task("a").claimed();
  ASSERT_NE(nullptr, claimed);
  EXPECT_EQ("x.1", claimed->id);
  // Nobody else can take it.
  AttemptStarted other;
  other.task = "a";
  other.attempt = "y.1";
  other.lease = 9000;
  EXPECT_EQ("'a' is worked on by hand", misfit(ledger, other));

  take(AttemptRenewed{"a", "x.1", 8000});
  EXPECT_EQ(8000, ledger.task("a").claimed()->lease);
  EXPECT_EQ("it names no time", misfit(ledger, AttemptRenewed{"a", "x.1", 0}));
  EXPECT_NE("", misfit(ledger, AttemptRenewed{"a", "x.2", 9000}));

  AttemptEnded ended;
  ended.task = "a";
  ended.attempt = "x.1";
  ended.outcome = "lost";
  take(ended);
  EXPECT_EQ(TaskStatus::kPending, status("a"));
  EXPECT_EQ(nullptr, ledger.task("a").claimed());
  EXPECT_NE("", misfit(ledger, AttemptRenewed{"a", "x.1", 9000}));
  EXPECT_NE("", misfit(ledger, ended));
  EXPECT_EQ("", misfit(ledger, other));

  // What a run looks after has no lease.
  run_started();
  attempt("b", "x.2", "");
  EXPECT_EQ(nullptr, ledger.task("b").claimed());
  EXPECT_EQ("attempt x.2 is not worked on by hand",
            misfit(ledger, AttemptRenewed{"b", "x.2", 9000}));
  // A clone that did not know of the run: the later one has it, as with two runs.
  other.task = "b";
  other.attempt = "y.2";
  take(other);
  EXPECT_EQ("y.2", ledger.task("b").claimed()->id);
  EXPECT_TRUE(ledger.misfits.empty());
}

TEST_F(Fold, OrderOfArrivalDoesNotMatter) {
  run_started();
  attempt("a", "x.1", "finished");
  take(DefinitionChanged{"d2", {"d0"}, "", "edit"}, "bbbbbbbbbbbb");
  std::vector<Event> shuffled(journal.rbegin(), journal.rend());
  const Ledger folded = fold(shuffled);
  EXPECT_EQ(ledger.heads, folded.heads);
  EXPECT_EQ(ledger.events, folded.events);
  EXPECT_TRUE(folded.misfits.empty());
}

}  // namespace
}  // namespace gitplan
