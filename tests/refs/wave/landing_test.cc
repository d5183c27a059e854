#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tests/refs/wave/landing_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Landing = LandingFixture;

TEST_F(Landing, FastForward) {
  const LandDone done = run_for<LandDone>();
  EXPECT_EQ(done.branch, "refs/heads/main");
  EXPECT_EQ(done.commit, plan_);
  EXPECT_EQ(tip(), plan_);
  EXPECT_EQ(status(), "");
  EXPECT_EQ(repo_.read("new.txt"), "new\n");
  EXPECT_FALSE(repo_.exists("gone.txt"));
  EXPECT_EQ(repo_.git({"reflog", "-1", "--format=%gs"}), "plan 2026-03-03-demo: Fast-forward");
  EXPECT_EQ(run_for<LandDone>().commit, plan_) << "done already";
}

TEST_F(Landing, SettingsOfTheUserDoNotHinderIt) {
  for (const auto& [key, value] : Files{{"branch.main.mergeOptions", "--no-ff --squash"},
                                        {"merge.ff", "false"},
                                        {"merge.verifySignatures", "true"},
                                        {"merge.autoStash", "true"},
                                        {"rebase.autoStash", "true"},
                                        {"pull.rebase", "true"}})
    repo_.git({"config", key, value});
  repo_.write("other.txt", "mine, untracked\n");
  repo_.write("b.txt", "mine, not concerned\n");
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(tip(), plan_);
  EXPECT_EQ(status(), " M b.txt\n?? other.txt");
  EXPECT_EQ(repo_.git({"stash", "list"}), "");
}

TEST_F(Landing, ABranchWithAnOddName) {
  repo_.git({"checkout", "-q", "-b", "a=b/c\"d"});
  effect_.branch = "refs/heads/a=b/c\"d";
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(status(), "");
}

TEST_F(Landing, CheckedOutNowhere) {
  repo_.git({"checkout", "-q", "-b", "else"});
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(tip(), plan_);
  EXPECT_FALSE(repo_.exists("new.txt"));
  EXPECT_EQ(status(), "");
}

TEST_F(Landing, InAnotherWorktree) {
  repo_.git({"checkout", "-q", "-b", "else"});
  const std::string other = (repo_.root() / "other").string();
  repo_.git({"worktree", "add", "-q", other, "main"});
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(git_in(other, {"status", "--porcelain"}), "");
  EXPECT_TRUE(exists(other + "/new.txt"));
}

TEST_F(Landing, InTwoWorktreesAtOnce) {
  const std::string other = (repo_.root() / "other").string();
  repo_.git({"worktree", "add", "-q", "--force", other, "main"});
  EXPECT_EQ(run_for<LandDone>().commit, plan_);
  EXPECT_EQ(status(), "");
  EXPECT_EQ(git_in(other, {"status", "--porcelain"}), "");
  EXPECT_TRUE(exists(other + "/new.txt"));
}

TEST_F(Landing, GoneIsSaid) {
  effect_.branch = "refs/heads/not-there";
  const LandRefused refused = run_for<LandRefused>();
  EXPECT_TRUE(refused.gone);
  EXPECT_EQ(refused.reason, "the branch 'not-there' does not exist any more");
}

TEST_F(Landing, MovedBranchGetsOneMergeCommit) {
  const std::string user = on_main({{"b.txt", "user\n"}});
  script(".git/hooks/pre-commit", "echo ran > ../ran\n");
  std::string verified;
  options_.verify = [&verified](const std::string& commit) -> Result<std::string> {
    verified = commit;
    return std::string();
  };
  const LandDone done = run_for<LandDone>();
  EXPECT_EQ(
      repo_.git({"log", "-1", "--format=%P|%B", done.commit}),
      user + " " + plan_ +
          "|Merge plan '2026-03-03-demo'\n\nPlan: 2026-03-03-demo\nPlan-Run: 0123456789ab-1\n");
  EXPECT_EQ(verified, done.commit);
  EXPECT_EQ(tip(), done.commit);
  EXPECT_EQ(status(), "");
  EXPECT_TRUE(exists(repo_.root() / "repo.plan/ran")) << "the user's hooks";
  EXPECT_EQ(run_for<LandDone>().commit, done.commit);
}

TEST_F(Landing, AMergeThatDoesNotVerifyIsNotLanded) {
  const std::string user = on_main({{"b.txt", "user\n"}});
  options_.verify = [](const std::string&) -> Result<std::string> {
    return std::string("make test: 2 failures");
  };
  const LandRefused refused = run_for<LandRefused>();
  EXPECT_EQ(refused.reason, "the merge with 'main' does not pass 'verify'");
  EXPECT_EQ(refused.output, "make test: 2 failures");
  EXPECT_EQ(tip(), user);
  options_.verify = nullptr;
  const std::string made = git_in(tree_, {"rev-parse", "HEAD"});
  EXPECT_EQ(run_for<LandDone>().commit, made) << "made once, landed later";
}

TEST_F(Landing, AMergeCommitThatAHookRefuses) {
  on_main({{"b.txt", "user\n"}});
  script(".git/hooks/commit-msg", "echo no >&2; exit 1\n");
  const LandRefused refused = run_for<LandRefused>();
  EXPECT_EQ(refused.by, "hook");
  EXPECT_EQ(refused.output, "the hook commit-msg ended with 1\nno");
  script(".git/hooks/commit-msg", "grep -q ^JIRA \"$1\"\n");
  EXPECT_EQ(run_for<LandRefused>().by, "hook");
  effect_.message = "JIRA-1 Merge it\n";
  run_for<LandDone>();
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%s", "main"}), "JIRA-1 Merge it");
  EXPECT_THAT(repo_.git({"log", "-1", "--format=%b", "main"}), HasSubstr("Plan: "));
}

TEST_F(Landing, AMergeCommitWhoseTrailersAHookTakesAway) {
  const std::string user = on_main({{"b.txt", "user\n"}});
  script(".git/hooks/commit-msg", "sed -i '/^Plan/d' $1\n");
  const LandRefused refused = run_for<LandRefused>();
  EXPECT_EQ(refused.by, "hook");
  EXPECT_THAT(refused.output, HasSubstr("the hook commit-msg took these trailers"));
  EXPECT_EQ(tip(), user);
  effect_.no_hooks = true;
  run_for<LandDone>();
}

TEST_F(Landing, AMergeCommitWithoutHooksOrSignature) {
  on_main({{"b.txt", "user\n"}});
  script(".git/hooks/commit-msg", "exit 1\n");
  repo_.git({"config", "commit.gpgSign", "true"});
  repo_.git({"config", "gpg.program", "false"});
  effect_.no_hooks = true;
  EXPECT_EQ(run_for<LandRefused>().by, "signer");
  effect_.unsigned_commit = true;
  run_for<LandDone>();
}

TEST_F(Landing, ConflictWithCommits) {
  const std::string user = on_main({{"a.txt", lines(60, {{5, "user"}, {40, "user"}})}});
  const LandConflict conflict = run_for<LandConflict>();
  EXPECT_FALSE(conflict.dirty);
  EXPECT_THAT(text_of(conflict.conflicts), ElementsAre("a.txt content: user 5-5; one 5-5"));
  EXPECT_EQ(tip(), user);
  answer("mine");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "user"}, {40, "user"}}));
  EXPECT_EQ(repo_.read("new.txt"), "new\n");
}

TEST_F(Landing, AConflictLeavesNoObjects) {
  repo_.git({"update-ref", "refs/heads/plan", plan_});
  on_main({{"a.txt", lines(60, {{5, "user"}})}});
  run_for<LandConflict>();
  EXPECT_EQ(repo_.git({"fsck", "--strict"}), "");
}

TEST_F(Landing, ConflictWithCommitsKeepThePlans) {
  on_main({{"a.txt", lines(60, {{5, "user"}, {40, "user"}})}});
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "plan"}, {40, "user"}}));
  EXPECT_EQ(status(), "");
}

TEST_F(Landing, KeepTakesTheSideOfItsTaskAndNoOther) {
  const std::string one = wave_on(base_, {{"a.txt", lines(60, {{5, "one"}})}}, {"one"});
  effect_.commit = plan_ = wave_on(one, {{"b.txt", "two\n"}}, {"two"});
  on_main({{"a.txt", lines(60, {{5, "user"}})}, {"b.txt", "user\n"}});
  const DecisionAsked asked = answer("keep:two");
  ASSERT_GE(asked.options.size(), 4u);
  EXPECT_EQ(asked.options[1].label,
            "take the plan's side where both changed a.txt; keep yours in b.txt");
  EXPECT_EQ(asked.options[2].label,
            "take the plan's side where both changed b.txt; keep yours in a.txt");
  EXPECT_EQ(asked.options[3].key, "theirs");
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "user"}}));
  EXPECT_EQ(repo_.read("b.txt"), "two\n");
}

TEST_F(Landing, ConflictsNameTheTaskWhateverBeginsAComment) {
  repo_.git({"config", "core.commentChar", "T"});
  on_main({{"a.txt", lines(60, {{5, "user"}})}});
  EXPECT_THAT(text_of(run_for<LandConflict>().conflicts),
              ElementsAre("a.txt content: user 5-5; one 5-5"));
}

TEST_F(Landing, ConflictWithADeletion) {
  on_main({{"gone.txt", "still needed\n"}});
  EXPECT_THAT(text_of(run_for<LandConflict>().conflicts),
              ElementsAre("gone.txt delete: user; one deletes"));
  answer("keep:one");
  run_for<LandDone>();
  EXPECT_FALSE(repo_.exists("gone.txt"));
}

TEST_F(Landing, AMergeByHandIsLanded) {
  const std::string user = on_main({{"a.txt", lines(60, {{5, "user"}})}});
  const std::string tree =
      repo_.git({"rev-parse", commit_on(plan_, {{"a.txt", lines(60, {{5, "both"}})}}) + "^{tree}"});
  effect_.answers.by_hand =
      repo_.git({"commit-tree", tree, "-p", user, "-p", plan_, "-m", "By hand"});
  EXPECT_EQ(run_for<LandDone>().commit, effect_.answers.by_hand);
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "both"}}));
}

TEST_F(Landing, AMergeByHandWithoutThePlanIsRefused) {
  on_main({{"a.txt", lines(60, {{5, "user"}})}});
  effect_.answers.by_hand = tip();
  EXPECT_EQ(run_for<LandRefused>().reason, "the commit made by hand, " + tip().substr(0, 12) +
                                               ", does not contain the plan's work");
}

TEST_F(Landing, AMergeByHandThatTheBranchHasOutrunIsMergedAgain) {
  const std::string user = on_main({{"a.txt", lines(60, {{5, "user"}})}});
  const std::string tree =
      repo_.git({"rev-parse", commit_on(plan_, {{"a.txt", lines(60, {{5, "both"}})}}) + "^{tree}"});
  effect_.answers.by_hand =
      repo_.git({"commit-tree", tree, "-p", user, "-p", plan_, "-m", "By hand"});
  on_main({{"b.txt", "later\n"}});
  run_for<LandDone>();
  EXPECT_EQ(repo_.read("a.txt"), lines(60, {{5, "both"}}));
  EXPECT_EQ(repo_.read("b.txt"), "later\n");
}

TEST_F(Landing, AHookThatRefusesTheRefLeavesEverythingAsItWas) {
  script(".git/hooks/reference-transaction",
         "if [ \"$1\" = prepared ]; then\n"
         "  while read -r old new ref; do [ \"$ref\" != refs/heads/main ] || { echo no; exit 1; }; "
         "done\n"
         "fi\n");
  repo_.write("b.txt", "mine\n");
  const LandRefused refused = run_for<LandRefused>();
  EXPECT_EQ(refused.reason, "git did not move the branch 'main'");
  EXPECT_THAT(refused.output, HasSubstr("ref updates aborted by hook"));
  EXPECT_EQ(tip(), base_);
  EXPECT_EQ(status(), " M b.txt");
  EXPECT_FALSE(repo_.exists("new.txt"));
  // The same around an edit of the user's.
  repo_.write("a.txt", lines(60, {{5, "mine"}}));
  repo_.write("new.txt", "my own\n");
  answer("mine");
  EXPECT_EQ(run_for<LandRefused>().reason, "git did not move the branch 'main'");
  EXPECT_EQ(status(), " M a.txt\n M b.txt\n?? new.txt");
  EXPECT_EQ(repo_.read("new.txt"), "my own\n");
  EXPECT_TRUE(repo_.exists("gone.txt"));
}

// ---- waiting ----

TEST_F(Landing, WaitsWhileTheWorktreeIsInTheMiddleOfSomething) {
  const std::string where = "'" + repo_.path().string() + "' is in the middle of a ";
  for (const auto& [file, what] : Files{{"MERGE_HEAD", "merge"},
                                        {"CHERRY_PICK_HEAD", "cherry-pick"},
                                        {"REVERT_HEAD", "revert"},
                                        {"BISECT_LOG", "bisect"},
                                        {"rebase-merge/x", "rebase"}}) {
    repo_.write(".git/" + file, base_ + "\n");
    EXPECT_EQ(run_for<LandWaits>().reason, where + what);
    std::filesystem::remove_all(repo_.path() / ".git" / file.substr(0, file.find('/')));
  }
  repo_.write(".git/index.lock", "");
  EXPECT_THAT(run_for<LandWaits>().reason, HasSubstr(".git/index.lock' exists"));
  EXPECT_EQ(tip(), base_);
}

TEST_F(Landing, WaitsForARealMerge) {
  const std::string other = commit_on(base_, {{"b.txt", "other\n"}});
  on_main({{"b.txt", "user\n"}});
  EXPECT_EQ(repo_.run({"git", "merge", other}).exit_status, 1);
  EXPECT_THAT(run_for<LandWaits>().reason, HasSubstr("is in the middle of a merge"));
  repo_.git({"merge", "--abort"});
  run_for<LandDone>();
}

TEST_F(Landing, WaitsWhileAnotherWorktreeRebasesOrBisectsTheBranch) {
  for (const char* text : {"user", "user 2", "user 3", "user 4"})
    on_main({{"a.txt", lines(60, {{30, text}})}});
  repo_.git({"checkout", "-q", "-b", "else", base_});
  const std::string other = (repo_.root() / "other").string();
  repo_.git({"worktree", "add", "-q", other, "main"});
  const std::string upstream = commit_on(base_, {{"a.txt", lines(60, {{30, "up"}})}});
  EXPECT_NE(repo_.run({"git", "-C", other, "rebase", upstream}).exit_status, 0);
  EXPECT_EQ(run_for<LandWaits>().reason,
            "the branch 'main' is in the middle of a rebase in '" + other + "'");
  git_in(other, {"rebase", "--abort"});
  git_in(other, {"bisect", "start", "main", base_});
  EXPECT_EQ(run_for<LandWaits>().reason,
            "the branch 'main' is in the middle of a bisect in '" + other + "'");
  git_in(other, {"bisect", "reset"});
  run_for<LandDone>();
}

TEST_F(Landing, WhoeverIsJustLeavingTheBranchIsWaitedFor) {
  // As a checkout that has written its index and not yet HEAD.
  repo_.write(".git/HEAD.lock", "ref: refs/heads/feature\n");
  EXPECT_THAT(run_for<LandWaits>().reason, HasSubstr(".git/HEAD.lock' exists"));
  EXPECT_EQ(tip(), base_);
  EXPECT_EQ(status(), "");
}

TEST_F(Landing, TheHookAfterAMergeRuns) {
  const std::string told = (repo_.root() / "told").string();
  script(".git/hooks/post-merge", "echo \"$1 $GIT_REFLOG_ACTION\" >" + told + "\nexit 3\n");
  run_for<LandDone>();
  EXPECT_EQ(read_small_file(told).value_or(""), "0 plan " + std::string(kPlan) + ": Fast-forward");
  EXPECT_EQ(repo_.git({"rev-parse", "ORIG_HEAD"}), base_);
}

TEST_F(Landing, WaitsForAnEditorInCommit) {
  repo_.write("b.txt", "mine\n");
  repo_.git({"add", "b.txt"});
  const std::string ready = (repo_.root() / "ready").string();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    setenv("GIT_EDITOR", ("touch " + ready + "; sleep 60 #").c_str(), 1);
    if (chdir(repo_.path().c_str()) != 0) _exit(126);
    execlp("git", "git", "commit", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 500 && !exists(ready); ++i) usleep(10000);
  EXPECT_EQ(run_for<LandWaits>().reason, "'git commit' (process " + std::to_string(child) +
                                             ") is at work in '" + repo_.path().string() + "'");
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(tip(), base_);
}

}  // namespace
}  // namespace gitplan::test
