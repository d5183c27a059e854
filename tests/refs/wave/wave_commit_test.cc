#include "refs/wave/wave_commit.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "tests/refs/wave/wave_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class WaveCommit : public WaveFixture {
 protected:
  WaveCommit() {
    start({{"a.txt", "a\n"}});
    options_.plan = kPlan;
    options_.deadline = std::chrono::seconds(30);
    effect_.wave = 3;
    effect_.run = "0123456789ab-1";
    effect_.base = base_;
    effect_.subject = "Add b";
    effect_.tasks = {"one", "two"};
    effect_.tree = tree_with({{"b.txt", "b\n"}});
  }
  std::string tree_with(const Files& files) {
    return repo_.git({"rev-parse", commit_on(base_, files) + "^{tree}"});
  }
  std::variant<Committed, CommitRefused> run() {
    return must(commit_wave(*repository_, effect_, options_, tree_));
  }
  std::string committed() {
    const auto answer = run();
    if (const auto* refused = std::get_if<CommitRefused>(&answer))
      throw std::runtime_error(refused->by + ": " + refused->output);
    return std::get<Committed>(answer).commit;
  }
  CommitRefused refused() {
    const auto answer = run();
    if (const auto* made = std::get_if<Committed>(&answer))
      throw std::runtime_error("committed " + made->commit);
    return std::get<CommitRefused>(answer);
  }
  void config(const std::string& key, const std::string& value) {
    repo_.git({"config", key, value});
  }

  Commit effect_;
  WaveCommitOptions options_;
};

TEST_F(WaveCommit, OneCommitWithItsTrailers) {
  const std::string commit = committed();
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P|%T|%an|%B", commit}),
            base_ + "|" + effect_.tree +
                "|A U Thor|Add b (+1)\n\nPlan: 2026-03-03-demo\nWave: 003\n"
                "Plan-Run: 0123456789ab-1\nTask: one\nTask: two\n");
  RunOptions message;
  message.stdin_text = repo_.git({"log", "-1", "--format=%B", commit});
  EXPECT_EQ(repo_.git({"interpret-trailers", "--parse"}, message),
            "Plan: 2026-03-03-demo\nWave: 003\nPlan-Run: 0123456789ab-1\nTask: one\nTask: two");
  EXPECT_EQ(git_in(tree_, {"rev-parse", "HEAD"}), commit);
  EXPECT_EQ(git_in(tree_, {"status", "--porcelain"}), "");
}

TEST_F(WaveCommit, DoneAlreadyIsNotDoneAgain) {
  const std::string commit = committed();
  // An executor that was killed before it could say so asks for its tree and commits again.
  EXPECT_EQ(must(forks_->integration_tree(plan_dir(), base_)), tree_);
  EXPECT_EQ(committed(), commit);
  effect_.tree = tree_with({{"c.txt", "c\n"}});
  const std::string other = committed();
  EXPECT_NE(other, commit);
  EXPECT_EQ(repo_.git({"rev-parse", other + "^"}), base_) << "a wave made again starts at its base";
}

TEST_F(WaveCommit, TheUsersHooksRun) {
  script(".git/hooks/pre-commit", "echo formatted >> b.txt; git add b.txt; echo left > left.txt\n");
  script(".git/hooks/commit-msg", "echo 'Change-Id: I1' >> \"$1\"\n");
  script(".git/hooks/prepare-commit-msg", "test -n \"$GIT_EDITOR\"\n");
  script(".git/hooks/post-commit", "echo posted > ../posted\n");
  const std::string commit = committed();
  EXPECT_EQ(file_in(commit, "b.txt"), "b\nformatted");
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", commit}), "a.txt\nb.txt");
  EXPECT_THAT(repo_.git({"log", "-1", "--format=%(trailers)", commit}),
              HasSubstr("Task: two\nChange-Id: I1"));
  EXPECT_TRUE(exists(repo_.root() / "repo.plan/posted"));
}

TEST_F(WaveCommit, AHookThatRefusesIsNamed) {
  script(".git/hooks/pre-commit", "git rev-parse -q --verify nonsense; echo too bad >&2; exit 4\n");
  const CommitRefused answer = refused();
  EXPECT_EQ(answer.wave, 3);
  EXPECT_EQ(answer.by, "hook");
  EXPECT_EQ(answer.output, "the hook pre-commit ended with 4\ntoo bad");
  EXPECT_EQ(git_in(tree_, {"rev-parse", "HEAD"}), base_);
  effect_.no_hooks = true;
  EXPECT_EQ(repo_.git({"rev-parse", committed() + "^{tree}"}), effect_.tree);
}

TEST_F(WaveCommit, AHookThatTakesTrailersAwayHasRefused) {
  script(".git/hooks/commit-msg", "sed -i -e '/^Wave:/d' -e 's/^Plan-Run: .*/Plan-Run: x/' $1\n");
  for (int tries = 0; tries < 2; ++tries) {  // a retry does not take what was made before
    const CommitRefused answer = refused();
    EXPECT_EQ(answer.by, "hook");
    EXPECT_EQ(answer.output,
              "the hook commit-msg took these trailers out of the message, or changed them:\n"
              "  Wave: 003\n  Plan-Run: 0123456789ab-1\n"
              "git plan knows its commits by them. A trailer stands in the last paragraph.");
  }
  std::filesystem::remove(repo_.path() / ".git/hooks/commit-msg");
  EXPECT_THAT(repo_.git({"log", "-1", "--format=%(trailers)", committed()}),
              HasSubstr("Wave: 003\nPlan-Run: 0123456789ab-1\n"));
}

// Behind another paragraph git takes them for text.
TEST_F(WaveCommit, AHookThatWritesBehindTheTrailersHasRefused) {
  script(".git/hooks/prepare-commit-msg", "printf '\\nReviewed at the desk.\\n' >> $1\n");
  script(".git/hooks/commit-msg", "true\n");
  EXPECT_THAT(refused().output,
              HasSubstr("the hook prepare-commit-msg or commit-msg took these trailers out of the "
                        "message, or changed them:\n  Plan: 2026-03-03-demo\n"));
  effect_.no_hooks = true;
  committed();
}

// The executor was killed between the commit and its answer.
TEST_F(WaveCommit, ACommitWithoutTrailersIsNotTakenAfterACrash) {
  const std::string first = committed();
  git_in(tree_, {"commit", "-q", "--amend", "-m", "Add b"});
  const std::string second = committed();
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P|%B", second}),
            repo_.git({"log", "-1", "--format=%P|%B", first}));
}

TEST_F(WaveCommit, NoHooksMeansNone) {
  for (const char* hook : {"pre-commit", "prepare-commit-msg", "commit-msg"})
    script(std::string(".git/hooks/") + hook, "exit 1\n");
  script(".git/hooks/post-commit", "echo posted > ../posted\n");
  EXPECT_EQ(refused().output, "the hook pre-commit ended with 1");
  effect_.no_hooks = true;
  committed();
  EXPECT_FALSE(exists(repo_.root() / "repo.plan/posted"));
}

TEST_F(WaveCommit, LongOutputIsBounded) {
  script(".git/hooks/commit-msg", "seq 1 100000 >&2; exit 1\n");
  const CommitRefused answer = refused();
  EXPECT_LE(answer.output.size(), 4200u);
  EXPECT_THAT(answer.output, HasSubstr("the hook commit-msg ended with 1\n"));
  EXPECT_THAT(answer.output, HasSubstr("\n100000"));
}

TEST_F(WaveCommit, ASignerThatRefuses) {
  config("commit.gpgSign", "true");
  config("gpg.program", "/bin/false");
  EXPECT_EQ(refused().by, "signer");
  config("gpg.program", "/nowhere/gpg");
  const CommitRefused answer = refused();
  EXPECT_EQ(answer.by, "signer");
  EXPECT_THAT(answer.output, HasSubstr("cannot run /nowhere/gpg"));
  config("gpg.format", "ssh");
  config("user.signingKey", "/nowhere/key");
  EXPECT_EQ(refused().by, "signer");
  effect_.unsigned_commit = true;
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%G?", committed()}), "N");
}

TEST_F(WaveCommit, WhatHangsIsEnded) {
  options_.deadline = std::chrono::seconds(5);
  script(".git/hooks/pre-commit", "echo waiting; exec sleep 60\n");
  CommitRefused answer = refused();
  EXPECT_EQ(answer.by, "timeout");
  EXPECT_EQ(answer.output, "pre-commit did not end within 5 s\nwaiting");
  std::filesystem::remove(repo_.path() / ".git/hooks/pre-commit");
  script("gpg", "exec sleep 60\n");
  config("commit.gpgSign", "true");
  config("gpg.program", (repo_.path() / "gpg").string());
  answer = refused();
  EXPECT_EQ(answer.by, "timeout");
  EXPECT_EQ(answer.output, (repo_.path() / "gpg").string() + " did not end within 5 s");
  config("commit.gpgSign", "false");
  options_.deadline = std::chrono::seconds(30);
  committed();
}

TEST_F(WaveCommit, AChildThatAHookLeavesBehindDoesNotHoldItUp) {
  script(".git/hooks/post-commit", "sleep 300 & echo $! > ../child\n");
  committed();
  const pid_t child = std::stoi(*read_small_file((repo_.root() / "repo.plan/child").string()));
  EXPECT_EQ(kill(child, 0), 0) << "it was waited for until the deadline, which ended it too";
  kill(child, SIGKILL);
}

TEST_F(WaveCommit, SettingsOfTheUserDoNotBreakIt) {
  repo_.write("template", "# fill me in\n");
  config("commit.template", (repo_.path() / "template").string());
  config("commit.verbose", "true");
  config("commit.cleanup", "scissors");
  config("commit.status", "true");
  config("core.commentChar", "P");
  config("core.editor", "/bin/false");
  config("trailer.ifexists", "replace");
  config("branch.main.mergeOptions", "--squash");
  effect_.subject = "# Plans: P";
  const std::string commit = committed();
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%B", commit}),
            "# Plans: P (+1)\n\nPlan: 2026-03-03-demo\nWave: 003\nPlan-Run: 0123456789ab-1\n"
            "Task: one\nTask: two\n");
}

TEST_F(WaveCommit, ARelativeHooksPathThatIsMissingThereIsPassed) {
  script("tools/hooks/pre-commit", "echo hooked > hooked.txt; git add hooked.txt\n");
  config("core.hooksPath", "tools/hooks");
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", committed()}), "a.txt\nb.txt");
  effect_.run = "0123456789ab-2";
  options_.hooks_path = (repo_.path() / "tools/hooks").string();
  EXPECT_EQ(repo_.git({"ls-tree", "--name-only", committed()}), "a.txt\nb.txt\nhooked.txt");
}

TEST_F(WaveCommit, TipsBecomeFurtherParents) {
  script(".git/hooks/pre-commit", "echo ran > ../ran\n");
  options_.squash = false;
  options_.tips = {commit_on(base_, {{"b.txt", "b\n"}}), commit_on(base_, {{"c.txt", "c\n"}})};
  const std::string commit = committed();
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P", commit}),
            base_ + " " + options_.tips[0] + " " + options_.tips[1]);
  EXPECT_EQ(repo_.git({"rev-parse", commit + "^{tree}"}), effect_.tree);
  EXPECT_TRUE(exists(repo_.root() / "repo.plan/ran"));
  EXPECT_EQ(committed(), commit);
}

TEST_F(WaveCommit, OneTipIsNeverFastForwarded) {
  options_.squash = false;
  options_.tips = {commit_on(base_, {{"b.txt", "b\n"}})};
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%P", committed()}), base_ + " " + options_.tips[0]);
}

TEST_F(WaveCommit, LeftoversInTheTreeDoNotMatter) {
  write_in(tree_, "b.txt", "untracked, in the way\n");
  write_in(tree_, "a.txt", "changed\n");
  repo_.write(".git/worktrees/1/index.lock", "");
  repo_.write(".git/worktrees/1/MERGE_HEAD", base_ + "\n");
  EXPECT_EQ(repo_.git({"rev-parse", committed() + "^{tree}"}), effect_.tree);
}

// The executor is killed, its git goes on: the commit that it makes is the wave's.
TEST_F(WaveCommit, ACommitStillAtWorkIsWaitedFor) {
  script(".git/hooks/pre-commit", "sleep 2\n");
  const pid_t child = fork();
  if (child == 0) {
    must(commit_wave(*repository_, effect_, options_, tree_));
    _exit(0);
  }
  for (int i = 0; i < 500 && repo_.run({"pgrep", "-f", tree_ + "|hooks/pre-commit"}).out.empty();
       ++i)
    usleep(10000);
  usleep(300000);
  kill(child, SIGKILL);
  const std::string commit = committed();
  EXPECT_EQ(repo_.git({"rev-parse", commit + "^"}), base_);
  EXPECT_EQ(git_in(tree_, {"reflog", "--format=%H"}).find(commit), 0u);
  EXPECT_EQ(git_in(tree_, {"rev-list", "--count", base_ + "..HEAD"}), "1");
}

class AdvanceTest : public WaveFixture {
 protected:
  AdvanceTest() {
    start({{"a.txt", "a\n"}});
    next_ = commit_on(base_, {{"b.txt", "b\n"}});
  }
  std::string next_;
  static constexpr const char* kBranch = "refs/heads/plan/2026-03-03-demo/integration";
};

TEST_F(AdvanceTest, FromNothingThenForward) {
  auto answer = must(advance(*repository_, {1, "", base_}, kBranch));
  EXPECT_TRUE(std::holds_alternative<Advanced>(answer));
  answer = must(advance(*repository_, {2, base_, next_}, kBranch));
  EXPECT_EQ(std::get<Advanced>(answer).wave, 2);
  EXPECT_EQ(repo_.git({"rev-parse", kBranch}), next_);
  answer = must(advance(*repository_, {2, base_, next_}, kBranch));
  EXPECT_TRUE(std::holds_alternative<Advanced>(answer)) << "done already";
}

TEST_F(AdvanceTest, IsNotMovedUnderSomebodyWhoStandsOnIt) {
  must(advance(*repository_, {1, "", base_}, kBranch));
  const std::string name = std::string(kBranch).substr(11);
  const std::string tree = (repo_.root() / "looking").string();
  repo_.git({"worktree", "add", "-q", tree, name});
  const auto answer = must(advance(*repository_, {2, base_, next_}, kBranch));
  ASSERT_TRUE(std::holds_alternative<AdvanceRefused>(answer));
  EXPECT_EQ(std::get<AdvanceRefused>(answer).checked_out, tree);
  EXPECT_EQ(repo_.git({"rev-parse", name}), base_);
}

TEST_F(AdvanceTest, AnotherTipIsToldAndNotOverwritten) {
  const std::string other = commit_on(base_, {{"c.txt", "c\n"}});
  repo_.git({"update-ref", kBranch, other});
  for (const std::string& from : {base_, std::string()}) {
    const auto answer = must(advance(*repository_, {1, from, next_}, kBranch));
    EXPECT_EQ(std::get<AdvanceRefused>(answer).found, other);
    EXPECT_EQ(repo_.git({"rev-parse", kBranch}), other);
  }
}

// The branch stands at the wave before, and the user committed on top of that.
TEST_F(AdvanceTest, FromTheWaveBeforeWhereTheNewOneHoldsIt) {
  repo_.git({"update-ref", kBranch, base_});
  const std::string wave = commit_on(next_, {{"c.txt", "c\n"}});
  const std::string aside = commit_on(base_, {{"d.txt", "d\n"}});
  auto answer = must(advance(*repository_, {2, next_, wave, next_}, kBranch));
  EXPECT_EQ(std::get<AdvanceRefused>(answer).found, base_) << "not the wave before";
  answer = must(advance(*repository_, {2, next_, wave, base_}, kBranch));
  EXPECT_TRUE(std::holds_alternative<Advanced>(answer));
  EXPECT_EQ(repo_.git({"rev-parse", kBranch}), wave);
  answer = must(advance(*repository_, {3, aside, aside, wave}, kBranch));
  EXPECT_TRUE(std::holds_alternative<AdvanceRefused>(answer)) << "what it held would be lost";
}

TEST_F(AdvanceTest, ABranchThatIsGoneIsMadeAgain) {
  const auto answer = must(advance(*repository_, {1, base_, next_}, kBranch));
  EXPECT_TRUE(std::holds_alternative<Advanced>(answer));
  EXPECT_EQ(repo_.git({"rev-parse", kBranch}), next_);
}

TEST_F(AdvanceTest, AHookThatRefusesIsAnError) {
  must(advance(*repository_, {1, "", base_}, kBranch));
  script(".git/hooks/reference-transaction", "test \"$1\" != prepared\n");
  const auto answer = advance(*repository_, {1, base_, next_}, kBranch);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "git update-ref: fatal: ref updates aborted by hook");
}

}  // namespace
}  // namespace gitplan::test
