// Two clones and a server: what arrives, what is united, what stays apart.
#include <gtest/gtest.h>

#include "refs/sync/rename.h"
#include "tests/refs/sync/clones.h"

namespace gitplan::test {
namespace {

using Got = PulledPlan::What;
using Gave = PushedPlan::What;

class Sync : public testing::Test {
 protected:
  void share(const std::string& id) {
    a.create(id, plan_text("The " + id));
    ASSERT_EQ(1u, a.push().refs.size());
    ASSERT_EQ(1u, b.pull().plans.size());
  }
  void meet() {
    a.push();
    b.push();
    a.pull();
  }
  void expect_equal(const std::string& id) {
    EXPECT_EQ(a.tree(id), b.tree(id));
    for (CloneOfPlans* clone : {&a, &b}) {
      clone->reopen();
      std::string found;
      for (const Diagnostic& one : good(clone->store().fsck())) found += one.message + "\n";
      EXPECT_EQ("", found);
      EXPECT_EQ("", clone->repo.git({"fsck", "--strict", "--no-dangling"}));
    }
  }

  TempRepo server{Words{"--bare"}};
  CloneOfPlans a{server.path()}, b{server.path()};
};

TEST_F(Sync, APlanArrivesWhole) {
  share("p");
  EXPECT_EQ("The p", b.load("p").plan.title);
  EXPECT_EQ(a.load("p").identity, b.load("p").identity);
  expect_equal("p");
  EXPECT_TRUE(a.push().refs.empty());
  EXPECT_TRUE(a.pull().plans.empty());
}

TEST_F(Sync, WhatIsAheadGoesForward) {
  share("p");
  good(a.write("p", {Remark{"", "one"}}));
  ASSERT_EQ(1u, a.push().refs.size());
  const Pulled pulled = b.pull();
  ASSERT_EQ(1u, pulled.plans.size());
  EXPECT_EQ(Got::kForward, pulled.plans.front().what);
  expect_equal("p");
}

TEST_F(Sync, TwoUniteTheSameIntoTheSameCommit) {
  share("p");
  good(a.write("p", {Remark{"", "one"}}));
  good(b.write("p", {Remark{"", "two"}}));
  a.push();
  // Both unite the same two, without hearing of each other's.
  a.repo.git({"fetch", "-q", b.repo.path(), "+refs/plans/*:refs/plan-remotes/origin/*"});
  good(take_seen(a.opened->repository, a.store(), a.remote(), {}));
  EXPECT_EQ(Got::kUnited, b.pull().plans.front().what);
  EXPECT_EQ(a.load("p").tip, b.load("p").tip);
  EXPECT_EQ(3u, b.load("p").ledger.events);
  expect_equal("p");
}

TEST_F(Sync, APushThatIsTooLatePullsAndTriesAgain) {
  share("p");
  good(a.write("p", {Remark{"", "one"}}));
  good(b.write("p", {Remark{"", "two"}}));
  a.push();
  const Pushed pushed = b.push();
  ASSERT_EQ(1u, pushed.refs.size());
  EXPECT_EQ(Gave::kForward, pushed.refs.front().what);
  ASSERT_EQ(1u, pushed.pulled.plans.size());
  EXPECT_EQ(Got::kUnited, pushed.pulled.plans.front().what);
  a.pull();
  expect_equal("p");
}

TEST_F(Sync, ChangesOfDifferentTasksMerge) {
  share("p");
  std::string one = plan_text("The p"), two = plan_text("The p");
  one.replace(one.find("true"), 4, "make one");
  two.replace(two.rfind("true"), 4, "make two");
  two.replace(two.find("Body."), 5, "Another body.");
  good(a.edit("p", one));
  good(b.edit("p", two));
  meet();
  const PlanView view = b.load("p");
  EXPECT_EQ(2u, view.ledger.heads.size());
  EXPECT_EQ(PlanState::kActive, view.ledger.state) << view.conflict;
  EXPECT_EQ("make one", view.plan.tasks()[0].run);
  EXPECT_EQ("make two", view.plan.tasks()[1].run);
  EXPECT_NE(std::string::npos, view.text.find("Another body."));
  EXPECT_EQ(view.text, b.repo.git({"cat-file", "blob", "refs/plans/p:plan.md"}) + "\n");
  expect_equal("p");
}

TEST_F(Sync, ChangesOfOneTaskConflictUntilSomebodyEdits) {
  share("p");
  std::string one = plan_text("The p"), two = plan_text("The p");
  one.replace(one.find("true"), 4, "make one");
  two.replace(two.find("true"), 4, "make two");
  good(a.edit("p", one));
  good(b.edit("p", two));
  meet();
  EXPECT_EQ(PlanState::kConflicted, a.load("p").ledger.state);
  EXPECT_EQ("key 'orchestration', key 'tasks', task 'task1', key 'run'", a.load("p").conflict);
  expect_equal("p");
  good(a.edit("p", two));
  meet();
  b.pull();
  EXPECT_EQ(PlanState::kActive, b.load("p").ledger.state);
  EXPECT_EQ("make two", b.load("p").plan.tasks()[0].run);
  expect_equal("p");
}

TEST_F(Sync, ADeletedPlanStaysDeletedAndKeepsWorkDoneApart) {
  share("p");
  share("q");
  good(a.write("p", {deletion_of(a.load("p").ledger)}));
  good(a.write("q", {deletion_of(a.load("q").ledger)}));
  good(b.write("p", {Remark{"", "no work"}}));
  std::string text = plan_text("The q");
  text.replace(text.find("Body."), 5, "Work.");
  good(b.edit("q", text));
  meet();
  EXPECT_EQ(PlanState::kDeleted, a.load("p").ledger.state);
  EXPECT_EQ(PlanState::kDeleted, b.load("p").ledger.state);
  EXPECT_EQ(PlanState::kActive, a.load("q").ledger.state);
  EXPECT_NE(std::string::npos, a.load("q").text.find("Work."));
  b.push();
  a.push();
  EXPECT_EQ(PlanState::kDeleted, b.load("p").ledger.state);
  expect_equal("p");
  expect_equal("q");
}

TEST_F(Sync, OfTwoPlansWithOneNameTheRemotesKeepsIt) {
  a.create("p", plan_text("Of a"));
  b.create("p", plan_text("Of b"));
  a.push();
  const Pulled pulled = b.pull();
  ASSERT_EQ(1u, pulled.plans.size());
  EXPECT_EQ(Got::kNew, pulled.plans.front().what);
  EXPECT_EQ("p-2", pulled.plans.front().renamed);
  EXPECT_EQ("Of a", b.load("p").plan.title);
  EXPECT_EQ("Of b", b.load("p-2").plan.title);
  EXPECT_EQ(std::vector<std::string>{"p"}, b.load("p-2").ledger.former_names);
  b.push();
  a.pull();
  EXPECT_EQ("Of b", a.load("p-2").plan.title);
  expect_equal("p");
  expect_equal("p-2");
}

TEST_F(Sync, OneRefusedPlanHidesNoOther) {
  share("p");
  share("q");
  good(a.write("p", {Remark{"", "one"}}));
  good(a.write("q", {Remark{"", "one"}}));
  server.write("hooks/update", "#!/bin/sh\ncase $1 in */p) echo not this one >&2; exit 1;; esac\n");
  std::filesystem::permissions(server.path() / "hooks/update", std::filesystem::perms::owner_all);
  const Pushed pushed = a.push();
  ASSERT_EQ(2u, pushed.refs.size());
  EXPECT_EQ(Gave::kRefused, pushed.refs[0].what);
  EXPECT_EQ("hook declined", pushed.refs[0].why);
  EXPECT_EQ(Gave::kForward, pushed.refs[1].what);
  b.pull();
  expect_equal("q");
}

TEST_F(Sync, AServerThatTakesOnlyBranchesHasThemBelowARefPrefix) {
  for (CloneOfPlans* clone : {&a, &b}) {
    clone->repo.git({"config", "plan.refPrefix", "refs/heads/plans"});
    clone->reopen();
  }
  server.git({"config", "receive.denyNonFastForwards", "true"});
  server.git({"config", "transfer.hideRefs", "refs/plans"});
  share("p");
  EXPECT_NE("", server.git({"rev-parse", "refs/heads/plans/p"}));
  good(b.write("p", {Remark{"", "two"}}));
  good(a.write("p", {Remark{"", "one"}}));
  meet();
  expect_equal("p");
}

TEST_F(Sync, ARefusalOfHiddenRefsIsSaid) {
  server.git({"config", "transfer.hideRefs", "refs/plans"});
  a.create("p", plan_text("The p"));
  const Pushed pushed = a.push();
  ASSERT_EQ(1u, pushed.refs.size());
  EXPECT_EQ(Gave::kRefused, pushed.refs.front().what);
  EXPECT_EQ("deny updating a hidden ref", pushed.refs.front().why);
}

TEST_F(Sync, ACloneThatWasCopiedWritesUnderItsOwnName) {
  share("p");
  good(a.write("p", {Remark{"", "before the copy"}}));
  std::filesystem::remove_all(b.repo.path() / ".git");
  std::filesystem::copy(a.repo.path() / ".git", b.repo.path() / ".git",
                        std::filesystem::copy_options::recursive);
  b.reopen();
  good(a.write("p", {Remark{"", "one"}}));
  good(b.write("p", {Remark{"", "two"}}));
  meet();
  EXPECT_EQ(2u, a.load("p").ledger.actors.size());
  expect_equal("p");
}

TEST_F(Sync, AnOlderStateOfACloneThatIsPutBackBecomesAnother) {
  share("p");
  const auto saved = b.repo.root() / "saved";
  std::filesystem::copy(b.repo.path() / ".git", saved, std::filesystem::copy_options::recursive);
  good(b.write("p", {Remark{"", "will be forgotten"}}));
  b.push();
  // The files come back, the folder stays the same one: nothing else tells that this is older.
  b.repo.git({"update-ref", "refs/plans/p",
              b.repo.git({"--git-dir=" + saved.string(), "rev-parse", "refs/plans/p"})});
  b.repo.git({"update-ref", "-d", "refs/plan-remotes/origin/p"});
  b.reopen();
  const std::string before = b.store().actor();
  const Pulled pulled = b.pull();
  EXPECT_TRUE(pulled.new_actor);
  EXPECT_NE(before, b.store().actor());
  good(b.write("p", {Remark{"", "and on"}}));
  b.push();
  a.pull();
  expect_equal("p");
}

TEST_F(Sync, TwoRemotesMayHaveTwoNamesForOnePlan) {
  TempRepo second{Words{"--bare"}};
  share("p");
  CloneOfPlans c{second.path()};
  c.create("p", plan_text("Of c"));
  c.push();
  a.repo.git({"remote", "add", "second", second.path()});
  const Remote other = good(remote_of(a.opened->repository, *a.settings, "second"));
  const Pulled pulled = good(pull_plans(a.opened->repository, a.store(), other, {}));
  ASSERT_EQ(1u, pulled.plans.size());
  EXPECT_EQ("p-2", pulled.plans.front().renamed);
  good(push_plans(a.opened->repository, a.store(), other, {}));
  a.push();
  // The first remote keeps the name that it has for the one, and learns of the other.
  b.pull();
  EXPECT_EQ("The p", b.load("p").plan.title);
  c.pull();
  EXPECT_EQ("Of c", c.load("p").plan.title);
  EXPECT_EQ("The p", c.load("p-2").plan.title);
  EXPECT_TRUE(a.push().refs.empty());
  EXPECT_TRUE(good(push_plans(a.opened->repository, a.store(), other, {})).refs.empty());
}

TEST_F(Sync, APurgedPlanGoesEverywhereAndDoesNotComeBack) {
  const std::string secret = "a-secret-word";
  std::string text = plan_text("The p");
  text.replace(text.find("Body."), 5, secret);
  a.create("p", text);
  a.push();
  b.pull();
  good(purge_plan(a.opened->repository, a.store(), "p"));
  a.reopen();
  EXPECT_EQ(PlanState::kDeleted, a.load("p").ledger.state);
  // A pull before the push brings nothing of it back.
  EXPECT_TRUE(a.pull().plans.empty());
  const Pushed pushed = a.push();
  ASSERT_EQ(1u, pushed.refs.size());
  EXPECT_EQ(Gave::kPurged, pushed.refs.front().what);
  for (TempRepo* repo : {&a.repo, &server}) {
    repo->git({"reflog", "expire", "--expire=now", "--all"});
    repo->git({"gc", "-q", "--prune=now"});
    EXPECT_EQ("", repo->git({"rev-list", "--objects", "--all", "--", "no-such-path"}));
    EXPECT_EQ(repo->run({"git", "cat-file", "-e", Store::blob_id(text)}).exit_status, 1);
  }
  // The other one is asked, and pushes nothing of it meanwhile.
  Pulled pulled = b.pull();
  ASSERT_EQ(1u, pulled.plans.size());
  EXPECT_TRUE(pulled.plans.front().awaits_word);
  good(b.write("p", {Remark{"", "went on"}}));
  const Pushed refused = b.push();
  ASSERT_EQ(1u, refused.refs.size());
  EXPECT_EQ(Gave::kRefused, refused.refs.front().what);
  PullOptions agreed;
  agreed.agree_to_purge = [](const std::string&) { return Result<bool>(true); };
  pulled = b.pull(agreed);
  ASSERT_EQ(1u, pulled.plans.size());
  EXPECT_EQ(Got::kPurged, pulled.plans.front().what);
  EXPECT_EQ(PlanState::kDeleted, b.load("p").ledger.state);
  EXPECT_TRUE(b.push().refs.empty());
  EXPECT_TRUE(a.pull().plans.empty());
  expect_equal("p");
}

TEST_F(Sync, WhatAnOpenDecisionIsAboutGoesAlong) {
  share("p");
  const std::string work = a.repo.commit("work");
  AttemptStarted started;
  started.run = "";
  started.task = "task1";
  started.attempt = a.store().actor() + ".1";
  started.lease = 1;
  AttemptEnded ended;
  ended.task = "task1";
  ended.attempt = started.attempt;
  ended.outcome = "failed";
  ended.commit = work;
  DecisionAsked asked;
  asked.decision = "d1";
  asked.kind = "failed";
  asked.task = "task1";
  good(a.write("p", {started, ended, asked}));
  const Pushed pushed = a.push();
  ASSERT_EQ(2u, pushed.refs.size());
  EXPECT_EQ(Gave::kKept, pushed.refs.back().what);
  b.pull();
  EXPECT_EQ("commit", b.repo.git({"cat-file", "-t", work}));
  EXPECT_TRUE(a.push().refs.empty());
}

}  // namespace
}  // namespace gitplan::test
