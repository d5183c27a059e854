// git plan check: what is said of references that the code left behind, and what --fix makes of
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/command/tmux_screen.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Check : public ::testing::Test {
 protected:
  static std::string lines(const std::string& word, int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) text += word + " number " + std::to_string(i) + "\n";
    return text;
  }

  Check() {
    for (const char* name : {"a", "b", "c", "d"})
      repo_.write("src/" + std::string(name) + ".c", lines(name, 1, 40));
    repo_.commit("Sources");
  }

  // Tasks in flow style, one a line; the body below.
  void make(const std::string& body, const std::string& tasks = "") {
    RunOptions options;
    options.stdin_text = "---\ntitle: p\norchestration:\n  default_mode: forked\n  tasks:" +
                         (tasks.empty() ? std::string(" []\n") : "\n" + tasks) + "---\n" + body;
    ASSERT_EQ(repo_.plan({"create", "-F", "-", "--naming", "{title}"}, options).exit_status, 0);
  }
  void rename(const std::string& from, const std::string& to) {
    repo_.git({"mv", from, to});
    repo_.commit("Rename " + from);
  }
  std::string check(Words more = {}) {
    more.insert(more.begin(), "check");
    return std::regex_replace(repo_.said(more), std::regex("\\d+ [a-z]+ ago|just now"), "<time>");
  }
  nlohmann::json references(Words more = {}) {
    more.insert(more.begin(), "check");
    more.emplace_back("--json");
    return nlohmann::json::parse(repo_.plan(more).out)["references"];
  }
  std::string text() { return repo_.git({"show", "refs/plans/p:plan.md"}); }
  int changes() { return std::stoi(repo_.git({"rev-list", "--count", "refs/plans/p"})); }

  WorkRepo repo_;
};

TEST_F(Check, SaysWhatBecameOfEach) {
  make(
      "See `src/a.c`, `src/b.c:10-20` and `src/c.c`.\n\n## Changes\n- [modify] `src/d.c` - x\n"
      "- [create] `src/new.c` - y\n");
  EXPECT_EQ(check(), "0\nAll 5 references are as they were noted.\n");
  rename("src/a.c", "src/parse.c");
  repo_.write("src/b.c", "one\ntwo\n" + lines("b", 1, 40));
  repo_.write("src/c.c", lines("c", 1, 20) + lines("other", 21, 40));
  repo_.write("src/new.c", "new\n");
  repo_.git({"rm", "-q", "src/d.c"});
  repo_.commit("Much at once");
  EXPECT_EQ(check({"p"}),
            "5\np: 5 stale references of 5\n"
            "  plan.md:7   src/a.c        renamed to src/parse.c (100 % the same) by <id>, A U "
            "Thor, <time>: Rename src/a.c\n"
            "  plan.md:7   src/b.c:10-20  its lines are now at src/b.c:12-22, last by <id>, A U "
            "Thor, <time>: Much at once\n"
            "  plan.md:7   src/c.c        50 % of it changed, last by <id>, A U Thor, <time>: Much "
            "at once\n"
            "  plan.md:10  src/d.c        deleted by <id>, A U Thor, <time>: Much at once\n"
            "  plan.md:11  src/new.c      is there already by <id>, A U Thor, <time>: Much at "
            "once\n"
            "'git plan check p --fix' puts right what is certain.\n");
  const auto all = references({"p"});
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0]["state"], "renamed");
  EXPECT_EQ(all[0]["suggestion"], "src/parse.c");
  EXPECT_EQ(all[0]["similarity"], 100);
  EXPECT_EQ(all[1]["state"], "content");
  EXPECT_EQ(all[1]["suggestion"], "src/b.c:12-22");
  EXPECT_EQ(all[1]["lines"], nlohmann::json::parse(R"({"first":10,"last":20})"));
  EXPECT_EQ(all[2]["changed_percent"], 50);
  EXPECT_EQ(all[3]["state"], "deleted");
  EXPECT_EQ(all[3]["by"], repo_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(all[4]["state"], "exists");
  EXPECT_EQ(all[4]["line"], 11);
  EXPECT_EQ(all[4]["column"], 13);
}

TEST_F(Check, ALittleChangeIsNoneAndTheThresholdIsTheUsers) {
  make("See `src/a.c`.\n");
  repo_.write("src/a.c", lines("a", 1, 36) + lines("other", 37, 40));
  repo_.commit("A tenth");
  EXPECT_EQ(check(), "0\nThe reference is as it was noted.\n");
  EXPECT_THAT(repo_.said({"check"}, {.env = {{"GIT_CONFIG_COUNT", "1"},
                                             {"GIT_CONFIG_KEY_0", "plan.contentThreshold"},
                                             {"GIT_CONFIG_VALUE_0", "10"}}}),
              HasSubstr("10 % of it changed"));
}

TEST_F(Check, FixChangesThePlanOnceAndOnlyThere) {
  make("See `src/a.c`, `src/b.c:10-20`\nand `src/c.c`.\n",
       "    - {name: one, run: 'true', files: [ src/a.c , 'src/d.c' ]}\n");
  rename("src/a.c", "src/parse.c");
  rename("src/d.c", "src/draw.c");
  repo_.write("src/b.c", "one\n" + lines("b", 1, 40));
  repo_.write("src/c.c", lines("other", 1, 40));
  repo_.commit("More");
  const std::string before = text();
  const int count = changes();
  EXPECT_EQ(check({"p", "--fix"}),
            "0\np: plan.md:6: src/a.c -> src/parse.c\np: plan.md:6: src/d.c -> src/draw.c\n"
            "p: plan.md:8: src/a.c -> src/parse.c\np: plan.md:8: src/b.c:10-20 -> "
            "src/b.c:11-21\np: src/c.c is noted as it is now\n");
  EXPECT_EQ(changes(), count + 1);
  EXPECT_THAT(text(), HasSubstr("files: [ src/parse.c , src/draw.c ]}"));
  EXPECT_THAT(text(), HasSubstr("See `src/parse.c`, `src/b.c:11-21`\nand `src/c.c`."));
  EXPECT_EQ(check(), "0\nAll 5 references are as they were noted.\n");
  EXPECT_EQ(check({"p", "--fix"}), "0\nAll 5 references are as they were noted.\n");
  EXPECT_EQ(changes(), count + 1);
  EXPECT_EQ(repo_.said({"undo", "p"}).substr(0, 2), "0\n");
  EXPECT_EQ(text(), before);
}

// What is gone stays stale, whatever else changes in the plan.
TEST_F(Check, AnEditMakesNothingFresh) {
  make("See `src/a.c`, `src/b.c:10-20` and `src/c.c`.\n");
  repo_.git({"rm", "-q", "src/a.c"});
  repo_.write("src/b.c", "one\n" + lines("b", 1, 40));
  repo_.commit("Away");
  const std::string deleted = repo_.git({"rev-parse", "HEAD"});
  repo_.commit("Later");
  EXPECT_EQ(repo_.said({"update", "p", "--title", "Q", "--yes"}).substr(0, 2), "0\n");
  repo_.commit("Later still");
  EXPECT_EQ(repo_.said({"update", "p", "--title", "R", "--yes"}).substr(0, 2), "0\n");
  auto all = references({"p"});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["state"], "deleted");
  EXPECT_EQ(all[0]["by"], deleted);
  EXPECT_EQ(all[1]["suggestion"], "src/b.c:11-21");
  EXPECT_THAT(check({"p", "--fix"}), HasSubstr("src/a.c was left: nothing takes its place\n"));
  all = references({"p"});
  EXPECT_EQ(all[0]["state"], "deleted");
  EXPECT_EQ(all[1]["state"], "fresh");
  EXPECT_EQ(repo_.plan({"check", "p", "--fix"}).exit_status, 5);
}

TEST_F(Check, WhatThePlanItselfDidIsNotStale) {
  make(
      "## Changes\n- [create] `src/new.c` - x (one)\n- [modify] `src/a.c` - y (one)\n"
      "- [delete] `src/b.c` - z (one)\n",
      "    - {name: one, run: 'echo n >src/new.c; echo a >src/a.c; git rm -q src/b.c; git mv "
      "src/c.c src/moved.c'}\n    - {name: two, run: 'exit 1', files: [src/a.c, src/new.c]}\n");
  ASSERT_EQ(repo_.plan({"execute", "p"}).exit_status, 4);
  EXPECT_THAT(check({"p"}), HasSubstr("0\nAll "));
  repo_.write("src/a.c", lines("mine", 1, 40));
  repo_.commit("Mine");
  const auto all = references({"p"});
  ASSERT_FALSE(all.empty());
  for (const auto& one : all)
    EXPECT_EQ(one["state"], one["path"] == "src/a.c" ? "content" : "fresh") << one;
}

TEST_F(Check, LooksAtIndexWorkTreeAndRevisions) {
  make("See `src/a.c` and `src/b.c`.\n");
  repo_.git({"mv", "src/a.c", "src/parse.c"});
  std::filesystem::remove(repo_.path() / "src/b.c");
  EXPECT_EQ(check(), "0\nAll 2 references are as they were noted.\n");
  EXPECT_EQ(check({"--staged"}),
            "5\np: 1 stale reference of 2\n"
            "  plan.md:7  src/a.c  renamed to src/parse.c (100 % the same)\n");
  EXPECT_THAT(check({"--worktree"}), HasSubstr("  plan.md:7  src/b.c  deleted\n"));
  repo_.git({"commit", "-qam", "Both"});
  EXPECT_THAT(check({"p", "HEAD"}), HasSubstr("2 stale references of 2\n"));
  EXPECT_EQ(check({"HEAD~1"}), "0\nAll 2 references are as they were noted.\n");
  EXPECT_EQ(check({"p", "main~1"}), "0\nAll 2 references are as they were noted.\n");
}

TEST_F(Check, RefusesWhatMakesNoSense) {
  make("See `src/a.c`.\n");
  EXPECT_THAT(check({"--staged", "--worktree"}), HasSubstr("129\nerror: '--staged', "));
  EXPECT_THAT(check({"p", "--fix", "HEAD"}), HasSubstr("129\nerror: '--fix' goes by HEAD"));
  EXPECT_THAT(check({"nope"}), HasSubstr("2\nerror: "));
  EXPECT_THAT(check({"p", "nope"}), HasSubstr("2\nerror: 'nope' is no commit here\n"));
  EXPECT_THAT(repo_.said({"check", "--fix"}, {.env = {{"PLAN_TASK", "one"}}}),
              HasSubstr("error: 'git plan check --fix' is refused inside a task ('one')\n"));
}

// Two files are as good: nobody is told that one of them is it.
TEST_F(Check, WhatIsUncertainIsLeftAndExitsWithFour) {
  make("See `src/a.c`.\n");
  repo_.git({"rm", "-q", "src/a.c"});
  repo_.write("src/left.c", lines("a", 1, 40));
  repo_.write("src/right.c", lines("a", 1, 40));
  repo_.commit("Split");
  const std::string said = check({"p", "--fix"});
  EXPECT_THAT(said, HasSubstr("4\np: 1 stale reference of 1\n"));
  EXPECT_THAT(said, HasSubstr("perhaps renamed to src/"));
  EXPECT_THAT(said, HasSubstr("src/a.c was left: its new place is not certain\n"));
  EXPECT_THAT(text(), HasSubstr("`src/a.c`"));
}

TEST_F(Check, OnATerminalWhatIsUncertainIsAsked) {
  make("See `src/a.c` and `src/b.c`.\n");
  rename("src/b.c", "src/sure.c");
  repo_.git({"rm", "-q", "src/a.c"});
  repo_.write("src/left.c", lines("a", 1, 40));
  repo_.write("src/right.c", lines("a", 1, 40));
  repo_.commit("Split");
  {
    const TmuxScreen screen(repo_, "git plan check --fix", 120, 30);
    screen.until("What now? [1,2,k,q,?]");
    screen.keys({"q", "Enter"});
    screen.until("nothing was changed");
  }
  EXPECT_THAT(text(), HasSubstr("See `src/a.c` and `src/b.c`."));
  const TmuxScreen screen(repo_, "git plan check --fix", 120, 30);
  screen.until("What now? [1,2,k,q,?]");
  screen.keys({"2", "Enter"});
  screen.until("p: plan.md:7: src/b.c -> src/sure.c");
  EXPECT_THAT(text(), ::testing::ContainsRegex("See `src/(left|right).c` and `src/sure.c`."));
}

constexpr const char* kAsked = R"(4
run <run> on <id> for main
decision <decision>: a file that the plan names is not where it was

p: paused, 0 of 2 tasks done, <time>

Decision <decision>: stale references
  what    a file that the plan names is not where it was
  why     src/a.c, which 'one' names, was renamed to src/parse.c by <id>
  impact  Nothing of this plan starts before: its tasks would look in the wrong place.
  options
    fix    put the new places into the plan            git plan resolve p <decision> fix
    edit   change the plan, then go on                 git plan resolve p <decision> edit
    run    start with the plan as it is                git plan resolve p <decision> run
    abort  end the plan here; everything done is kept  git plan resolve p <decision> abort

Answer, then go on: git plan execute p
)";

class StaleRun : public Check {
 protected:
  StaleRun() {
    make("See `src/d.c`.\n",
         "    - {name: one, run: 'cp $PLAN_BRIEF brief.txt', files: [src/a.c, brief.txt]}\n"
         "    - {name: two, run: 'echo 2 >two.txt'}\n");
    rename("src/a.c", "src/parse.c");
  }
};

TEST_F(StaleRun, IsAskedAboutBeforeAnythingStarts) {
  EXPECT_THAT(repo_.said({"execute", "p", "--dry-run"}),
              HasSubstr("  warning references  files that tasks name are not where they were: "
                        "asked about before anything starts\n          src/a.c, which 'one' "
                        "names, was renamed to src/parse.c by <id>\n"));
  EXPECT_EQ(repo_.said({"execute", "p"}), kAsked);
  EXPECT_TRUE(repo_.load("p").ledger.task("two").attempts.empty());
  EXPECT_EQ(repo_.said({"resolve", "p", "fix"}),
            "0\nplan.md:6: src/a.c -> src/parse.c\nAnswered decision <decision> of 'p': fix.\n"
            "Go on: git plan execute p\n");
  EXPECT_THAT(repo_.said({"execute", "p"}), HasSubstr("p: completed, 2 of 2 tasks done"));
  EXPECT_THAT(repo_.read("brief.txt"), HasSubstr("src/parse.c"));
}

TEST_F(StaleRun, CanBeStartedAllTheSameAndIsNotAskedAboutTwice) {
  EXPECT_EQ(repo_.plan({"execute", "p"}).exit_status, 4);
  EXPECT_EQ(repo_.said({"resolve", "p", "run"}).substr(0, 2), "0\n");
  EXPECT_THAT(repo_.said({"execute", "p"}), HasSubstr("p: completed, 2 of 2 tasks done"));
}

TEST_F(StaleRun, TheQuestionGoesWhereTheCauseHasGone) {
  EXPECT_EQ(repo_.plan({"execute", "p"}).exit_status, 4);
  EXPECT_EQ(repo_.plan({"check", "p", "--fix"}).exit_status, 0);
  EXPECT_THAT(repo_.said({"execute", "p"}), HasSubstr("p: completed, 2 of 2 tasks done"));
}

TEST_F(StaleRun, TasksThatDoNotRunAreOnlyWarnedOf) {
  const std::string said = repo_.said({"execute", "p", "--task", "two", "--yes"});
  EXPECT_THAT(said, HasSubstr("1 reference of the plan is stale: git plan check p"));
  EXPECT_THAT(said, Not(HasSubstr("Decision")));
  EXPECT_EQ(repo_.load("p").ledger.task("two").status, TaskStatus::kCompleted);
}

TEST_F(StaleRun, ADeletedFileCannotBeFixed) {
  repo_.git({"rm", "-q", "src/parse.c"});
  repo_.commit("Away");
  const std::string said = repo_.said({"execute", "p"});
  EXPECT_THAT(said, HasSubstr("src/a.c, which 'one' names, was deleted by <id>"));
  EXPECT_THAT(repo_.said({"resolve", "p", "fix"}),
              HasSubstr("error: 'fix' cannot be chosen: not all new places are certain"));
}

TEST_F(Check, CreateSaysWhatIsThereAlready) {
  RunOptions options;
  options.stdin_text = "---\ntitle: p\n---\n## Changes\n- [create] `src/a.c` - x\n";
  const std::string said = repo_.said({"create", "-F", "-", "--naming", "{title}"}, options);
  EXPECT_THAT(said, HasSubstr("standard input:5:13: warning: 'src/a.c' is to be created, and is "
                              "there already (write [modify], or another name)"));
  EXPECT_THAT(check(), HasSubstr("is there already"));
}

TEST_F(Check, AShallowCloneSaysWhatItCouldNotSee) {
  make("See `src/a.c`.\n");
  rename("src/a.c", "src/parse.c");
  repo_.commit("Tip");
  repo_.git({"clone", "-q", "--depth=1", "file://" + repo_.path().string(), "../shallow"});
  const std::string at = (repo_.root() / "shallow").string();
  repo_.git({"-C", at, "fetch", "-q", "origin", "refs/plans/*:refs/plans/*"});
  const ProcessResult result = repo_.run({"git", "-C", at, "plan", "check", "p"});
  EXPECT_EQ(result.exit_status, 5) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("src/parse.c"));
  EXPECT_THAT(result.err, HasSubstr("note: "));
}

}  // namespace
}  // namespace gitplan::test
