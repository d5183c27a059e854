#include "tests/hooks/situations.h"

#include <filesystem>

namespace gitplan::test {

namespace fs = std::filesystem;

#define MOVE "git plan: this changes what plans refer to:\n"
#define COMMIT "git plan: this commit changes what plans refer to:\n"
#define GONE "  src/a.txt is gone: 'x'\n"
#define MOVED "  src/b.txt is lib/b.txt now: 'x'\n"
#define CHANGED "  src/a.txt has changed: 'x'\n"

const std::vector<Situation>& situations() {
  static const std::vector<Situation> all{
      {"CheckoutBranch", "git checkout -q gone", MOVE GONE},
      {"CheckoutBack", "git -c core.hooksPath=/dev/null checkout -q gone; git checkout -q main",
       ""},
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
      {"MergeReal", "git checkout -q beside; git merge -q --no-edit moved", MOVE MOVED},
      {"MergeFastForward", "git merge -q gone", MOVE GONE},
      {"MergeSquash", "git merge -q --squash gone", ""},
      {"MergeSquashThenCommit", "git merge -q --squash gone; git commit -qm s", COMMIT GONE},
      {"MergeUpToDate", "git merge -q main", ""},
      {"MergeConflict",
       "git -c core.hooksPath=/dev/null checkout -q changed; git merge -q gone; test $? = 1", ""},
      {"MergeConflictThenCommit",
       "git -c core.hooksPath=/dev/null checkout -q changed; git merge -q gone; "
       "git rm -q src/a.txt; git commit -q --no-edit",
       COMMIT GONE},
      {"CommitPath", "git rm -q --cached src/b.txt; echo 2 >src/a.txt; git commit -qm c src/a.txt",
       COMMIT CHANGED},
      {"Commit", "git rm -q src/a.txt; git commit -qm c", COMMIT GONE},
      {"CommitNothingOfPlans", "echo o >o.txt; git add o.txt; git commit -qm c", ""},
      {"CommitAll", "echo 2 >src/a.txt; git commit -qam c", COMMIT CHANGED},
      {"CommitOfATask", "git rm -q docs/c.txt; git commit -qm c",
       COMMIT "  docs/c.txt is gone: 'x' (parser)\n"},
      {"CommitRename", "mkdir lib; git mv src/b.txt lib/b.txt; git commit -qm c", COMMIT MOVED},
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
      {"RebaseApplyAbort",
       "git -c core.hooksPath=/dev/null checkout -q changed; git rebase -q --apply gone "
       ">/dev/null; "
       "git rebase --abort",
       ""},
      {"RebaseForward", "git rebase -q gone", MOVE GONE},
      {"RebaseApplyForward", "git rebase -q --apply gone", MOVE GONE},
      {"RebaseInteractive",
       "git -c core.hooksPath=/dev/null checkout -q beside; "
       "GIT_SEQUENCE_EDITOR=true git rebase -q -i gone",
       MOVE GONE},
      {"PullRebase",
       "git -c core.hooksPath=/dev/null checkout -q beside; git pull -q --rebase . gone",
       MOVE GONE},
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
      {"LinkedWorktree",
       "git worktree add -q -b l ../l; cd ../l; git rm -q src/a.txt; git commit -qm c",
       COMMIT GONE},
      {"LinkedWorktreeAll",
       "git worktree add -q -b l ../l; cd ../l; echo 2 >src/a.txt; git commit -qam c",
       COMMIT CHANGED},
      {"LinkedWorktreeSwitch", "git worktree add -q -b l ../l; cd ../l; git switch -q gone",
       MOVE GONE},
      {"LinkedWorktreeByItsGitDir",
       "git worktree add -q -b l ../l; cd ../l; export GIT_DIR=\"$PWD/../repo/.git/worktrees/l\" "
       "GIT_INDEX_FILE=\"$PWD/../repo/.git/worktrees/l/index\"; git rm -q src/a.txt; git commit "
       "-qm "
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
      {"SwitchedOff", "git rm -q src/a.txt; GIT_PLAN_HOOKS=0 git commit -qm c", ""},
      {"SwitchedOffByConfiguration", "git rm -q src/a.txt; git -c plan.hooks=false commit -qm c",
       ""},
      {"InsideATask", "git rm -q src/a.txt; PLAN_TASK=parser git commit -qm c", ""},
      {"GraphicalClient",
       "git rm -q src/a.txt; env -i PATH=/usr/bin:/bin HOME=\"$HOME\" "
       "\"GIT_AUTHOR_DATE=$GIT_AUTHOR_DATE\" \"GIT_COMMITTER_DATE=$GIT_COMMITTER_DATE\" git commit "
       "-qm c",
       COMMIT GONE},
      {"Strict",
       "git rm -q src/a.txt; git -c plan.hooks.strict=true commit -qm c; test $? = 1 && "
       "git -c plan.hooks.strict=true commit -q --no-verify -m c",
       COMMIT GONE},
      {"PlanGone", "git update-ref -d refs/plans/x; git rm -q src/a.txt; git commit -qm c", ""},
      {"PlansPacked", "git pack-refs --all; git rm -q src/a.txt; git commit -qm c", COMMIT GONE},
      {"PlanDeleted", "git plan delete x --yes 2>/dev/null; git rm -q src/a.txt; git commit -qm c",
       ""},
      {"PlanFileThatIsNone",
       "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: 3\\n---\\n# Y\\n' >y.md; printf -- "
       "'---\\nlayout: page\\n---\\n' >page.md; git add -A; git commit -qm c",
       "git plan: this commit has a plan that is not valid:\n  y.md:4:10: error: 'tasks' is the "
       "text "
       "'3', not a list (write a list: '- name: first-task')\n"},
      {"PlanFile",
       "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: []\\n---\\n# Y\\n' >y.md; git add "
       "-A; "
       "git "
       "commit -qm c",
       ""},
      {"PlanFileStrict",
       "printf -- '---\\ntitle: y\\norchestration:\\n  tasks: 3\\n---\\n# Y\\n' >y.md; git add -A; "
       "git "
       "-c plan.hooks.strict=true commit -qm c; test $? = 1 && "
       "git -c plan.hooks.strict=true commit -q --no-verify -m c",
       "git plan: this commit has a plan that is not valid:\n  y.md:4:10: error: 'tasks' is the "
       "text "
       "'3', not a list (write a list: '- name: first-task')\n"},
      {"StrictNothing", "echo o >o.txt; git add o.txt; git -c plan.hooks.strict=true commit -qm c",
       ""},
      {"WaveLine", "git commit -q --allow-empty -m 'a\n\nPlan: x\nWave: 003'", ""},
      {"WaveLineOfAnotherClone", "git commit -q --allow-empty -m 'a\n\nPlan: not-here\nWave: 12'",
       ""},
      {"WaveLineInTheText", "git commit -q --allow-empty -m 'a\n\nWave: hello\n\nThe end.'", ""},
  };
  return all;
}

void PrintTo(const Situation& situation, std::ostream* out) { *out << situation.name; }

namespace {

template <typename Change>
void branch(const HookRepo& repo, const std::string& name, const Change& change) {
  RunOptions quiet;
  quiet.env = {{"GIT_CONFIG_COUNT", "1"},
               {"GIT_CONFIG_KEY_0", "core.hooksPath"},
               {"GIT_CONFIG_VALUE_0", "/dev/null"}};
  repo.git({"checkout", "-q", "-b", name, "main"}, quiet);
  change();
  repo.git({"add", "-A"}, quiet);
  repo.git({"commit", "-qm", "On " + name}, quiet);
  repo.git({"checkout", "-q", "main"}, quiet);
}

}  // namespace

void make_branches(const HookRepo& repo) {
  branch(repo, "gone", [&] { repo.git({"rm", "-q", "src/a.txt"}); });
  branch(repo, "moved", [&] {
    fs::create_directories(repo.path() / "lib");
    repo.git({"mv", "src/b.txt", "lib/b.txt"});
  });
  branch(repo, "beside", [&] { repo.write("other.txt", "o\n"); });
  branch(repo, "changed", [&] { repo.write("src/a.txt", "theirs\n"); });
}

}  // namespace gitplan::test
