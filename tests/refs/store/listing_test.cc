#include "refs/store/message.h"
#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

class Listing : public PlanFixture {};

TEST_F(Listing, IsEmptyAtFirst) { EXPECT_TRUE(good(store().list()).empty()); }

TEST_F(Listing, SaysWhatTheTipSays) {
  create("b", plan_text("The other"));
  create("a", plan_text("The first\\tof all", 3));
  const auto plans = good(store().list());
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].id, "a");
  EXPECT_EQ(plans[1].id, "b");
  EXPECT_EQ(plans[1].title, "The other");
  EXPECT_EQ(plans[1].state, PlanState::kActive);
  EXPECT_EQ(plans[0].total, 3);
  EXPECT_EQ(plans[0].done, 0);
  EXPECT_EQ(plans[0].tags, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(plans[0].ttl_days, 9);
  EXPECT_EQ(plans[0].tip, repo.git({"rev-parse", "refs/plans/a"}));
  EXPECT_GT(plans[0].created, 0);
  EXPECT_EQ(plans[0].created, plans[0].last_activity);
}

TEST_F(Listing, FollowsChangesPackedOrNot) {
  create("p");
  const auto set = [&](const std::string& task) {
    good(store().change("p", [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.bodies = {TaskSet{task, "skipped", "no need"}};
      return change;
    }));
  };
  set("task1");
  EXPECT_EQ(good(store().list()).at(0).done, 1);
  repo.git({"pack-refs", "--all"});
  EXPECT_EQ(good(store().list()).at(0).done, 1);
  set("task2");
  EXPECT_EQ(good(store().list()).at(0).done, 2);
  EXPECT_EQ(good(Opened(repo.path()).store.list()).at(0).done, 2);
}

TEST_F(Listing, SeesWhatPlainGitDid) {  // git-bug#1326
  const PlanView created = create("p");
  say("p", "one");
  repo.git({"update-ref", "refs/plans/q", "refs/plans/p"});
  repo.git({"update-ref", "refs/plans/p", created.tip});
  const auto plans = good(store().list());
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[1].id, "q") << "the ref's name decides";
  EXPECT_EQ(plans[0].tip, created.tip);
  repo.git({"update-ref", "-d", "refs/plans/p"});
  EXPECT_EQ(good(store().list()).size(), 1u);
  EXPECT_EQ(store().load("p").error().code, ErrorCode::kNotFound);
}

TEST_F(Listing, ACommitMadeByHandIsFolded) {
  create("p", plan_text("By hand"));
  const std::string commit =
      repo.git({"commit-tree", "-p", "refs/plans/p", "-m", "by hand", "refs/plans/p^{tree}"});
  repo.git({"update-ref", "refs/plans/p", commit});
  const auto plans = good(store().list());
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0].title, "By hand");
  EXPECT_EQ(plans[0].total, 2);
  EXPECT_EQ(good(store().load("p")).identity, repo.git({"rev-parse", "refs/plans/p^"}));
}

TEST_F(Listing, RefsThatAreNoPlansAreNamedAndHideNothing) {
  repo.write("file", "x");
  repo.commit("one");
  create("good");
  repo.git({"update-ref", "refs/plans/blob", repo.git({"hash-object", "-w", "file"})});
  repo.git({"update-ref", "refs/plans/code", "HEAD"});
  repo.git({"update-ref", "refs/plans/memory", "HEAD"});
  const auto plans = good(store().list());
  ASSERT_EQ(plans.size(), 3u);
  EXPECT_EQ(plans[0].fault, "refs/plans/blob is not a commit");
  EXPECT_EQ(plans[1].fault, "refs/plans/code is not a plan: its tree has no file 'format'");
  EXPECT_EQ(plans[2].fault, "");
  EXPECT_EQ(plans[2].id, "good");
  const auto load = store().load("code");
  EXPECT_EQ(load.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(load.error().message, "refs/plans/code is not a plan: its tree has no file 'format'");
}

TEST_F(Listing, ATitleCannotForgeATrailer) {
  Summary summary;
  summary.id = "x";
  summary.title = "Title\nPlan-State: completed\x1b[31m";
  summary.tags = {"a\nPlan-Root: 0", "with, comma"};
  summary.created = summary.last_activity = 1000;
  const std::string message = compose_message("Plan-State: failed\nPlan-Format: 7", summary, "");
  const auto facts = parse_message(message);
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->summary.title, "Title Plan-State: completed");
  EXPECT_EQ(facts->summary.state, PlanState::kActive);
  EXPECT_EQ(facts->summary.tags, (std::vector<std::string>{"a Plan-Root: 0", "with, comma"}));
  EXPECT_EQ(facts->format, 1);
  EXPECT_EQ(facts->identity, "");
}

TEST_F(Listing, ManyPlansComeFromOneFileThatIsNeverStale) {
  create("p");
  std::string refs;
  for (int i = 0; i < 600; ++i)
    refs += "create refs/plans/q" + std::to_string(i) + " refs/plans/p\n";
  repo.git({"update-ref", "--stdin"}, {.stdin_text = refs});
  repo.git({"pack-refs", "--all"});
  EXPECT_EQ(good(store().list()).size(), 601u);
  const std::string cache = local("cache/tips");
  ASSERT_TRUE(repo.exists(cache));
  say("p", "moves on");
  good(store().change("q7", [](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {TaskSet{"task1", "skipped", ""}};
    return change;
  }));
  repo.git({"update-ref", "-d", "refs/plans/q8"});
  const auto check = [&] {
    const auto plans = good(store().list());
    ASSERT_EQ(plans.size(), 600u);
    for (const Summary& plan : plans) {
      EXPECT_EQ(plan.done, plan.id == "q7" ? 1 : 0) << plan.id;
      EXPECT_EQ(plan.title, "The p");
      EXPECT_EQ(plan.fault, "");
    }
  };
  check();
  const std::string text = repo.read(cache);
  for (const std::string& broken :
       {std::string(), text.substr(0, text.size() / 2), "x" + text, std::string(5000, '\xff')}) {
    repo.write(cache, broken);
    check();
  }
}

TEST_F(Listing, ATipThatIsGoneIsSaidThoughTheCacheKnowsIt) {
  create("p");
  const PlanView lost = create("lost");
  std::string refs;
  for (int i = 0; i < 600; ++i)
    refs += "create refs/plans/q" + std::to_string(i) + " refs/plans/p\n";
  repo.git({"update-ref", "--stdin"}, {.stdin_text = refs});
  repo.git({"pack-refs", "--all"});
  EXPECT_EQ(good(store().list()).size(), 602u);
  ASSERT_NE(repo.read(local("cache/tips")).find("The lost"), std::string::npos);
  std::filesystem::remove(repo.path() / ".git/objects" / lost.tip.substr(0, 2) /
                          lost.tip.substr(2));
  for (int time = 0; time < 2; ++time) {
    reopen();
    for (const Summary& plan : good(store().list()))
      if (plan.id == "lost")
        EXPECT_TRUE(plan.fault.starts_with("cannot read refs/plans/lost: ")) << plan.fault;
      else
        EXPECT_EQ(plan.fault, "") << plan.id;
  }
  EXPECT_EQ(good(store().fsck()).at(0).code, "unreadable-plan");
}

class Resolving : public PlanFixture {
 protected:
  std::string found(const std::string& name) { return good(store().resolve(name)); }
  Error missed(const std::string& name) {
    auto result = store().resolve(name);
    EXPECT_FALSE(result.ok()) << *result;
    return result.ok() ? Error{} : result.error();
  }
};

TEST_F(Resolving, InTheOrderOfCertainty) {
  create("2026-03-03-combat", plan_text("Combat refactor"));
  create("2026-03-04-combat-two", plan_text("Second battle"));
  create("combat-old", plan_text("A title with COMBAT in it"));
  EXPECT_EQ(found("combat-old"), "combat-old");
  EXPECT_EQ(found("refs/plans/combat-old"), "combat-old");
  EXPECT_EQ(found("COMBAT-OLD"), "combat-old");
  EXPECT_EQ(found("combat"), "2026-03-03-combat") << "the whole slug, before any prefix";
  EXPECT_EQ(found("2026-03-04"), "2026-03-04-combat-two");
  EXPECT_EQ(found("comb"), "combat-old");
  EXPECT_EQ(found("second B"), "2026-03-04-combat-two");
}

TEST_F(Resolving, SeveralAreListed) {
  create("a-one", plan_text("First"));
  create("a-two", plan_text("Second"));
  const Error error = missed("a-");
  EXPECT_EQ(error.code, ErrorCode::kAmbiguous);
  EXPECT_EQ(error.message, "'a-' fits several plans:\n  a-one  First\n  a-two  Second");
}

TEST_F(Resolving, NoneNamesTheNearest) {
  EXPECT_EQ(missed("x").message, "no plan is called 'x': this repository has no plans");
  create("2026-03-03-combat", plan_text("Combat"));
  const Error error = missed("comabt");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.message, "no plan is called 'comabt'");
  EXPECT_EQ(error.hint, "did you mean 'combat'? 'git plan list --status all' shows every plan");
}

TEST_F(Resolving, DeletedPlansOnlyByTheWholeId) {
  create("gone");
  good(store().change("gone", [](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {PlanStateSet{"deleted", ""}};
    return change;
  }));
  EXPECT_EQ(found("gone"), "gone");
  EXPECT_EQ(missed("gon").code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace gitplan::test
