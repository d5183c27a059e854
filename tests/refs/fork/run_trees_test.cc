#include <filesystem>

#include "refs/git/small_file.h"
#include "refs/store/local_file.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

class RunTrees : public ForkFixture {
 protected:
  RunTrees() {
    repo_.write("a.txt", "a\n");
    repo_.write(".gitignore", "build/\n");
    first_ = repo_.commit("First");
    repo_.write("b.txt", "b\n");
    second_ = repo_.commit("Second");
    open();
    must(replace_file(plan_dir() + "/id", std::string(kPlan) + "\n", true));
  }
  std::string first_, second_;
};

TEST_F(RunTrees, TheIntegrationTreeStandsWhereItShallAndIsClean) {
  const std::string tree = must(forks_->integration_tree(plan_dir(), first_));
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), first_);
  EXPECT_EQ(git_in(tree, {"rev-parse", "--abbrev-ref", "HEAD"}), "HEAD");
  EXPECT_THAT(repo_.git({"worktree", "list", "--porcelain"}),
              ::testing::HasSubstr("locked git plan: 2026-03-03-demo integration"));
  write_in(tree, "a.txt", "changed\n");
  write_in(tree, "stray", "stray\n");
  write_in(tree, "build/cache", "cache\n");
  repo_.write(".git/worktrees/1/index.lock", "");
  EXPECT_EQ(must(forks_->integration_tree(plan_dir(), second_)), tree);
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), second_);
  EXPECT_EQ(git_in(tree, {"status", "--porcelain"}), "");
  EXPECT_TRUE(exists(tree + "/build/cache")) << "what verify built is of use again";
}

TEST_F(RunTrees, ABranchCheckedOutThereIsNotMoved) {
  const std::string tree = must(forks_->integration_tree(plan_dir(), second_));
  git_in(tree, {"checkout", "-q", "-b", "mine"});
  must(forks_->integration_tree(plan_dir(), first_));
  EXPECT_EQ(repo_.git({"rev-parse", "mine"}), second_);
  EXPECT_EQ(git_in(tree, {"rev-parse", "HEAD"}), first_);
}

TEST_F(RunTrees, MadeAgainWhenItWasDeletedOrHalfMade) {
  const std::string tree = must(forks_->integration_tree(plan_dir(), first_));
  std::filesystem::remove_all(tree);
  EXPECT_EQ(must(forks_->integration_tree(plan_dir(), second_)), tree);
  std::filesystem::remove(plan_dir() + "/integration");
  EXPECT_EQ(must(forks_->integration_tree(plan_dir(), second_)), tree);
  must(forks_->release_integration_tree(plan_dir()));
  must(forks_->release_integration_tree(plan_dir()));
  EXPECT_FALSE(exists(repo_.root() / "repo.plan"));
  EXPECT_FALSE(exists(plan_dir() + "/integration"));
}

TEST_F(RunTrees, NothingIsLeftWhenTheTreeWasGoneBefore) {
  const std::string tree = must(forks_->integration_tree(plan_dir(), first_));
  repo_.git({"worktree", "remove", "--force", "--force", tree});
  must(forks_->release_integration_tree(plan_dir()));
  EXPECT_FALSE(exists(repo_.root() / "repo.plan"));
}

TEST_F(RunTrees, AHandTreeStaysAsThePersonLeftIt) {
  const std::string tree = must(forks_->hand_tree(plan_dir(), "d1", first_));
  EXPECT_EQ(tree, (repo_.root() / "repo.plan/1-hand").string());
  write_in(tree, "a.txt", "half resolved\n");
  EXPECT_EQ(must(forks_->hand_tree(plan_dir(), "d1", second_)), tree);
  EXPECT_EQ(git_in(tree, {"status", "--porcelain"}), " M a.txt");
  must(forks_->release_hand_tree(plan_dir(), "d1"));
  EXPECT_FALSE(exists(tree));
  EXPECT_FALSE(exists(plan_dir() + "/hand"));
}

class Gc : public RunTrees {
 protected:
  std::vector<std::string> gc(const std::vector<Forks::LivePlan>& live, bool remove) {
    std::vector<std::string> result;
    for (const auto& one : must(forks_->gc(live, remove)))
      result.push_back(one.what + ": " + one.why);
    return result;
  }
};

TEST_F(Gc, WhatALivingPlanHasStays) {
  work(spec("one", second_), {{"c.txt", "c\n"}});
  must(forks_->integration_tree(plan_dir(), second_));
  must(forks_->hand_tree(plan_dir(), "d1", second_));
  EXPECT_THAT(gc({{kPlan, plan_dir()}}, true), ::testing::ElementsAre());
}

TEST_F(Gc, AnUnlandedResultNeedsNoLocalFilesToStay) {
  const Work done = work(spec("one", second_), {{"c.txt", "c\n"}});
  repo_.git({"branch", "plan/" + std::string(kPlan) + "/integration", done.commit});
  must(forks_->release(spec("one", second_)));
  std::filesystem::remove_all(plan_dir());
  repo_.git({"config", "plan.gcAge", "0"});
  settings_ = std::make_unique<Settings>(must(Settings::read(*repository_)));
  forks_ = std::make_unique<Forks>(*repository_, *settings_, kActor);
  EXPECT_THAT(gc({{kPlan, plan_dir()}}, true), ::testing::ElementsAre());
  EXPECT_EQ(repo_.git({"rev-parse", "plan/" + std::string(kPlan) + "/integration"}), done.commit);
}

TEST_F(Gc, OrphansAreSaidThenRemoved) {
  const Work done = work(spec("one", second_), {{"c.txt", "c\n"}});
  const std::string dirty = must(forks_->ensure(spec("two", second_)));
  write_in(dirty, "d.txt", "d\n");
  std::filesystem::remove_all(plan_dir());
  const std::string one = (repo_.root() / "repo.plan/1").string();
  EXPECT_THAT(gc({}, false), ::testing::UnorderedElementsAre(
                                 "worktree " + one + ": no attempt of a plan has it",
                                 "worktree " + dirty + ": no attempt of a plan has it",
                                 "branch plan/2026-03-03-demo/one: its plan is not here",
                                 "branch plan/2026-03-03-demo/two: its plan is not here"));
  EXPECT_TRUE(exists(one));
  EXPECT_THAT(gc({}, true), ::testing::UnorderedElementsAre(
                                "worktree " + one + ": no attempt of a plan has it",
                                "worktree " + dirty +
                                    ": no attempt of a plan has it, but it holds changes that "
                                    "are in no commit",
                                "branch plan/2026-03-03-demo/one: its plan is not here"));
  EXPECT_FALSE(exists(one));
  EXPECT_TRUE(exists(dirty + "/d.txt"));
  EXPECT_EQ(repo_.git({"cat-file", "-t", done.commit}), "commit");
}

TEST_F(Gc, KeptWorkGoesWhenItIsOldAndItsPlanIsGone) {
  work(spec("one", second_), {{"c.txt", "c\n"}});
  must(forks_->release(spec("one", second_)));
  EXPECT_THAT(gc({{kPlan, plan_dir()}}, true), ::testing::ElementsAre());
  std::filesystem::remove_all(plan_dir());
  EXPECT_THAT(gc({}, true), ::testing::ElementsAre()) << "it is of today";
  repo_.git({"config", "plan.gcAge", "0"});
  settings_ = std::make_unique<Settings>(must(Settings::read(*repository_)));
  forks_ = std::make_unique<Forks>(*repository_, *settings_, kActor);
  EXPECT_THAT(gc({}, true), ::testing::ElementsAre(
                                "kept work of plan '2026-03-03-demo': the plan is not here, and "
                                "it is older than 0 days"));
  EXPECT_EQ(repo_.git({"for-each-ref", "refs/plan-keep"}), "");
}

}  // namespace
}  // namespace gitplan::test
