#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "refs/fork/forks.h"
#include "refs/fork/keep_ref.h"
#include "refs/fork/left_state.h"
#include "refs/git/small_file.h"
#include "tests/refs/fork/fork_fixture.h"

namespace gitplan::test {
namespace {

using Paths = std::vector<std::string>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Collect : public ForkFixture {
 protected:
  Collect() {
    repo_.write("a.txt", "one\ntwo\nthree\n");
    repo_.write(".gitignore", ".env\nout/\n");
    base_ = repo_.commit("Base");
    open();
    spec_ = spec("one", base_);
    tree_ = must(forks_->ensure(spec_));
  }

  Work collect() { return must(forks_->collect(spec_, "Do it")); }
  std::string commit_in_tree(const std::string& message) {
    git_in(tree_, {"add", "-A"});
    git_in(tree_, {"commit", "-q", "--allow-empty", "-m", message});
    return git_in(tree_, {"rev-parse", "HEAD"});
  }
  std::string branch_tip() const { return repo_.git({"rev-parse", spec_.branch}); }
  bool kept(const std::string& commit) const {
    return is_kept(*repository_, kPlan, kActor, commit);
  }

  ForkSpec spec_;
  std::string base_, tree_;
};

TEST_F(Collect, NothingDone) {
  const Work work = collect();
  EXPECT_EQ(work.commit, base_);
  EXPECT_FALSE(work.changed);
  EXPECT_THAT(work.paths, ElementsAre());
  EXPECT_THAT(work.remarks, ElementsAre());
}

TEST_F(Collect, WhatIsUncommittedIsCommitted) {
  script(".git/hooks/pre-commit", "exit 1\n");
  script(".git/hooks/commit-msg", "exit 1\n");
  repo_.git({"config", "commit.gpgSign", "true"});
  repo_.git({"config", "gpg.program", "/bin/false"});
  write_in(tree_, "b \"c\"\n.txt", "new\n");
  write_in(tree_, ".env", "SECRET=0123456789abcdef\n");
  write_in(tree_, ".git-plan/0123456789ab.1/brief.md", "brief\n");
  std::filesystem::remove(tree_ + "/a.txt");
  const Work work = collect();
  EXPECT_TRUE(work.changed);
  EXPECT_THAT(work.paths, ElementsAre("a.txt", "b \"c\"\n.txt"));
  EXPECT_THAT(work.remarks, ElementsAre());
  EXPECT_EQ(branch_tip(), work.commit);
  EXPECT_EQ(git_in(tree_, {"status", "--porcelain"}), "?? .git-plan/");
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P|%an|%B", work.commit}),
            base_ + "|A U Thor|Do it\n\nPlan: 2026-03-03-demo\nPlan-Attempt: one/0123456789ab.1\n");
  EXPECT_TRUE(kept(work.commit));
}

TEST_F(Collect, RepeatedGivesTheSame) {
  write_in(tree_, "b.txt", "new\n");
  const Work first = collect(), second = collect();
  EXPECT_EQ(first.commit, second.commit);
  EXPECT_EQ(repo_.git({"rev-list", "--count", keep_ref(kPlan, kActor), "--not", base_}), "2");
}

TEST_F(Collect, OwnCommitsAndMoreOnTop) {
  write_in(tree_, "b.txt", "b\n");
  const std::string own = commit_in_tree("Mine");
  write_in(tree_, "c.txt", "c\n");
  const Work work = collect();
  EXPECT_EQ(repo_.git({"rev-parse", work.commit + "^"}), own);
  EXPECT_THAT(work.paths, ElementsAre("b.txt", "c.txt"));
}

TEST_F(Collect, PlanFilesThatTheAgentCommittedAreTakenOut) {
  write_in(tree_, ".git-plan/x/brief.md", "brief\n");
  git_in(tree_, {"add", "-f", ".git-plan"});
  write_in(tree_, "b.txt", "b\n");
  commit_in_tree("All of it");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_TRUE(exists(tree_ + "/.git-plan/x/brief.md"));
}

TEST_F(Collect, DetachedHead) {
  git_in(tree_, {"checkout", "-q", "--detach"});
  write_in(tree_, "b.txt", "b\n");
  const std::string own = commit_in_tree("Detached");
  const Work work = collect();
  EXPECT_EQ(work.commit, own);
  EXPECT_THAT(work.missing, ElementsAre()) << "all of its work is there";
  EXPECT_THAT(work.remarks, ElementsAre("detached its HEAD (at " + own.substr(0, 12) + ")"));
  EXPECT_EQ(branch_tip(), own);
  EXPECT_EQ(git_in(tree_, {"symbolic-ref", "HEAD"}), spec_.branch);
}

TEST_F(Collect, LeftAtAnOlderCommit) {
  write_in(tree_, "b.txt", "b\n");
  const std::string own = commit_in_tree("Work");
  git_in(tree_, {"checkout", "-q", base_});
  const Work work = collect();
  EXPECT_EQ(work.commit, own);
  EXPECT_THAT(work.remarks,
              ElementsAre("detached its HEAD (at " + base_.substr(0, 12) + ")",
                          "left its tree at an older commit; taken: the tip of its branch"));
  EXPECT_TRUE(exists(tree_ + "/b.txt"));
  EXPECT_EQ(git_in(tree_, {"status", "--porcelain"}), "");
}

TEST_F(Collect, BranchAndTreeParted) {
  write_in(tree_, "b.txt", "b\n");
  const std::string on_branch = commit_in_tree("On the branch");
  git_in(tree_, {"checkout", "-q", base_});
  write_in(tree_, "c.txt", "c\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("c.txt"));
  EXPECT_THAT(work.remarks, ElementsAre("detached its HEAD (at " + base_.substr(0, 12) + ")",
                                        "its branch held commits that its tree does not: " +
                                            on_branch.substr(0, 12) + " (kept)"));
  EXPECT_TRUE(kept(on_branch));
}

TEST_F(Collect, AnotherBranchIsSaidAndNotMoved) {
  git_in(tree_, {"checkout", "-q", "-b", "feature"});
  write_in(tree_, "b.txt", "b\n");
  const std::string own = commit_in_tree("Feature");
  write_in(tree_, "c.txt", "c\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt", "c.txt"));
  EXPECT_THAT(work.remarks, ElementsAre("checked out another branch: feature",
                                        "made commits on another branch: feature (" +
                                            own.substr(0, 12) + ", kept)"));
  EXPECT_THAT(work.missing, ElementsAre("its worktree is not on its branch "
                                        "'plan/2026-03-03-demo/one' any more, but on 'feature'"));
  EXPECT_EQ(collect().missing, work.missing) << "a successor must know it too";
  EXPECT_EQ(repo_.git({"rev-parse", "feature"}), own) << "not ours to move";
  EXPECT_EQ(branch_tip(), work.commit);
}

// Nothing but the reflog of the tree's HEAD has these, and that goes with the tree.
TEST_F(Collect, CommitsThatItLeftBehindAreKept) {
  const auto made = [&](const std::string& text) {
    write_in(tree_, "b.txt", text);
    return commit_in_tree(text);
  };
  const std::string amended = made("amended");
  write_in(tree_, "b.txt", "better");
  git_in(tree_, {"commit", "-q", "-a", "--amend", "-m", "Better"});
  const std::string reset = made("reset");
  git_in(tree_, {"reset", "-q", "--hard", "HEAD~1"});
  git_in(tree_, {"checkout", "-q", "-b", "passing"});
  made("first of a deleted branch");
  const std::string deleted = made("deleted");
  git_in(tree_, {"checkout", "-q", "plan/2026-03-03-demo/one"});
  git_in(tree_, {"branch", "-q", "-D", "passing"});
  git_in(tree_, {"checkout", "-q", "--detach"});
  const std::string detached = made("detached");
  git_in(tree_, {"checkout", "-q", "plan/2026-03-03-demo/one"});
  const Work work = collect();
  EXPECT_THAT(work.remarks, ElementsAre("left commits behind: " + detached.substr(0, 12) + ", " +
                                        deleted.substr(0, 12) + ", " + reset.substr(0, 12) + ", " +
                                        amended.substr(0, 12) + " (kept)"));
  EXPECT_TRUE(work.missing.empty());
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  for (const std::string& commit : {amended, reset, deleted, detached})
    EXPECT_EQ(
        repo_.git({"for-each-ref", "--contains", commit, "--format=%(refname)", "refs/plan-keep"})
            .substr(0, 14),
        "refs/plan-keep");
  EXPECT_TRUE(collect().remarks.empty()) << "they are kept by now";
}

TEST_F(Collect, AReflogThatTheAgentMadeUpHoldsNobodyUp) {
  write_in(tree_, "b.txt", "b\n");
  const std::string log = git_in(tree_, {"rev-parse", "--git-path", "logs/HEAD"});
  std::ofstream(log, std::ios::app) << std::string(40, 'z') << ' ' << std::string(40, 'z') << " x\n"
                                    << base_ << ' ' << std::string(40, '1') << " x\nshort\n";
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_TRUE(work.remarks.empty());
}

TEST_F(Collect, DeletedItsBranch) {
  git_in(tree_, {"checkout", "-q", "--detach"});
  git_in(tree_, {"branch", "-D", "plan/2026-03-03-demo/one"});
  write_in(tree_, "b.txt", "b\n");
  const Work work = collect();
  EXPECT_THAT(work.remarks, ElementsAre("detached its HEAD (at " + base_.substr(0, 12) + ")",
                                        "deleted its branch"));
  EXPECT_THAT(work.missing, ElementsAre("its branch 'plan/2026-03-03-demo/one' is gone"));
  EXPECT_EQ(branch_tip(), work.commit);
}

TEST_F(Collect, AmendedBase) {
  write_in(tree_, "b.txt", "b\n");
  git_in(tree_, {"add", "."});
  git_in(tree_, {"commit", "-q", "--amend", "-m", "Amended"});
  const std::string amended = git_in(tree_, {"rev-parse", "HEAD"});
  const Work work = collect();
  EXPECT_THAT(work.remarks,
              ElementsAre("amended its base; its result is taken as one commit on the base (" +
                          amended.substr(0, 12) + ", kept)"));
  EXPECT_EQ(repo_.git({"rev-parse", work.commit + "^"}), base_);
  EXPECT_EQ(repo_.git({"rev-parse", work.commit + "^{tree}"}),
            repo_.git({"rev-parse", amended + "^{tree}"}));
  EXPECT_TRUE(kept(amended));
  EXPECT_EQ(collect().commit, work.commit);
}

TEST_F(Collect, OrphanBranch) {
  git_in(tree_, {"checkout", "-q", "--orphan", "fresh"});
  write_in(tree_, "b.txt", "b\n");
  const Work work = collect();
  EXPECT_THAT(work.remarks, ElementsAre("checked out another branch: fresh"));
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_EQ(repo_.git({"rev-parse", work.commit + "^"}), base_);
}

class CollectMerge : public Collect {
 protected:
  CollectMerge() {
    write_in(tree_, "a.txt", "one\nTASK\nthree\n");
    task_ = commit_in_tree("Task");
    repo_.write("a.txt", "one\nUSER\nthree\n");
    other_ = repo_.commit("User");
  }
  ProcessResult run_in_tree(Words words) {
    words.insert(words.begin(), {"git", "-C", tree_});
    return repo_.run(words);
  }
  std::string task_, other_;
};

TEST_F(CollectMerge, HalfDoneIsNoWork) {
  EXPECT_EQ(run_in_tree({"merge", other_}).exit_status, 1);
  const Work work = collect();
  EXPECT_FALSE(work.changed);
  EXPECT_EQ(work.commit, base_);
  EXPECT_THAT(work.remarks, ElementsAre("left a merge half done: a.txt not resolved"));
  EXPECT_TRUE(kept(task_));
  EXPECT_EQ(git_in(tree_, {"status", "--porcelain"}), "UU a.txt") << "left for a look";
}

TEST_F(CollectMerge, MarksThatWereAddedAreStillMarks) {
  EXPECT_EQ(run_in_tree({"merge", other_}).exit_status, 1);
  git_in(tree_, {"add", "a.txt"});
  const Work work = collect();
  EXPECT_FALSE(work.changed);
  EXPECT_THAT(work.remarks, ElementsAre("left a merge half done: a.txt not resolved"));
}

TEST_F(CollectMerge, ResolvedButNotCommittedIsConcluded) {
  EXPECT_EQ(run_in_tree({"merge", other_}).exit_status, 1);
  write_in(tree_, "a.txt", "one\nBOTH\nthree\n");
  git_in(tree_, {"add", "a.txt"});
  const Work work = collect();
  EXPECT_TRUE(work.changed);
  EXPECT_THAT(work.remarks, ElementsAre());
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P", work.commit}), task_ + " " + other_);
  EXPECT_FALSE(exists(repo_.path() / ".git/worktrees/1/MERGE_HEAD"));
}

TEST_F(CollectMerge, RebaseHalfDone) {
  EXPECT_NE(run_in_tree({"rebase", other_}).exit_status, 0);
  const Work work = collect();
  EXPECT_FALSE(work.changed);
  EXPECT_THAT(work.remarks, ElementsAre("detached its HEAD (at " + other_.substr(0, 12) + ")",
                                        "left a rebase half done: a.txt not resolved"));
  EXPECT_TRUE(kept(task_));
}

TEST_F(CollectMerge, RebaseWithCommitsStillToCome) {
  write_in(tree_, "b.txt", "b\n");
  commit_in_tree("More");
  EXPECT_NE(run_in_tree({"rebase", other_}).exit_status, 0);
  write_in(tree_, "a.txt", "one\nBOTH\nthree\n");
  git_in(tree_, {"add", "a.txt"});
  const Work work = collect();
  EXPECT_FALSE(work.changed);
  EXPECT_EQ(work.remarks.back(), "left a rebase half done");
}

TEST_F(CollectMerge, ConflictsOfAStash) {
  write_in(tree_, "a.txt", "one\nSTASH\nthree\n");
  git_in(tree_, {"stash", "-q"});
  write_in(tree_, "a.txt", "one\nAGAIN\nthree\n");
  commit_in_tree("Again");
  EXPECT_NE(run_in_tree({"stash", "pop"}).exit_status, 0);
  const Work work = collect();
  EXPECT_FALSE(work.changed);
  EXPECT_THAT(work.remarks, ElementsAre("left conflicts: a.txt not resolved",
                                        "left changes in a stash: git stash show -p " +
                                            repo_.git({"rev-parse", "--short=12", "stash"})));
}

TEST_F(CollectMerge, CherryPickHalfDone) {
  EXPECT_NE(run_in_tree({"cherry-pick", other_}).exit_status, 0);
  EXPECT_THAT(collect().remarks, ElementsAre("left a cherry-pick half done: a.txt not resolved"));
}

TEST_F(Collect, MarksOutsideOfAMergeAreText) {
  write_in(tree_, "doc.md", "<<<<<<< ours\n=======\n>>>>>>> theirs\n");
  EXPECT_TRUE(collect().changed);
}

TEST_F(Collect, TreeDeletedByTheAgent) {
  write_in(tree_, "b.txt", "b\n");
  const std::string own = commit_in_tree("Work");
  std::filesystem::remove_all(tree_);
  const Work work = collect();
  EXPECT_EQ(work.commit, own);
  EXPECT_THAT(work.remarks, ElementsAre("its worktree is gone; taken: what its branch holds"));
  EXPECT_THAT(work.missing,
              ElementsAre("its worktree is gone, and with it what was not committed"));
  EXPECT_TRUE(kept(own));
}

TEST_F(Collect, TheGitFileWasDeleted) {
  std::filesystem::remove(tree_ + "/.git");
  write_in(tree_, "b.txt", "b\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_THAT(work.remarks, ElementsAre("removed or changed the file .git of its tree"));
  EXPECT_THAT(work.missing, ElementsAre("the file .git of its worktree is missing or changed"));
  EXPECT_EQ(collect().missing, work.missing) << "a successor must know it too";
  EXPECT_EQ(git_in(tree_, {"rev-parse", "HEAD"}), work.commit);
}

TEST_F(Collect, TheGitFileWasReplacedByARepository) {
  std::filesystem::remove(tree_ + "/.git");
  repo_.git({"init", "-q", tree_});
  write_in(tree_, "b.txt", "b\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_THAT(work.remarks, ElementsAre("made a repository of its own in its tree"));
  EXPECT_THAT(work.missing, ElementsAre("its worktree was made a repository of its own"));
}

TEST_F(Collect, ARepositoryInsideIsNotTaken) {
  repo_.git({"init", "-q", tree_ + "/vendor/lib"});
  write_in(tree_, "vendor/lib/x", "x\n");
  git_in(tree_ + "/vendor/lib", {"add", "."});
  git_in(tree_ + "/vendor/lib", {"commit", "-q", "-m", "x"});
  write_in(tree_, "b.txt", "b\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("b.txt"));
  EXPECT_THAT(
      work.remarks,
      ElementsAre("made a repository of its own in vendor/lib; what is in it is not taken"));
  EXPECT_FALSE(forks_->release(spec_)) << "its files are nowhere else";
}

TEST_F(Collect, LocksOfAKilledGitGo) {
  write_in(tree_, "b.txt", "b\n");
  repo_.write(".git/worktrees/1/index.lock", "");
  repo_.write(".git/worktrees/1/HEAD.lock", "");
  repo_.write(".git/" + spec_.branch + ".lock", "");
  EXPECT_TRUE(collect().changed);
}

TEST_F(Collect, AnIgnoredFileThatIsNotIgnoredAnyMore) {
  repo_.write(".env", "SECRET=0123456789abcdef\n");
  write_in(tree_, ".env", "SECRET=0123456789abcdef\n");
  write_in(tree_, ".gitignore", "out/\n");
  write_in(tree_, "config/copy.txt", "SECRET=0123456789abcdef\n");
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre(".gitignore"));
  EXPECT_THAT(
      work.remarks,
      ElementsAre("left out: .env, an ignored file of yours",
                  "left out: config/copy.txt (the content of .env), an ignored file of yours"));
  EXPECT_THAT(work.planted, ElementsAre());
  must(forks_->release(spec_));
}

TEST_F(Collect, PlantedInItsOwnCommit) {
  repo_.write(".env", "SECRET=0123456789abcdef\n");
  repo_.write("out/short", "short\n");
  write_in(tree_, "config.txt", "SECRET=0123456789abcdef\n");
  write_in(tree_, "short.txt", "short\n");
  commit_in_tree("Copied");
  const Work work = collect();
  EXPECT_THAT(work.planted, ElementsAre("config.txt (the content of .env)"));
  std::filesystem::remove(tree_ + "/config.txt");
  commit_in_tree("Away again");
  EXPECT_THAT(must(forks_->collect(spec_, "Again")).planted,
              ElementsAre("config.txt (the content of .env)"))
      << "still in its history";
}

TEST_F(Collect, WhatTheIndexHidesIsTakenToo) {
  repo_.write("b.txt", "b\n");
  spec_ = spec("two", repo_.commit("More"));
  tree_ = must(forks_->ensure(spec_));
  git_in(tree_, {"update-index", "--assume-unchanged", "a.txt"});
  git_in(tree_, {"update-index", "--skip-worktree", "b.txt"});
  write_in(tree_, "a.txt", "hidden\n");
  write_in(tree_, "b.txt", "skipped\n");
  EXPECT_THAT(collect().paths, ElementsAre("a.txt", "b.txt"));
}

TEST_F(Collect, WhatASparseCheckoutLeavesOutIsNotDeleted) {
  repo_.write("in/b.txt", "b\n");
  repo_.write("out/c.txt", "c\n");
  spec_ = spec("two", repo_.commit("More"));
  tree_ = must(forks_->ensure(spec_));
  git_in(tree_, {"sparse-checkout", "set", "in"});
  write_in(tree_, "in/b.txt", "changed\n");
  EXPECT_THAT(collect().paths, ElementsAre("in/b.txt"));
}

TEST_F(Collect, AFifoInPlaceOfAFileOfGitsHoldsNobodyUp) {
  const std::string admin = git_in(tree_, {"rev-parse", "--absolute-git-dir"});
  for (const std::string& file : {tree_ + "/.git", admin + "/MERGE_HEAD", admin + "/plan-index"}) {
    std::filesystem::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0) << file;
  }
  write_in(tree_, "n.txt", "new\n");
  EXPECT_THAT(collect().paths, ElementsAre("n.txt"));
}

TEST_F(Collect, SubmoduleThatMovedIsSaidAndItsCommitIsKept) {
  const std::string library = (repo_.root() / "library").string();
  repo_.git({"init", "-q", "-b", "main", library});
  git_in(library, {"commit", "-q", "--allow-empty", "-m", "One"});
  repo_.git({"submodule", "--quiet", "add", library, "lib"});
  const std::string base = repo_.commit("Submodule");
  spec_ = spec("two", base);
  tree_ = must(forks_->ensure(spec_));
  git_in(tree_, {"submodule", "--quiet", "update", "--init"});
  git_in(tree_ + "/lib", {"commit", "-q", "--allow-empty", "-m", "Two"});
  const std::string commit = git_in(tree_ + "/lib", {"rev-parse", "HEAD"});
  const Work work = collect();
  EXPECT_THAT(work.paths, ElementsAre("lib"));
  EXPECT_THAT(work.remarks, ElementsAre("moved the submodule lib to " + commit.substr(0, 12) +
                                        ", which your clone of it keeps: push it from there"));
  must(forks_->release(spec_));
  repo_.git({"checkout", "-q", work.commit});
  repo_.git({"submodule", "--quiet", "update"});
  EXPECT_EQ(repo_.git({"-C", "lib", "rev-parse", "HEAD"}), commit);
}

TEST_F(Collect, AFilterThatFailsIsAnErrorAndLosesNothing) {
  repo_.git({"config", "filter.bad.clean", "false"});
  repo_.git({"config", "filter.bad.required", "true"});
  write_in(tree_, ".gitattributes", "*.bad filter=bad\n");
  write_in(tree_, "x.bad", "x\n");
  write_in(tree_, "b.txt", "b\n");
  const auto collected = forks_->collect(spec_, "Do it");
  ASSERT_FALSE(collected);
  EXPECT_THAT(collected.error().message, HasSubstr("x.bad: clean filter 'bad' failed"));
  EXPECT_TRUE(exists(tree_ + "/b.txt"));
}

TEST(ConflictMarks, OnlyAtTheStartOfALine) {
  EXPECT_TRUE(has_conflict_marks("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n"));
  EXPECT_FALSE(has_conflict_marks("a <<<<<<< HEAD\n >>>>>>> x\n"));
  EXPECT_FALSE(has_conflict_marks("<<<<<<< HEAD\n"));
}

}  // namespace
}  // namespace gitplan::test
