// Agents that do what they should not: what the user sees, and that nothing of anybody's is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

struct Rogue {
  const char* name;
  const char* script;
  const char* said;        // lines of `execute`, as they stand there
  bool lands = true;       // its work is taken
  const char* keys = "";   // further keys of the task
  const char* left = "";   // git status of the user's tree afterwards
  const char* plays = "";  // the known agent whose program the script stands in for
  bool slow = false;       // limits are in minutes: for the long run
};

std::ostream& operator<<(std::ostream& out, const Rogue& rogue) { return out << rogue.name; }

class MisbehavingAgent : public ::testing::TestWithParam<Rogue> {
 protected:
  MisbehavingAgent() {
    const std::string known = GetParam().plays;
    repo_.git({"config", "plan.agent", known.empty() ? "rogue" : known});
    if (known.empty())
      repo_.git({"config", "plan.agent.rogue.command", GetParam().script});
    else
      stand_in(known);
    repo_.make_plan("p", std::string("    - {name: one") + GetParam().keys + "}\n");
  }
  void stand_in(const std::string& known) const {
    const std::filesystem::path file = bin() / known;
    std::filesystem::create_directories(bin());
    std::ofstream(file) << "#!/bin/sh\ncat >/dev/null\n" << GetParam().script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  std::filesystem::path bin() const { return repo_.root() / "bin"; }
  WorkRepo repo_;
};

TEST_P(MisbehavingAgent, IsToldAndHarmsNothing) {
  const Rogue& rogue = GetParam();
  if (rogue.slow && std::getenv("GITPLAN_LONG") == nullptr) GTEST_SKIP() << "takes a minute";
  const std::string start = repo_.git({"rev-parse", "HEAD"});
  repo_.write("mine.txt", "not committed\n");
  const std::string path = std::getenv("PATH");
  std::string said = repo_.said({"execute", "p"}, {.env = {{"PATH", bin().string() + ":" + path}},
                                                   .timeout = std::chrono::minutes(3)});
  // A limit in minutes, on a machine that has other things to do.
  for (std::size_t at = 0; (at = said.find("1 m <time>", at)) != std::string::npos;)
    said.erase(at + 3, 7);
  EXPECT_THAT(said, HasSubstr(rogue.said));
  EXPECT_THAT(said, HasSubstr(rogue.lands ? "p: completed, 1 of 1 task done"
                                          : "p: paused, 0 of 1 task done"));
  EXPECT_EQ(said.substr(0, 2), rogue.lands ? "0\n" : "4\n");
  EXPECT_EQ(said.find('\033'), std::string::npos);

  EXPECT_EQ(repo_.git({"symbolic-ref", "HEAD"}), "refs/heads/main");
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), std::string("?? mine.txt") + rogue.left);
  EXPECT_EQ(repo_.read("mine.txt"), "not committed\n");
  EXPECT_EQ(repo_.git({"rev-list", "--count", start + "..main"}), rogue.lands ? "1" : "0");
  EXPECT_EQ(repo_.git({"log", "-1", "--format=%an", "main"}),
            repo_.git({"log", "-1", "--format=%an", start}));
  EXPECT_EQ(repo_.git({"log", "--grep=^Wave: 007", "--format=%s", "main"}), "");
  // Whatever it committed, and what lay there uncommitted, can be reached.
  const PlanView after = repo_.load("p");
  const Attempt& last = *after.ledger.task("one").last();
  EXPECT_EQ(repo_.git({"cat-file", "-t", last.commit}), "commit");
  repo_.git({"fsck", "--connectivity-only", "--no-dangling"});
  EXPECT_EQ(repo_.run({"pgrep", "-f", repo_.root().string()}).out, "") << "nothing runs on";
  if (rogue.lands) {
    EXPECT_EQ(repo_.git({"for-each-ref", "refs/heads/plan"}), "");
  }
}

constexpr const char* kSideBranch =
    "git checkout -q -b side; echo s >src/a.txt; git commit -qam s; git checkout -q -; "
    "echo t >src/a.txt; git commit -qam t; ";
const std::string kHalfMerge = std::string(kSideBranch) + "git merge -q side; true";
const std::string kHalfRebase = std::string(kSideBranch) + "git rebase -q side; true";

const Rogue kRogues[] = {
    {"nothing_done", "exit 0", "one: failed after <time>: it changed nothing\n", false},
    {"writes_to_the_users_tree_too", "echo x >../../repo/zap.txt; echo own >own.txt",
     "one: files in your checkout changed while it ran: 'zap.txt'\n", true, "", "\n?? zap.txt"},
    {"writes_to_the_users_tree_only", "echo x >../../repo/zap.txt",
     "one: failed after <time>: it changed nothing\n"
     "one: files in your checkout changed while it ran: 'zap.txt'\n",
     false, "", "\n?? zap.txt"},
    {"changes_the_settings_of_git",
     "git config user.name Rogue; echo 'exit 1' >../../repo/.git/hooks/pre-push; echo own >own.txt",
     "one: files in your checkout changed while it ran: '.git/config', '.git/hooks/pre-push'\n"},
    {"leaves_its_scope", "echo y >src/b.txt; echo z >z.txt",
     "one: changed files outside its scope: 'z.txt'\n", true, ", files: ['src/**']"},
    {"amends_its_base", "echo y >src/b.txt; git add .; git commit -q --amend -m Mine",
     "one: amended its base; its result is taken as one commit on the base ("},
    {"detaches_head", "git checkout -q --detach; echo y >y; git add .; git commit -qm Detached",
     "one: detached its HEAD (at "},
    {"leaves_a_merge_half_done", kHalfMerge.c_str(),
     "one: left a merge half done: src/a.txt not resolved\n", false},
    {"leaves_a_rebase_half_done", kHalfRebase.c_str(),
     "one: left a rebase half done: src/a.txt not resolved\n", false},
    {"leaves_its_work_in_a_stash", "echo y >src/a.txt; git stash -q",
     "one: left changes in a stash: git stash show -p ", false},
    {"deletes_its_worktree", "rm -rf \"$PWD\"",
     "one: failed after <time>: its worktree is gone, and with it what was not committed; ", false},
    {"removes_its_worktree_by_git", "git worktree remove --force \"$PWD\"",
     "  log     | fatal: cannot remove a locked working tree, lock reason: git plan", false},
    {"deletes_its_branch",
     "echo y >y; git add .; git commit -qm y; b=$(git symbolic-ref HEAD); "
     "git checkout -q --detach; git branch -Dq ${b#refs/heads/}",
     "one: failed after <time>: its branch 'plan/p/one' is gone\n", false},
    {"commits_with_a_wave_of_its_own",
     "echo y >y; git add .; git commit -qm 'y\n\nWave: 007\nPlan: other'", "wave 1: committed "},
    {"commits_as_somebody_else",
     "echo y >y; git add .; git -c user.name=Eve -c user.email=e@v.e commit -qm y",
     "wave 1: committed "},
    {"makes_a_repository_in_its_tree",
     "mkdir n; cd n; git init -q; echo y >y; git add .; git commit -qm y",
     "one: made a repository of its own in n; what is in it is not taken\n", false},
    {"leaves_a_lock_of_the_index", "echo y >y; touch \"$(git rev-parse --git-dir)/index.lock\"",
     "one: finished after <time>, 1 file changed\n"},
    {"prints_control_characters", "printf '\\033[31mred\\a\\377\\n'; exit 3",
     "  log     | red\xef\xbf\xbd\n", false},
    {"is_ended_by_a_signal", "kill -SEGV $$",
     "one: failed after <time>: its command was ended by signal 11\n", false},
    {"starts_a_run_inside_a_task",
     "for c in 'execute p' 'resolve p x' 'approve p one' 'trust p'; do "
     "git plan $c 2>&1 | grep refused; done; exit 1",
     "  log     | error: 'git plan execute' is refused inside a task ('one')\n"
     "          | error: 'git plan resolve' is refused inside a task ('one')\n"
     "          | error: 'git plan approve' is refused inside a task ('one')\n"
     "          | error: 'git plan trust' is refused inside a task ('one')\n",
     false},
    {"prunes_and_collects_garbage",
     "echo y >y; git add .; git commit -qm y; git worktree prune; git gc -q --prune=now",
     "one: finished after <time>, 1 file changed\n"},
    {"removes_the_folder_of_its_brief", "echo y >y; rm -rf .git-plan",
     "one: finished after <time>, 1 file changed\n"},
    {"leaves_a_child_that_escaped", "echo y >y; setsid sh -c \"sleep 86399; : $PWD\" &",
     "one: finished after <time>, 1 file changed\n"},
    {"moves_the_integration_branch",
     "echo y >y; git update-ref refs/heads/plan/p/integration "
     "$(git commit-tree -m Evil -p HEAD HEAD^{tree})",
     "the plan's integration branch was moved to ", false},
    {"makes_ten_thousand_files", "mkdir d; cd d; seq 10000 | xargs touch",
     "one: finished after <time>, 10000 files changed\n"},
    {"leaves_a_long_summary",
     "echo y >y; head -c 20000000 /dev/zero | tr '\\0' a >\"$PLAN_OUTPUT\"",
     "one: finished after <time>, 1 file changed\n"},
    {"hangs", "echo y >y; exec sleep 86399", "one: timed out after 1 m: its time was up\n", false,
     ", timeout_minutes: 1", "", "", true},
    {"falls_silent", "echo y >y; exec sleep 86399",
     "one: timed out after 1 m: it wrote nothing and used no processor time for too long\n", false,
     ", idle_minutes: 1", "", "", true},
    {"prints_without_end", "echo y >y; yes | head -c 300000000",
     "one: finished after <time>, 1 file changed\n"},
    {"hangs_after_its_last_word",
     "echo y >y; echo '{\"type\":\"result\",\"is_error\":false,\"result\":\"Done.\"}'; "
     "exec sleep 86399",
     "one: finished after <time>, 1 file changed\n"
     "one: hung after its last word, and was ended\n",
     true, "", "", "claude"},
    {"ends_without_its_last_word", "echo y >y",
     "one: failed after <time>: its agent ended with status 0, but without saying that it was "
     "done\n",
     false, "", "", "claude"},
    {"is_not_signed_in",
     "echo '{\"type\":\"result\",\"is_error\":true,\"result\":\"Invalid API key\"}'; exit 1",
     "one: failed after <time>: its agent 'claude' is not signed in; start it once by hand\n",
     false, "", "", "claude"},
    {"leaves_findings_that_are_none", "echo y >y; echo 'not json' >\"$PLAN_FINDINGS\"",
     "one: finished after <time>, 1 file changed\n"},
};

INSTANTIATE_TEST_SUITE_P(Each, MisbehavingAgent, ::testing::ValuesIn(kRogues),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace gitplan::test
