// Commits of waves that an amend or a rebase replaced: what git says of them, and what is recorded.
#include "hooks/rewritten.h"

#include "core/journal/event.h"
#include "hooks/watch_build.h"
#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using Commits = std::vector<std::pair<std::string, std::string>>;

TEST(RewrittenCommits, AreReadLineByLine) {
  EXPECT_THAT(rewritten_commits(""), IsEmpty());
  EXPECT_THAT(rewritten_commits("a b\nc d more words\ne f"),
              ElementsAre(Pair("a", "b"), Pair("c", "d"), Pair("e", "f")));
  EXPECT_THAT(rewritten_commits("\nword\n\na b\n"), ElementsAre(Pair("a", "b")));
  EXPECT_THAT(rewritten_commits("a c\nb c\n"), ElementsAre(Pair("a", "c"), Pair("b", "c")))
      << "two became one";
}

// The plan "x" is done: its task stands in main's last commit.
class RecordRewritten : public ::testing::Test {
 protected:
  RecordRewritten() {
    repo_.make_plan();
    const ProcessResult run = repo_.plan({"execute", "x", "--yes"});
    EXPECT_EQ(run.exit_status, 0) << run.out << run.err;
    wave_ = head();
    auto repository = Repository::open_at(repo_.path());
    EXPECT_TRUE(repository.ok());
    repository_ = std::make_unique<Repository>(*std::move(repository));
    auto store = Store::open(*repository_);
    EXPECT_TRUE(store.ok());
    store_ = std::make_unique<Store>(*std::move(store));
  }
  std::string head() { return repo_.git({"rev-parse", "HEAD"}); }
  Watch watch() { return *current_watch(*repository_, *store_, std::chrono::seconds(30)); }
  int record(const Commits& commits) { return *record_rewritten(*store_, watch(), commits); }
  TaskRecord task() { return store_->load("x")->ledger.task("parser"); }
  std::string made(char c) { return std::string(40, c); }

  HookRepo repo_{false};
  std::string wave_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<Store> store_;
};

TEST_F(RecordRewritten, EachOnceAndOnlyThoseOfWaves) {
  EXPECT_EQ(task().commit, wave_);
  EXPECT_EQ(record({}), 0);
  EXPECT_EQ(record({{made('1'), made('2')}, {wave_, wave_}}), 0);
  EXPECT_EQ(record({{made('1'), made('2')}, {wave_, made('a')}}), 1);
  EXPECT_EQ(record({{wave_, made('a')}}), 0) << "said again";
  EXPECT_THAT(task().rewritten, ElementsAre(made('a')));
  EXPECT_EQ(task().commit, wave_);
  EXPECT_EQ(task().status, TaskStatus::kCompleted);
}

TEST_F(RecordRewritten, WhatReplacedThemIsFollowedOn) {
  EXPECT_EQ(record({{wave_, made('a')}}), 1);
  EXPECT_EQ(record({{made('a'), made('b')}}), 1);
  EXPECT_THAT(task().rewritten, ElementsAre(made('a'), made('b')));
}

TEST_F(RecordRewritten, APlanThatIsGoneIsPassedOver) {
  const Watch before = watch();
  repo_.git({"update-ref", "-d", "refs/plans/x"});
  EXPECT_EQ(*record_rewritten(*store_, before, {{wave_, made('a')}}), 0);
}

TEST_F(RecordRewritten, ByGitsOwnHookAfterAmendAndRebase) {
  EXPECT_EQ(repo_.plan({"hooks", "install"}).exit_status, 0);
  repo_.git({"commit", "-q", "--amend", "-m", "Said better"});
  const std::string amended = head();
  EXPECT_THAT(task().rewritten, ElementsAre(amended));
  for (const char* backend : {"--merge", "--apply"}) {
    repo_.git({"rebase", "-q", "--force-rebase", backend, "HEAD~1"});
    repo_.git({"commit", "-q", "--amend", "-m", std::string("By ") + backend});
  }
  EXPECT_EQ(task().rewritten.back(), head());
  EXPECT_EQ(task().status, TaskStatus::kCompleted);
}

}  // namespace
}  // namespace gitplan::test
