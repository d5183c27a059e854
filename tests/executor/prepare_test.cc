// Forks made ready for their tasks: copied files, submodules, setup and teardown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/executor/run_fixture.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class Prepare : public RunTest {
 protected:
  std::string file(const std::string& name) const { return (repo_.root() / name).string(); }
  RunResult run() {
    auto result = execute();
    if (!result) throw std::runtime_error(result.error().message);
    return *std::move(result);
  }
};

TEST_F(Prepare, IgnoredFilesThatArePlannedAreCopiedAndNeverCommitted) {
  repo_.write(".gitignore", ".env\nlocal/\nbuild/\n");
  repo_.write(".worktreeinclude", "local/*.json\nnot-ignored\n");
  repo_.commit("Ignore");
  repo_.write(".env", "TOKEN=0123456789abcdef\n");
  repo_.write("local/a.json", "{}\n");
  repo_.write("local/b.txt", "not included\n");
  repo_.write("build/big", "no\n");
  repo_.write("not-ignored", "no\n");
  make_plan("- name: one\n  run: |\n    cp .env local/a.json " + file("") +
                "\n    ls -A . local > " + file("seen") +
                "\n    git add -f .env local\n    echo x > x.txt\n",
            "copy: [\".env\", \"missing*\"]\n");
  const RunResult result = run();
  EXPECT_EQ(result.outcome, "completed");
  EXPECT_EQ(repo_.read("../.env"), "TOKEN=0123456789abcdef\n");
  const std::string seen = repo_.read("../seen");
  EXPECT_THAT(seen, HasSubstr("a.json"));
  for (const char* absent : {"b.txt", "build", "not-ignored"})
    EXPECT_EQ(seen.find(absent), std::string::npos) << absent;
  EXPECT_EQ(repo_.git({"log", "--all", "--format=%H", "--", ".env", "local"}), "");
  EXPECT_THAT(result.view.ledger.task("one").last()->remarks,
              ::testing::Contains(HasSubstr("left out: .env")));
  std::filesystem::remove(repo_.path() / "not-ignored");
  expect_clean();
}

// A task that logs its directory, what lay there, and whether the tree is new: a renewed one has no
// reflog.
std::string tell(const std::string& name, const std::string& after, const std::string& log) {
  return "- name: " + name + "\n  depends_on: [" + after + "]\n  run: |\n    stat -c %i . >> " +
         log + "\n    ls -A | grep -v '^.git' >> " + log +
         ".seen\n    test -e $(git rev-parse --git-dir)/logs/HEAD && echo new >> " + log +
         ".new || echo renewed >> " + log + ".new\n    echo x > " + name + ".o\n    echo x > " +
         name + ".txt\n";
}

std::set<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

TEST_F(Prepare, WorktreesOfTasksThatAreOverAreUsedAgain) {
  repo_.write(".gitignore", "*.o\n");
  repo_.commit("Ignore");
  std::string tasks;
  for (const char* name : {"a", "b", "c", "d"}) tasks += tell(name, "", file("log"));
  for (const char* name : {"e", "f"}) tasks += tell(name, "a, b", file("log"));
  make_plan(tasks, "max_forks: 2\n");
  EXPECT_EQ(run().outcome, "completed");
  EXPECT_EQ(lines_of(file("log")).size(), 2u);
  EXPECT_EQ(lines_of(file("log.new")), (std::set<std::string>{"new", "renewed"}));
  const std::set<std::string> seen = lines_of(file("log.seen"));
  EXPECT_THAT(seen, ::testing::IsSupersetOf({"a.txt", "b.txt"})) << "from the base, by e and f";
  for (const std::string& name : seen) EXPECT_EQ(name.find(".o"), std::string::npos) << name;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    EXPECT_EQ(repo_.git({"show", "main:" + std::string(name) + ".txt"}), "x");
  expect_clean();
}

TEST_F(Prepare, NoWorktreeIsUsedAgainWhereThatIsNotWantedOrItIsTornDown) {
  repo_.git({"config", "plan.reuse", "never"});
  const std::string chain =
      tell("a", "", file("log")) + tell("b", "a", file("log")) + tell("c", "b", file("log"));
  make_plan(chain);
  EXPECT_EQ(run().outcome, "completed");
  EXPECT_EQ(lines_of(file("log.new")), std::set<std::string>{"new"});
  repo_.git({"config", "--unset", "plan.reuse"});
  id_ = "torn-down";
  std::filesystem::remove(file("log.new"));
  make_plan(chain, "teardown: [\"true\"]\n");
  EXPECT_EQ(run().outcome, "completed");
  EXPECT_EQ(lines_of(file("log.new")), std::set<std::string>{"new"});
  expect_clean();
}

TEST_F(Prepare, SetupRunsOnceInEachForkAndTeardownBeforeItGoes) {
  make_plan(
      "- {name: one, run: 'test -e ready && echo 1 > one.txt'}\n- {name: two, run: 'test -e ready "
      "&& echo 2 > two.txt'}\n",
      "setup: [\"echo ready > ready; echo $PLAN_TASK >> " + file("log") +
          "; echo ready >> .git-plan-ignored\"]\n"
          "teardown: [\"echo down $PLAN_TASK >> " +
          file("log") + "\"]\n");
  repo_.write(".gitignore", "ready\n.git-plan-ignored\n");
  repo_.commit("Ignore");
  EXPECT_EQ(run().outcome, "completed");
  std::ifstream log(file("log"));
  std::multiset<std::string> lines;
  for (std::string line; std::getline(log, line);) lines.insert(line);
  EXPECT_EQ(lines, (std::multiset<std::string>{"one", "two", "down one", "down two"}));
  expect_clean();
}

// A lock file that an installer rewrites, a folder that nobody has ignored.
TEST_F(Prepare, WhatSetupLeavesIsNotTheTasksWork) {
  repo_.write("packages.lock", "1\n");
  repo_.write("gone.txt", "x\n");
  repo_.commit("Lock");
  make_plan(
      "- {name: none, run: 'true', allow_no_change: true}\n"
      "- {name: own, run: 'echo 1 > own.txt; touch packages.lock'}\n"
      "- {name: edits, run: 'echo mine >> ready'}\n"
      "- {name: commits, run: 'git add packages.lock; git commit -qm Lock'}\n",
      "setup: [\"echo 2 > packages.lock; mkdir made; echo a > made/a; echo r > ready; rm "
      "gone.txt\"]\n");
  const RunResult result = run();
  ASSERT_EQ(result.outcome, "completed");
  const auto last = [&](const char* task) { return *result.view.ledger.task(task).last(); };
  using Paths = std::vector<std::string>;
  EXPECT_FALSE(last("none").changed());
  EXPECT_EQ(last("none").remarks,
            Paths{"left out: gone.txt and 3 more, as setup had left it; have git ignore it"});
  EXPECT_EQ(last("own").paths, Paths{"own.txt"});
  EXPECT_EQ(last("edits").paths, Paths{"ready"});
  EXPECT_EQ(last("commits").paths, Paths{"packages.lock"});
  EXPECT_EQ(repo_.git({"show", "main:ready"}), "r\nmine");
  EXPECT_EQ(repo_.git({"ls-tree", "-r", "--name-only", "main", "made", "gone.txt"}), "gone.txt");
  expect_clean();
}

TEST_F(Prepare, AFailingSetupIsNoFailingTask) {
  make_plan("- {name: one, run: 'echo 1 > one.txt'}\n",
            "setup: [\"echo no network >&2; exit 3\"]\n");
  const RunResult result = run();
  EXPECT_EQ(result.outcome, "paused");
  const Attempt& last = *result.view.ledger.task("one").last();
  EXPECT_EQ(last.failure, "setup");
  EXPECT_EQ(last.error, "setup 'echo no network >&2; exit 3' failed with status 3: no network");
  const DecisionAsked& asked = result.view.ledger.decisions.back().asked;
  EXPECT_EQ(asked.why, "Its worktree could not be made ready: it never started.");
}

TEST_F(Prepare, SubmodulesOfTheUserAreThere) {
  TempRepo library;
  library.write("lib.txt", "lib\n");
  library.commit("Lib");
  repo_.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
             library.path().string(), "lib"});
  repo_.commit("Submodule");
  make_plan(
      "- {name: one, run: 'cp lib/lib.txt one.txt && git -C lib remote get-url origin > "
      "url.txt'}\n");
  const RunResult result = run();
  EXPECT_EQ(result.outcome, "completed") << (result.view.ledger.task("one").last() != nullptr
                                                 ? result.view.ledger.task("one").last()->error
                                                 : "");
  EXPECT_EQ(repo_.read("one.txt"), "lib\n");
  EXPECT_EQ(repo_.read("url.txt"), library.path().string() + "\n");
  expect_clean();
}

}  // namespace
}  // namespace gitplan::test
