#include "refs/store/store.h"

#include <unistd.h>

#include <cstdlib>

#include "refs/store/run_lock.h"
#include "tests/refs/git/scoped_environment.h"
#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

class StoreTest : public PlanFixture {
 protected:
  std::string message(const std::string& id) {
    return repo.git({"log", "-1", "--format=%B", "refs/plans/" + id});
  }
};

TEST_F(StoreTest, ANewPlanIsAChainOfItsOwn) {
  const PlanView view = create("refactor", plan_text("The refactor"));
  EXPECT_EQ(view.id, "refactor");
  EXPECT_EQ(view.identity, view.tip);
  EXPECT_EQ(view.plan.title, "The refactor");
  EXPECT_EQ(view.text, plan_text("The refactor"));
  EXPECT_EQ(view.ledger.events, 1u);
  EXPECT_EQ(repo.git({"rev-list", "--count", "refs/plans/refactor"}), "1");
  EXPECT_EQ(repo.git({"show", "refs/plans/refactor:format"}), "1");
  EXPECT_EQ(repo.git({"show", "refs/plans/refactor:plan.md"}) + "\n", view.text);
  const std::string oid = Store::blob_id(view.text);
  const std::string actor = store().actor();
  EXPECT_EQ(repo.git({"ls-tree", "-r", "--name-only", "refs/plans/refactor"}),
            "definitions/" + oid.substr(0, 2) + "/" + oid + "\nformat\njournal/" + actor +
                "/00/00/000000.jsonl\nledger.json\nplan.md");
  EXPECT_EQ(message("refactor").substr(0, message("refactor").find("Plan-Created")),
            "Create it\n\nPlan-Id: refactor\nPlan-Title: The refactor\nPlan-State: active\n"
            "Plan-Progress: 0/2\nPlan-Tag: one\nPlan-Tag: two\n");
  EXPECT_EQ(repo.git({"fsck", "--strict"}), "");
}

TEST_F(StoreTest, AnIdIsTakenOnceWithoutRegardToCase) {
  create("refactor");
  const ParsedPlan parsed = good(parse_plan(plan_text("Again")));
  for (const std::string id : {"refactor", "Refactor"}) {
    const auto again = store().create(id, plan_text("Again"), parsed.plan, {PlanCreated{}}, "");
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().code, ErrorCode::kRefused);
    EXPECT_EQ(again.error().message, "a plan 'refactor' exists already");
  }
}

TEST_F(StoreTest, NamesThatAreNoRefNeverBecomeOne) {
  const ParsedPlan parsed = good(parse_plan(plan_text("X")));
  for (const std::string id :
       {"../heads/main", "a/b", "a..b", "", "-x", "a\nb", "x.lock", "memory"}) {
    EXPECT_EQ(store().create(id, plan_text("X"), parsed.plan, {PlanCreated{}}, "").error().code,
              ErrorCode::kInvalid)
        << id;
    EXPECT_EQ(store().load(id).error().code, ErrorCode::kNotFound) << id;
    EXPECT_EQ(store().resolve(id).error().code, ErrorCode::kNotFound) << id;
    EXPECT_EQ(store().flush(id).error().code, ErrorCode::kNotFound) << id;
  }
  EXPECT_FALSE(fs::exists(repo.path() / ".git/refs/plans"));
}

TEST_F(StoreTest, AChangeIsOneMoreCommit) {
  const PlanView created = create("p");
  const PlanView changed = say("p", "hello");
  EXPECT_EQ(changed.identity, created.tip);
  EXPECT_NE(changed.tip, created.tip);
  EXPECT_EQ(changed.ledger.remarks, std::vector<std::string>{"hello"});
  EXPECT_EQ(repo.git({"rev-parse", "refs/plans/p^"}), created.tip);
  EXPECT_FALSE(repo.exists(wal(created)));
  EXPECT_NE(message("p").find("\nPlan-Root: " + created.tip + "\n"), std::string::npos);
  reopen();
  EXPECT_EQ(good(store().load("p")).ledger.remarks, std::vector<std::string>{"hello"});
  EXPECT_EQ(good(store().journal("p")).size(), 2u);
}

TEST_F(StoreTest, NothingDecidedIsNothingWritten) {
  const PlanView created = create("p");
  const auto nothing =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return Store::Change{}; });
  EXPECT_EQ(good(nothing).tip, created.tip);
  const auto refused = store().change("p", [](const PlanView&) -> Result<Store::Change> {
    return error(ErrorCode::kDecision, "not now");
  });
  EXPECT_EQ(refused.error().message, "not now");
  EXPECT_EQ(repo.git({"rev-parse", "refs/plans/p"}), created.tip);
  EXPECT_FALSE(repo.exists(wal(created)));
}

TEST_F(StoreTest, WhatDoesNotFitIsRefused) {
  const PlanView created = create("p");
  const auto refused = store().change("p", [](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {Remark{"", "first"}, RunEnded{"no-such-run", "completed", ""}};
    return change;
  });
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_TRUE(refused.error().message.starts_with("plan 'p': ")) << refused.error().message;
  EXPECT_EQ(good(store().journal("p")).size(), 1u);
}

TEST_F(StoreTest, ADefinitionChanges) {
  create("p", plan_text("Old"));
  const std::string text = plan_text("New", 5);
  const PlanView view =
      good(store().change("p", [&](const PlanView& before) -> Result<Store::Change> {
        DefinitionChanged changed;
        changed.definition = Store::blob_id(text);
        changed.replaces = before.ledger.heads;
        changed.title = "New";
        changed.reason = "edit";
        Store::Change change;
        change.bodies = {changed};
        change.definitions = {text};
        return change;
      }));
  EXPECT_EQ(view.text, text);
  EXPECT_EQ(view.plan.tasks().size(), 5u);
  EXPECT_EQ(repo.git({"show", "refs/plans/p:plan.md"}) + "\n", text);
  EXPECT_EQ(repo.git({"log", "-1", "--format=%s", "refs/plans/p"}), "Change the definition: edit");
  EXPECT_EQ(good(store().list()).at(0).total, 5);

  const PlanView old = good(store().load_at("p", repo.git({"rev-parse", "refs/plans/p^"})));
  EXPECT_EQ(old.text, plan_text("Old"));
  const auto events = good(store().journal("p"));
  EXPECT_EQ(good(store().load_at("p", events[0].id)).text, plan_text("Old"));
  EXPECT_EQ(good(store().load_at("p", events[1].id)).text, text);
  EXPECT_EQ(store().load_at("p", "0000").error().message, "plan 'p' has no change '0000'");
  EXPECT_EQ(store().load_at("p", "../x").error().code, ErrorCode::kNotFound);
}

TEST_F(StoreTest, FilesComeWithEvents) {
  const PlanView created = create("p");
  const auto attach = [&](const std::string& path, const std::string& content) {
    return store().change("p", [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.attachments = {{path, content}};
      return change;
    });
  };
  good(attach("waves/001-x/wave.md", "text"));
  EXPECT_EQ(good(store().file("p", "waves/001-x/wave.md")), "text");
  EXPECT_EQ(good(store().file("p", "waves/001-x/other.md")), std::nullopt);
  EXPECT_EQ(good(store().file("p", "no/../way")), std::nullopt);
  const std::string tip = repo.git({"rev-parse", "refs/plans/p"});
  good(attach("waves/001-x/wave.md", "text"));
  EXPECT_EQ(repo.git({"rev-parse", "refs/plans/p"}), tip) << "nothing changed: no commit";
  for (const std::string path : {"../x", "plan.md", "waves/../plan.md", "waves//x", "/waves/x",
                                 "waves", "waves/.git/x", "journal/x", "waves/a\nb"})
    EXPECT_EQ(attach(path, "x").error().code, ErrorCode::kInvalid) << path;
  EXPECT_EQ(attach("plan.md", "x").error().message,
            "the path 'plan.md' is not below outputs/, waves/, review/ or discovery/");
}

TEST_F(StoreTest, BetweenAppendAndFlushNothingIsLost) {
  const PlanView created = create("p", plan_text("Old"));
  const std::string text = plan_text("New", 4);
  const PlanView view = good(store().change(
      "p",
      [&](const PlanView& before) -> Result<Store::Change> {
        Store::Change change;
        change.bodies = {
            DefinitionChanged{Store::blob_id(text), before.ledger.heads, "New", "edit"}};
        change.definitions = {text};
        change.attachments = {{"waves/001/wave.md", "wave"}};
        return change;
      },
      false));
  EXPECT_EQ(view.text, text);
  EXPECT_EQ(view.tip, created.tip);
  EXPECT_TRUE(repo.exists(wal(created)));
  repo.git({"gc", "-q", "--prune=now"});
  reopen();  // another process, after a crash
  EXPECT_EQ(good(store().load("p")).text, text);
  EXPECT_EQ(good(store().file("p", "waves/001/wave.md")), "wave");
  EXPECT_EQ(good(store().list()).at(0).total, 4) << "plans at work are listed as they are";
  good(store().flush("p"));
  EXPECT_FALSE(repo.exists(wal(created)));
  EXPECT_FALSE(repo.exists(local("pending/" + created.identity.substr(0, 16))));
  EXPECT_EQ(repo.git({"show", "refs/plans/p:plan.md"}) + "\n", text);
  EXPECT_EQ(repo.git({"show", "refs/plans/p:waves/001/wave.md"}), "wave");
  const std::string tip = repo.git({"rev-parse", "refs/plans/p"});
  good(store().flush("p"));
  EXPECT_EQ(repo.git({"rev-parse", "refs/plans/p"}), tip);
  EXPECT_EQ(repo.git({"fsck", "--strict"}), "");
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(StoreTest, ACrashBetweenTheRefAndTheFileIsPassedOver) {
  const PlanView created = create("p");
  say("p", "one", false);
  const std::string records = repo.read(wal(created));
  good(store().flush("p"));
  repo.write(wal(created), records);
  reopen();
  EXPECT_EQ(good(store().load("p")).ledger.remarks.size(), 1u);
  EXPECT_EQ(good(store().journal("p")).size(), 2u);
  const std::string tip = repo.git({"rev-parse", "refs/plans/p"});
  good(store().flush("p"));
  EXPECT_EQ(repo.git({"rev-parse", "refs/plans/p"}), tip);
  EXPECT_FALSE(repo.exists(wal(created)));
  repo.write(wal(created), records);
  EXPECT_EQ(say("p", "two").ledger.remarks, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(StoreTest, DuringARunChangesWaitForItsFlush) {
  const PlanView created = create("p");
  const std::string dir = good(store().plan_dir("p"));
  {
    const RunLock lock = good(RunLock::take(dir, {"run1", "here", getpid(), 0}));
    EXPECT_EQ(say("p", "waits").tip, created.tip);
    EXPECT_TRUE(repo.exists(wal(created)));
  }
  EXPECT_NE(say("p", "takes it along").tip, created.tip);
  EXPECT_FALSE(repo.exists(wal(created)));
  EXPECT_EQ(good(store().load("p")).ledger.remarks.size(), 2u);
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(StoreTest, TheNextChangeGoesOntoWhateverIsThere) {
  create("p");
  Opened other(repo.path());
  (void)good(other.store.load("p"));
  say("p", "one");
  repo.git({"pack-refs", "--all"});
  good(other.store.change("p",
                          [](const PlanView&) -> Result<Store::Change> { return note("two"); }));
  say("p", "three");
  EXPECT_EQ(good(store().load("p")).ledger.remarks,
            (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_TRUE(good(store().fsck()).empty());
}

TEST_F(StoreTest, TheCacheDecidesNothing) {
  const PlanView created = create("p");
  (void)say("p", "one");
  reopen();  // the cache is written when a store closes
  const std::string cache = local("cache/" + created.identity.substr(0, 16) + ".ledger");
  ASSERT_TRUE(repo.exists(cache));
  const std::string text = repo.read(cache);
  std::string forged = text;
  forged.replace(forged.find("one"), 3, "two");
  for (const std::string& broken :
       {std::string(), std::string("{"), forged, text.substr(0, text.size() / 2)}) {
    repo.write(cache, broken);
    reopen();
    EXPECT_EQ(good(store().load("p")).ledger.remarks, std::vector<std::string>{"one"});
  }
  fs::remove_all(repo.path() / local("cache"));
  repo.write(local("cache"), "a file where the folder would be");
  reopen();
  EXPECT_EQ(good(store().load("p")).ledger.remarks, std::vector<std::string>{"one"});
  EXPECT_EQ(say("p", "two").ledger.remarks.size(), 2u);
}

TEST_F(StoreTest, ALargeDefinitionIsParsedOnceAndIsStillTheRefs) {
  const std::string text = plan_text("Large", 3000), other = plan_text("Other", 3001);
  const std::string cache =
      local("cache/" + create("large", text).identity.substr(0, 16) + ".definition");
  reopen();
  (void)good(store().load("large"));
  ASSERT_TRUE(repo.exists(cache));
  const std::string packed = repo.read(cache);
  const auto expect = [&](const std::string& wanted, std::size_t tasks) {
    reopen();
    const PlanView view = good(store().load("large"));
    EXPECT_EQ(view.text, wanted);
    EXPECT_EQ(view.plan.tasks().size(), tasks);
    EXPECT_EQ(view.plan.tasks().back().run, "true");
    EXPECT_EQ(view.plan.tasks().back().keys.at("run").line,
              good(parse_plan(wanted)).plan.tasks().back().keys.at("run").line);
  };
  expect(text, 3000);
  repo.write(cache, packed.substr(0, packed.size() - 1));
  expect(text, 3000);
  good(store().change("large", [&](const PlanView& before) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {
        DefinitionChanged{Store::blob_id(other), before.ledger.heads, "Other", "edit"}};
    change.definitions = {other};
    return change;
  }));
  repo.write(cache, packed);  // of the text before
  expect(other, 3001);
  expect(other, 3001);
}

TEST_F(StoreTest, ReadersWriteNothingButTheCache) {
  create("p");
  fs::remove_all(repo.path() / ".git/git-plan");
  reopen();
  (void)good(store().list());
  (void)good(store().load("p"));
  (void)good(store().resolve("p"));
  (void)good(store().journal("p"));
  (void)good(store().fsck());
  (void)good(store().plan_dir("p"));
  for (const auto& entry : fs::directory_iterator(repo.path() / ".git/git-plan"))
    EXPECT_EQ(entry.path().filename(), "cache");
}

TEST_F(StoreTest, AuthorAndCommitterAreGits) {
  const ScopedVariable author("GIT_AUTHOR_NAME", "Somebody Else");
  const ScopedVariable date("GIT_AUTHOR_DATE", "2020-02-03T04:05:06+0200");
  create("p");
  EXPECT_EQ(repo.git({"log", "-1", "--format=%an|%ae|%aI|%cn", "refs/plans/p"}),
            "Somebody Else|author@example.com|2020-02-03T04:05:06+02:00|C O Mitter");
}

TEST_F(StoreTest, WithoutAnIdentityGitsAdviceIsGiven) {
  repo.write("../nobody", "[user]\n\tuseConfigOnly = true\n");
  const ScopedVariable global("GIT_CONFIG_GLOBAL", repo.root() / "nobody");
  unsetenv("GIT_AUTHOR_NAME");
  unsetenv("GIT_AUTHOR_EMAIL");
  const ParsedPlan parsed = good(parse_plan(plan_text("X")));
  PlanCreated created{"x", "X", Store::blob_id(plan_text("X")), ""};
  const auto view = store().create("x", plan_text("X"), parsed.plan, {created}, "");
  setenv("GIT_AUTHOR_NAME", "A U Thor", 1);
  setenv("GIT_AUTHOR_EMAIL", "author@example.com", 1);
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().message, "git does not know who you are, and a plan's changes carry that");
  EXPECT_NE(view.error().hint.find("git config --global user.email"), std::string::npos)
      << view.error().hint;
  EXPECT_TRUE(good(store().list()).empty());
}

TEST_F(StoreTest, ACopyOfTheRepositoryIsAnotherActor) {
  create("p");
  const std::string actor = store().actor();
  EXPECT_FALSE(store().actor_is_new_copy());
  reopen();
  EXPECT_EQ(store().actor(), actor);
  fs::copy(repo.path(), repo.root() / "copy", fs::copy_options::recursive);
  Opened copy(repo.root() / "copy");
  EXPECT_NE(copy.store.actor(), actor);
  EXPECT_TRUE(copy.store.actor_is_new_copy());
  EXPECT_EQ(Opened(repo.root() / "copy").store.actor(), copy.store.actor());
}

TEST_F(StoreTest, WhatACopyFoundUnflushedBecomesItsOwn) {
  create("p");
  say("p", "one", false);
  say("p", "two", false);
  fs::copy(repo.path(), repo.root() / "copy", fs::copy_options::recursive);
  good(store().flush("p"));
  Opened copy(repo.root() / "copy");
  good(copy.store.change("p",
                         [](const PlanView&) -> Result<Store::Change> { return note("three"); }));
  const auto events = good(copy.store.journal("p"));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].actor, store().actor());
  EXPECT_EQ(events[1].actor, copy.store.actor());
  EXPECT_EQ(good(copy.store.load("p")).ledger.remarks,
            (std::vector<std::string>{"one", "two", "three"}));
  for (const Diagnostic& fault : good(copy.store.fsck())) ADD_FAILURE() << to_string(fault);
}

TEST_F(StoreTest, WorksInBareAndLinkedRepositories) {
  repo.commit("one");
  create("p");
  repo.git({"worktree", "add", "-q", "../linked"});
  Opened linked(repo.root() / "linked");
  EXPECT_EQ(good(linked.store.load("p")).id, "p");
  EXPECT_EQ(linked.store.actor(), store().actor());
  repo.git({"clone", "-q", "--mirror", repo.path(), "../bare.git"});
  Opened bare(repo.root() / "bare.git");
  good(bare.store.change("p",
                         [](const PlanView&) -> Result<Store::Change> { return note("bare"); }));
  EXPECT_EQ(good(bare.store.load("p")).ledger.remarks, std::vector<std::string>{"bare"});
  EXPECT_NE(bare.store.actor(), store().actor());
}

}  // namespace
}  // namespace gitplan::test
