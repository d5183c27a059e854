#include "refs/fork/keep_ref.h"

#include <fstream>
#include <thread>

#include "refs/git/small_file.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

class KeepRef : public ForkFixture {
 protected:
  KeepRef() {
    repo_.write("a.txt", "a\n");
    base_ = repo_.commit("Base");
    open();
  }
  std::string loose_commit(const std::string& message) {
    return repo_.git({"commit-tree", base_ + "^{tree}", "-p", base_, "-m", message});
  }
  std::string parents() { return repo_.git({"log", "-1", "--format=%P", keep_ref(kPlan, kActor)}); }
  std::string base_;
};

TEST_F(KeepRef, OneChain) {
  const std::string one = loose_commit("one"), two = loose_commit("two"), three = loose_commit("3");
  must(keep_commits(*repository_, kPlan, kActor, {one, two, one}));
  EXPECT_EQ(keep_ref(kPlan, kActor), "refs/plan-keep/2026-03-03-demo--0123456789ab");
  const std::string first = repo_.git({"rev-parse", keep_ref(kPlan, kActor)});
  EXPECT_EQ(parents(), one + " " + two);
  EXPECT_EQ(repo_.git({"ls-tree", first}), "");
  must(keep_commits(*repository_, kPlan, kActor, {two, three}));
  EXPECT_EQ(parents(), first + " " + three);
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, one));
  EXPECT_EQ(repo_.run({"git", "fsck", "--strict"}).out, "");
  repo_.git({"gc", "-q", "--prune=now"});
  EXPECT_EQ(repo_.git({"cat-file", "-t", one}), "commit");
}

TEST_F(KeepRef, WhatIsKeptIsNotKeptAgain) {
  const std::string one = loose_commit("one");
  must(keep_commits(*repository_, kPlan, kActor, {one}));
  const std::string tip = repo_.git({"rev-parse", keep_ref(kPlan, kActor)});
  must(keep_commits(*repository_, kPlan, kActor, {one, base_, ""}));
  EXPECT_EQ(repo_.git({"rev-parse", keep_ref(kPlan, kActor)}), tip);
  must(keep_commits(*repository_, "other", kActor, {}));
  EXPECT_FALSE(exists(repo_.path() / ".git/refs/plan-keep/other--0123456789ab"));
}

TEST_F(KeepRef, ALockThatAKilledProcessLeftHoldsNobodyUp) {
  const std::string lock = ".git/" + keep_ref(kPlan, kActor) + ".lock";
  repo_.write(lock, "");
  repo_.run({"touch", "-d", "1 minute ago", lock});
  const std::string one = loose_commit("one");
  must(keep_commits(*repository_, kPlan, kActor, {one}));
  EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, one));
  EXPECT_FALSE(repo_.exists(lock));
}

TEST_F(KeepRef, ALockThatSomebodyHoldsIsNamed) {
  const std::filesystem::path lock = repo_.path() / (".git/" + keep_ref(kPlan, kActor) + ".lock");
  repo_.write(lock.lexically_relative(repo_.path()), "");
  std::ofstream holder(lock, std::ios::app);
  const Status kept = keep_commits(*repository_, kPlan, kActor, {loose_commit("one")});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, ErrorCode::kBusy);
  EXPECT_EQ(kept.error().hint, "remove " + lock.string() + " if no git is at work");
}

TEST_F(KeepRef, ManyWritersLoseNothing) {
  std::vector<std::string> commits;
  for (int i = 0; i < 24; ++i) commits.push_back(loose_commit("c" + std::to_string(i)));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto repository = must(Repository::open_at(repo_.path().string()));
      for (std::size_t i = t; i < commits.size(); i += 4)
        must(keep_commits(repository, kPlan, kActor, {commits[i]}));
    });
  for (auto& thread : threads) thread.join();
  for (const std::string& commit : commits)
    EXPECT_TRUE(is_kept(*repository_, kPlan, kActor, commit));
}

}  // namespace
}  // namespace gitplan::test
