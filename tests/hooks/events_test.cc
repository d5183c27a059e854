// What our hooks say in each situation in which git runs hooks: the table of what is said, and that
// git's own result, index and work tree are the same as without them.
#include "refs/store/store.h"
#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

// The repository that each situation starts from, with a branch `gone` without src/a.txt, a branch
// `moved` with src/b.txt at lib/b.txt, and `beside`, which changes nothing that a plan refers to.
class SituationRepo : public HookRepo {
 public:
  // `theirs`: somebody's scripts stand there already, and note how they are called.
  SituationRepo(bool hooks, bool theirs) {
    if (!hooks || theirs) plan({"hooks", "uninstall"});
    if (theirs)
      for (const char* hook :
           {"pre-commit", "commit-msg", "post-checkout", "post-merge", "post-rewrite"})
        script(this->hooks() / hook, std::string("{ echo ") + hook + " \"$*\"; test " + hook +
                                         " != post-rewrite || cat; } >>'" +
                                         (root() / "theirs").string() + "'\n");
    if (hooks && theirs) plan({"hooks", "install"});
    branch("gone", [&] { git({"rm", "-q", "src/a.txt"}); });
    branch("moved", [&] {
      fs::create_directories(path() / "lib");
      git({"mv", "src/b.txt", "lib/b.txt"});
    });
    branch("beside", [&] { write("other.txt", "o\n"); });
    branch("changed", [&] { write("src/a.txt", "theirs\n"); });
  }

 private:
  template <typename Change>
  void branch(const std::string& name, const Change& change) {
    RunOptions quiet;
    quiet.env["GIT_PLAN_HOOKS"] = "0";
    git({"checkout", "-q", "-b", name, "main"}, quiet);
    change();
    git({"add", "-A"}, quiet);
    git({"commit", "-qm", "On " + name}, quiet);
    git({"checkout", "-q", "main"}, quiet);
  }
};

struct Situation {
  const char* name;
  const char* script;  // of sh; the last command's status counts
  const char* said;    // by our hooks; "" is silence
};
void PrintTo(const Situation& situation, std::ostream* out) { *out << situation.name; }

#define MOVE "git plan: this changes what plans refer to:\n"
#define COMMIT "git plan: this commit changes what plans refer to:\n"
#define GONE "  src/a.txt is gone: 'x'\n"
#define MOVED "  src/b.txt is lib/b.txt now: 'x'\n"
#define CHANGED "  src/a.txt has changed: 'x'\n"

const Situation kSituations[] = {
    {"CheckoutBranch", "git checkout -q gone", MOVE GONE},
    {"CheckoutBack", "git -c core.hooksPath=/dev/null checkout -q gone; git checkout -q main", ""},
    {"Switch", "git switch -q moved", MOVE MOVED},
    {"SwitchDetached", "git switch -q --detach changed", MOVE CHANGED},
    {"SwitchBeside", "git switch -q beside", ""},
    {"NewBranch", "git checkout -q -b new", ""},
    {"NewBranchElsewhere", "git checkout -q -b new gone", MOVE GONE},
    {"FilesOnly", "git checkout -q gone -- . && git restore -q --source gone src/b.txt", ""},
    {"SameBranch", "git checkout -q main", ""},
    {"Orphan", "git checkout -q --orphan empty", ""},
    {"WorktreeAdd", "git worktree add -q ../w gone", ""},
    {"WorktreeAddBranch", "git worktree add -q -b w ../w gone", ""},
    {"Clone", "git clone -q . ../clone", ""},
    {"Stash", "echo 2 >src/a.txt; git stash -q && git stash pop -q", ""},
    {"ResetHard", "git reset -q --hard gone", ""},
    {"MergeFastForward", "git merge -q gone", MOVE GONE},
    {"MergeReal", "git checkout -q beside; git merge -q --no-edit moved", MOVE MOVED},
    {"MergeSquash", "git merge -q --squash gone", ""},
    {"MergeSquashThenCommit", "git merge -q --squash gone; git commit -qm s", COMMIT GONE},
    {"MergeUpToDate", "git merge -q main", ""},
    {"MergeConflict",
     "git -c core.hooksPath=/dev/null checkout -q changed; git merge -q gone; test $? = 1", ""},
    {"MergeConflictThenCommit",
     "git -c core.hooksPath=/dev/null checkout -q changed; git merge -q gone; "
     "git rm -q src/a.txt; git commit -q --no-edit",
     COMMIT GONE},
    {"Commit", "git rm -q src/a.txt; git commit -qm c", COMMIT GONE},
    {"CommitNothingOfPlans", "echo o >o.txt; git add o.txt; git commit -qm c", ""},
    {"CommitAll", "echo 2 >src/a.txt; git commit -qam c", COMMIT CHANGED},
    {"CommitOfATask", "git rm -q docs/c.txt; git commit -qm c",
     COMMIT "  docs/c.txt is gone: 'x' (parser)\n"},
    {"CommitRename", "mkdir lib; git mv src/b.txt lib/b.txt; git commit -qm c", COMMIT MOVED},
    {"CommitPath", "git rm -q --cached src/b.txt; echo 2 >src/a.txt; git commit -qm c src/a.txt",
     COMMIT CHANGED},
    {"CommitPathOnlyOthers",
     "git rm -q --cached src/b.txt; echo o >other.txt; git add other.txt; git commit -qm c "
     "other.txt",
     ""},
    {"CommitNoVerify", "git rm -q src/a.txt; git commit -q --no-verify -m c", ""},
    {"CommitFromASubdirectory", "cd src; git rm -q a.txt; git commit -qm c", COMMIT GONE},
    {"CommitTwice",
     "echo 2 >src/a.txt; git -c core.hooksPath=/dev/null commit -qam c; "
     "echo 3 >src/a.txt; git commit -qam c",
     ""},
    {"Amend", "git commit -q --amend -m again", ""},
    {"AmendWithMore", "git rm -q src/a.txt; git commit -q --amend --no-edit", COMMIT GONE},
    {"RebaseMerge", "git -c core.hooksPath=/dev/null checkout -q beside; git rebase -q gone",
     MOVE GONE},
    {"RebaseApply",
     "git -c core.hooksPath=/dev/null checkout -q beside; git rebase -q --apply gone", MOVE GONE},
    {"RebaseEdit",
     "git -c core.hooksPath=/dev/null checkout -q beside; "
     "GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i gone 2>/dev/null; "
     "git commit -q --amend -m edited; git rebase --continue >/dev/null 2>&1; "
     "git log -1 --format=%s | grep -q edited",
     ""},
    {"RebaseEditEnd",
     "git -c core.hooksPath=/dev/null checkout -q beside; "
     "GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i gone; "
     "git commit -q --amend -m edited; git rebase --continue",
     MOVE GONE},
    {"RebaseExec",
     "git -c core.hooksPath=/dev/null checkout -q beside; "
     "git rebase -q -x 'git commit -q --amend -m x' gone",
     MOVE GONE},
    {"RebaseUpToDate", "git rebase -q main", ""},
    {"RebaseConflictAbort",
     "git -c core.hooksPath=/dev/null checkout -q changed; git rebase -q gone >/dev/null; "
     "git rebase --abort",
     ""},
    {"CherryPick", "git cherry-pick gone >/dev/null", ""},
    {"CherryPickConflict",
     "git -c core.hooksPath=/dev/null checkout -q changed; git cherry-pick gone >/dev/null 2>&1; "
     "git rm -q src/a.txt; git commit -q --no-edit",
     ""},
    {"Revert",
     "git revert --no-edit gone~0 >/dev/null 2>&1; git reset -q --hard; git revert "
     "--no-edit HEAD >/dev/null",
     ""},
    {"Bisect",
     "git -c core.hooksPath=/dev/null checkout -q gone; for i in 1 2 3 4; do "
     "GIT_PLAN_HOOKS=0 git commit -q --allow-empty -m $i; done; "
     "git bisect start HEAD main >/dev/null 2>&1; git bisect bad >/dev/null 2>&1; "
     "git bisect reset >/dev/null 2>&1",
     ""},
    {"SwitchedOff", "git rm -q src/a.txt; GIT_PLAN_HOOKS=0 git commit -qm c", ""},
    {"SwitchedOffByConfiguration", "git rm -q src/a.txt; git -c plan.hooks=false commit -qm c", ""},
    {"InsideATask", "git rm -q src/a.txt; PLAN_TASK=parser git commit -qm c", ""},
    {"GraphicalClient",
     "git rm -q src/a.txt; env -i PATH=/usr/bin:/bin HOME=\"$HOME\" "
     "\"GIT_AUTHOR_DATE=$GIT_AUTHOR_DATE\" \"GIT_COMMITTER_DATE=$GIT_COMMITTER_DATE\" git commit "
     "-qm c",
     COMMIT GONE},
    {"LinkedWorktree",
     "git worktree add -q -b l ../l; cd ../l; git rm -q src/a.txt; git commit -qm c", COMMIT GONE},
    {"LinkedWorktreeAll",
     "git worktree add -q -b l ../l; cd ../l; echo 2 >src/a.txt; git commit -qam c",
     COMMIT CHANGED},
    {"LinkedWorktreeSwitch", "git worktree add -q -b l ../l; cd ../l; git switch -q gone",
     MOVE GONE},
    {"LinkedWorktreeByItsGitDir",
     "git worktree add -q -b l ../l; cd ../l; export GIT_DIR=\"$PWD/../repo/.git/worktrees/l\" "
     "GIT_INDEX_FILE=\"$PWD/../repo/.git/worktrees/l/index\"; git rm -q src/a.txt; git commit -qm "
     "c",
     COMMIT GONE},
    {"RebaseInAnotherWorktree",
     "git worktree add -q ../l changed; (cd ../l; git rebase -q gone >/dev/null 2>&1); "
     "git rm -q src/a.txt; git commit -qm c",
     COMMIT GONE},
    {"TaskTree",
     "git worktree add -q --lock --reason 'git plan: x' -b l ../l; cd ../l; git rm -q src/a.txt; "
     "git commit -qm c; git switch -q gone",
     ""},
    {"GitDirAndWorkTree",
     "mkdir ../e; cd ../e; git --git-dir=../repo/.git --work-tree=../repo rm -q src/a.txt; "
     "git --git-dir=../repo/.git --work-tree=../repo commit -qm c",
     COMMIT GONE},
    {"PlanGone", "git update-ref -d refs/plans/x; git rm -q src/a.txt; git commit -qm c", ""},
    {"PlansPacked", "git pack-refs --all; git rm -q src/a.txt; git commit -qm c", COMMIT GONE},
    {"PlanDeleted", "git plan delete x --yes 2>/dev/null; git rm -q src/a.txt; git commit -qm c",
     ""},
    {"Strict",
     "git rm -q src/a.txt; git -c plan.hooks.strict=true commit -qm c; test $? = 1 && "
     "git -c plan.hooks.strict=true commit -q --no-verify -m c",
     COMMIT GONE},
    {"PlanFileThatIsNone",
     "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: 3\\n---\\n# Y\\n' >y.md; printf -- "
     "'---\\nlayout: page\\n---\\n' >page.md; git add -A; git commit -qm c",
     "git plan: this commit has a plan that is not valid:\n  y.md:4:10: error: 'tasks' is the text "
     "'3', not a list (write a list: '- name: first-task')\n"},
    {"PlanFile",
     "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: []\\n---\\n# Y\\n' >y.md; git add -A; "
     "git "
     "commit -qm c",
     ""},
    {"PlanFileStrict",
     "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: 3\\n---\\n# Y\\n' >y.md; git add -A; "
     "git "
     "-c plan.hooks.strict=true commit -qm c; test $? = 1 && "
     "git -c plan.hooks.strict=true commit -q --no-verify -m c",
     "git plan: this commit has a plan that is not valid:\n  y.md:4:10: error: 'tasks' is the text "
     "'3', not a list (write a list: '- name: first-task')\n"},
    {"StrictNothing", "echo o >o.txt; git add o.txt; git -c plan.hooks.strict=true commit -qm c",
     ""},
    {"WaveLine", "git commit -q --allow-empty -m 'a\n\nPlan: x\nWave: 003'", ""},
    {"WaveLineOfAnotherClone", "git commit -q --allow-empty -m 'a\n\nPlan: not-here\nWave: 12'",
     ""},
    {"WaveLineInTheText", "git commit -q --allow-empty -m 'a\n\nWave: hello\n\nThe end.'", ""},
};

class Situations : public ::testing::TestWithParam<Situation> {};

TEST_P(Situations, SaysWhatItShouldAndChangesNothing) {
  struct Outcome {
    std::string state, theirs;
  };
  // Without ours, with ours alone, and with ours before which theirs run.
  std::vector<Outcome> outcomes;
  const bool strict = std::string_view(GetParam().name).ends_with("Strict");
  for (const auto& [hooks, theirs] : {std::pair(false, true), {true, false}, {true, true}}) {
    const SituationRepo repo(hooks, theirs);
    const Words words{"sh", "-c", GetParam().script};
    fs::remove(repo.root() / "theirs");  // of what came before
    const HookRepo::Said said = repo.say(words);
    EXPECT_EQ(said.ours, hooks ? GetParam().said : "") << said.all;
    if (hooks || !strict) {
      EXPECT_EQ(said.status, 0) << said.all;
    }
    std::string called =
        repo.exists(repo.root() / "theirs") ? repo.read(repo.root() / "theirs") : "";
    const std::string root = repo.root();
    for (std::size_t at = 0; (at = called.find(root)) != std::string::npos;)
      called.erase(at, root.size());
    // Dates are pinned, so equal ids say that history is equal.
    outcomes.push_back(
        {repo.git({"ls-files", "-s"}) + "\n" + repo.git({"status", "--porcelain=v2", "--branch"}),
         called});
    EXPECT_FALSE(repo.exists(".git/index.lock"));
  }
  if (strict) return;
  EXPECT_EQ(outcomes[1].state, outcomes[0].state);
  EXPECT_EQ(outcomes[2].state, outcomes[0].state);
  EXPECT_EQ(outcomes[2].theirs, outcomes[0].theirs) << "theirs are called as without ours";
}

INSTANTIATE_TEST_SUITE_P(Git, Situations, ::testing::ValuesIn(kSituations),
                         [](const auto& kind) { return std::string(kind.param.name); });

struct Message {
  const char* name;
  const char* text;
  const char* error;  // "": it passes
};
void PrintTo(const Message& message, std::ostream* out) { *out << message.name; }

const Message kMessages[] = {
    {"Number", "a\n\nPlan: x\nWave: 1", ""},
    {"Many", "a\n\nPlan: x\nWave: 001\nWave: 002\nTask: a\nSigned-off-by: A <a@b.c>", ""},
    {"Word", "a\n\nPlan: x\nWave: 3rd",
     "error: 'Wave: 3rd' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 003', or leave the line out\n"},
    {"Nothing", "a\n\nPlan: x\nWave:",
     "error: 'Wave: ' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"Zero", "a\n\nPlan: x\nWave: 000",
     "error: 'Wave: 000' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"LowerCase", "a\n\nplan: x\nwave: two",
     "error: 'wave: two' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"WithoutPlan", "a\n\nWave: 3",
     "error: 'Wave: 003' does not say of which plan it is\n"
     "hint: write 'Plan: <id>' in the line above it, or leave it out\n"},
};

class Messages : public ::testing::TestWithParam<Message> {};

TEST_P(Messages, AreJudgedByTheirTrailer) {
  const HookRepo repo;
  const auto said =
      repo.say_git({"commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", GetParam().text});
  EXPECT_EQ(said.all, GetParam().error);
  EXPECT_EQ(said.status, *GetParam().error == '\0' ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(Wave, Messages, ::testing::ValuesIn(kMessages),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(Messages, AreLetThroughInTheMiddleOfARebase) {
  const SituationRepo repo(true, false);
  RunOptions quiet;
  quiet.env["GIT_PLAN_HOOKS"] = "0";
  repo.git({"checkout", "-q", "beside"}, quiet);
  repo.git({"commit", "-q", "--allow-empty", "-m", "a\n\nPlan: x\nWave: bad"}, quiet);
  RunOptions reword;
  reword.env["GIT_SEQUENCE_EDITOR"] = "sed -i s/^pick/reword/";
  reword.env["GIT_EDITOR"] = "true";
  EXPECT_EQ(repo.say_git({"rebase", "-q", "-i", "moved"}, reword).status, 0);
  EXPECT_EQ(repo.say_git({"commit", "-q", "--amend", "--no-edit"}).status, 1);
}

TEST(HookLines, AreBounded) {
  const HookRepo repo(false);
  std::string changes;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "many/f" + std::to_string(100 + i) + ".txt";
    repo.write(name, "f\n");
    changes += "- [modify] " + name + " — f\n";
  }
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "Many"});
  RunOptions options;
  options.stdin_text = "---\ntitle: M\n---\n# M\n\n## Changes\n" + changes;
  repo.plan({"create", "-F", "-", "--naming", "many"}, options);
  repo.plan({"hooks", "install"});
  repo.git({"rm", "-qr", "many"});
  const auto said = repo.say_git({"commit", "-qm", "None"});
  EXPECT_EQ(std::count(said.ours.begin(), said.ours.end(), '\n'), 12);
  EXPECT_TRUE(
      said.ours.ends_with("  many/f109.txt is gone: 'many'\n"
                          "  and 20 more: git plan check\n"))
      << said.ours;
}

}  // namespace
}  // namespace gitplan::test
