// `git plan execute` killed with SIGKILL at random moments, whatever it is doing: the end is that
// of an undisturbed run, and nothing is left behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <set>

#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

// Six tasks on three levels, four at once, two of them in different parts of one file.
const char kPlan[] = R"(---
title: Six tasks
orchestration:
  default_mode: forked
  max_forks: 4
  tasks:
    - {name: top, description: Change the top, run: "sed -i 's/^line 2$/top/' shared.txt; sleep 0.1"}
    - {name: bottom, description: Change the bottom, run: "sed -i 's/^line 19$/bottom/' shared.txt"}
    - {name: left, description: Add left, run: "echo left > left.txt; sleep 0.2"}
    - {name: right, description: Add right, run: "echo right > right.txt"}
    - {name: join, description: Join them, run: "cat left.txt right.txt > join.txt", depends_on: [left, right, top]}
    - {name: end, description: Count, run: "wc -l < join.txt > end.txt; cat shared.txt >> end.txt", depends_on: [join, bottom]}
---
# Six tasks

Body.
)";

class KillLoop : public testing::Test {
 protected:
  static void prepare(TempRepo& repo) {
    std::string text;
    for (int i = 1; i <= 20; ++i) text += "line " + std::to_string(i) + "\n";
    repo.write("shared.txt", text);
    repo.commit("First");
    RunOptions options;
    options.stdin_text = kPlan;
    const auto made = repo.plan({"create", "-F", "-", "--naming", "six"}, options);
    ASSERT_EQ(0, made.exit_status) << made.err;
    // Work in another file that the user has not committed.
    repo.write("mine.txt", "not committed\n");
  }

  // Starts `git-plan execute six --resume`, and kills it after so long. True: it came to its end
  // first.
  static bool execute_and_kill(const TempRepo& repo, useconds_t after) {
    const std::string program = std::string(GITPLAN_PROGRAM_DIR) + "/git-plan";
    std::vector<std::string> environment = repo.environment();
    std::vector<char*> variables;
    for (auto& variable : environment) variables.push_back(variable.data());
    variables.push_back(nullptr);
    const char* argv[] = {"git-plan", "execute", "six", "--resume", "--yes", nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
    posix_spawn_file_actions_addchdir_np(&actions, repo.path().c_str());
    pid_t child = 0;
    EXPECT_EQ(0, posix_spawn(&child, program.c_str(), &actions, nullptr, const_cast<char**>(argv),
                             variables.data()));
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    for (useconds_t waited = 0; waited < after; waited += 5000) {
      if (waitpid(child, &status, WNOHANG) == child)
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
      usleep(5000);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
  }

  static void expect_as_undisturbed(const TempRepo& repo, const std::string& tree) {
    EXPECT_EQ(tree, repo.git({"rev-parse", "main^{tree}"}));
    EXPECT_EQ("", repo.git({"for-each-ref", "refs/heads/plan"}));
    EXPECT_EQ("1", repo.git({"rev-list", "--count", "--all-match", "--grep=^Plan: six$",
                             "--grep=^Wave: 002$", "main"}));
    EXPECT_EQ("4", repo.git({"rev-list", "--count", "--first-parent", "main"}));
    const std::string trees = repo.git({"worktree", "list", "--porcelain"});
    EXPECT_EQ(trees.find("worktree "), trees.rfind("worktree ")) << trees;
    EXPECT_EQ("not committed\n", repo.read("mine.txt"));
    EXPECT_EQ("?? mine.txt", repo.git({"status", "--porcelain"}));
    const auto locks =
        repo.run({"find", ".git", "-name", "*.lock", "-not", "-path", ".git/git-plan/*"});
    EXPECT_EQ("", locks.out);
    EXPECT_EQ(0, repo.run({"git", "fsck", "--strict", "--no-dangling"}).exit_status);
    const auto checked = repo.plan({"doctor", "--fsck"});
    EXPECT_EQ(0, checked.exit_status) << checked.out << checked.err;
    EXPECT_NE(0, repo.run({"pgrep", "-f", "git-plan-attempt " + repo.path().string()}).exit_status);
  }
};

TEST_F(KillLoop, RandomKillsEndInTheSameTree) {
  std::string tree;
  {
    TempRepo calm;
    prepare(calm);
    const auto result = calm.plan({"execute", "six", "--yes"});
    ASSERT_EQ(0, result.exit_status) << result.err;
    tree = calm.git({"rev-parse", "main^{tree}"});
    expect_as_undisturbed(calm, tree);
  }
  const int wanted = std::getenv("GITPLAN_LONG") != nullptr ? 60 : 8;
  std::mt19937 random(4711);
  int kills = 0;
  while (kills < wanted) {
    TempRepo repo;
    prepare(repo);
    int attempts = 0;  // the more, the longer it may live: a loaded machine needs more time
    while (!execute_and_kill(repo, 20000 + random() % (300000 << std::min(attempts / 8, 8)))) {
      ++kills;
      // Killed after the end was recorded: there is nothing to go on with.
      if (repo.plan({"list"}).out.find("completed") != std::string::npos) break;
      ASSERT_LT(++attempts, 60);
    }
    expect_as_undisturbed(repo, tree);
  }
  RecordProperty("kills", kills);
}

}  // namespace
}  // namespace gitplan::test
