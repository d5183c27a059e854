// edit, update, delete, undo: what changes, what is refused, and that no text is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "refs/store/run_lock.h"
#include "tests/command/tmux_screen.h"
#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kText =
    "---\n"
    "title: Plan   # a comment\n"
    "orchestration:\n"
    "  tasks:\n"
    "    - name: a\n"
    "      run: \"true\"\n"
    "    - name: b\n"
    "      run: 'false'   # later\n"
    "      depends_on: [a]\n"
    "---\n"
    "Body.\n";

class EditTest : public ::testing::Test {
 protected:
  EditTest() {
    repo.git({"config", "plan.editMode", "apply"});
    repo.plan({"create", "-F", "-", "--naming", "x"}, {.stdin_text = kText});
  }
  ProcessResult edit(const std::string& script, const Words& more = {}) const {
    Words words{"edit", "x"};
    words.insert(words.end(), more.begin(), more.end());
    return repo.plan(words, {.env = {{"GIT_EDITOR", script}}});
  }
  std::string text() const { return repo.git({"show", "refs/plans/x:plan.md"}) + "\n"; }
  std::string changes() const { return repo.git({"rev-list", "--count", "refs/plans/x"}); }
  // A task that has run to its end, as a run writes it.
  void complete(const std::string& task, const std::string& commit = "") const {
    repo.append(
        "x",
        {RunStarted{"r1", "", "", "", "end", {}, 1},
         AttemptStarted{"r1", task, "aaaaaaaaaaaa.1", "run", "builder", "inline", "", "", "", 30},
         ended(task), WaveStarted{"r1", 1, "", {task}}, WaveMerged{"r1", 1, "", {task}, {}, {}},
         WaveCompleted{"r1", 1, commit, {task}, "clean", ""}, RunEnded{"r1", "paused", ""}});
  }
  static AttemptEnded ended(const std::string& task) {
    AttemptEnded e;
    e.run = "r1";
    e.task = task;
    e.attempt = "aaaaaaaaaaaa.1";
    e.outcome = "finished";
    return e;
  }
  WorkRepo repo;
};

TEST_F(EditTest, WritesOneChange) {
  const ProcessResult result = edit("sed -i s/Body/Other/");
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "Changed 'x'.\n");
  EXPECT_THAT(text(), HasSubstr("---\nOther.\n"));
  EXPECT_EQ(changes(), "2");
  EXPECT_FALSE(repo.exists(".git/git-plan/edit/x.md"));
}

TEST_F(EditTest, ATextThatStaysWritesNothing) {
  const ProcessResult result = edit(":");
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "Nothing changed.\n");
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, AFaultyTextIsKeptAndNothingWritten) {
  const ProcessResult result = edit("sed -i 's/depends_on: .a./depends_on: [c]/'");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("error: plan.md has 1 error\nplan.md:9:"));
  EXPECT_THAT(result.err, HasSubstr("hint: your text is kept in " +
                                    (repo.path() / ".git/git-plan/edit/x.md").string() + "\n"));
  EXPECT_THAT(repo.read(".git/git-plan/edit/x.md"), HasSubstr("depends_on: [c]"));
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, AnEditorThatFailsLosesNothing) {
  const ProcessResult result = edit("f() { echo more >> \"$1\"; exit 3; }; f");
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.err, HasSubstr("' ended with exit status 3\nhint: your text is kept in "));
  EXPECT_THAT(repo.read(".git/git-plan/edit/x.md"), HasSubstr("\nmore\n"));
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, DoneTasksStayAsTheyAre) {
  complete("a");
  const std::string before = changes();
  ProcessResult result = edit("sed -i 's/\"true\"/\"echo\"/'");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(
      result.err,
      HasSubstr("error: plan.md has 1 error\n"
                "plan.md:5:7: error: task 'a' is completed and cannot be changed "
                "(what is running or completed stays as it is; add a task for what is missing)\n"));
  result = repo.plan({"update", "x", "--set", "a.run=echo"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("task 'a' is completed and cannot be changed"));
  EXPECT_EQ(repo.plan({"update", "x", "--set", "b.run=echo"}).exit_status, 0);
  EXPECT_EQ(changes(), std::to_string(std::stoi(before) + 1));
}

TEST_F(EditTest, OutcomeIsWrittenOnce) {
  EXPECT_EQ(edit("printf '\\n## Outcome\\nGood.\\n' >> \"$1\"; sed -i '/>8/,/nothing changes/d'")
                .exit_status,
            0);
  ASSERT_THAT(text(), HasSubstr("## Outcome\nGood."));
  ProcessResult result = edit("sed -i s/Good/Bad/");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("error: '## Outcome' of 'x' is written already\n"
                                    "hint: '--force' changes it nevertheless\n"));
  EXPECT_EQ(edit("sed -i s/Body/Else/").exit_status, 0);
  EXPECT_EQ(edit("sed -i s/Good/Bad/", {"--force"}).exit_status, 0);
  EXPECT_THAT(text(), HasSubstr("## Outcome\nBad."));
}

TEST_F(EditTest, WithoutATerminalConfirmNeedsYes) {
  repo.git({"config", "plan.editMode", "confirm"});
  ProcessResult result = edit("sed -i s/Body/Other/");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: plan.editMode is 'confirm', and there is no terminal to ask on\n"
            "hint: '--yes' applies the change without asking\n");
  EXPECT_EQ(repo.plan({"update", "x", "--title", "T"}).err, result.err);
  EXPECT_EQ(changes(), "1");
  EXPECT_EQ(edit("sed -i s/Body/Other/", {"--yes"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"update", "x", "--title", "T", "-y"}).exit_status, 0);
  EXPECT_EQ(changes(), "3");
}

TEST_F(EditTest, OnATerminalTheDifferenceIsShownFirst) {
  repo.git({"config", "plan.editMode", "confirm"});
  TmuxScreen screen(repo, "git plan update x --title Shown; echo rc=$?", 100, 30);
  const std::string shown = screen.until("Apply this change? [Y/n]");
  EXPECT_THAT(shown, HasSubstr("-title: Plan   # a comment"));
  EXPECT_THAT(shown, HasSubstr("+title: Shown"));
  screen.keys({"n", "Enter"});
  EXPECT_THAT(screen.until("rc="), HasSubstr("error: nothing was changed"));
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, SeveralHeadsAreShownTogetherAndReplaced) {
  // Another clone changed the same line: both replace the first definition.
  const std::string first = repo.git({"rev-parse", "refs/plans/x:plan.md"});
  repo.plan({"update", "x", "--set", "a.run=one"});
  std::string other = kText;
  other.replace(other.find("\"true\""), 6, "two");
  {
    auto repository = Repository::open_at(repo.path());
    auto store = Store::open(*repository);
    const auto done = store->change("x", [&](const PlanView&) -> Result<Store::Change> {
      Store::Change change;
      change.definitions.push_back(other);
      change.bodies.push_back(DefinitionChanged{Store::blob_id(other), {first}, "", ""});
      return change;
    });
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  EXPECT_EQ(repo.plan({"update", "x", "--title", "T"}).exit_status, 6);
  ProcessResult result = edit("f() { cp \"$1\" seen; sed -i s/Body/Other/ \"$1\"; }; f");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(repo.read("seen"), HasSubstr("<<<<<<< one change\n      run: one\n=======\n"
                                           "      run: two\n>>>>>>> another change\n"));
  EXPECT_THAT(result.err, HasSubstr("plan.md:6:1: error: a conflict marker is left"));
  EXPECT_EQ(edit("sed -i -e '/^<<<<<<< /d' -e '/^=======$/,/^>>>>>>> /d'").exit_status, 0);
  EXPECT_THAT(text(), HasSubstr("run: one\n"));
  EXPECT_EQ(repo.load("x").ledger.heads.size(), 1u);
}

TEST_F(EditTest, UpdateTouchesOnlyItsLines) {
  const ProcessResult result =
      repo.plan({"update", "x", "--title", "New", "--tag", "t", "--set", "b.run=make b", "--set",
                 "b.timeout_minutes=5", "--add-task", "{name: c, run: make c}", "--body", "-"},
                {.stdin_text = "New body.\n"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(result.err, "Changed 'x'.\n");
  EXPECT_EQ(changes(), "2");
  const std::string now = text();
  EXPECT_THAT(now, HasSubstr("title: New   # a comment\n"));
  EXPECT_THAT(now, HasSubstr("    - name: a\n      run: \"true\"\n"));
  EXPECT_THAT(now, HasSubstr("# later\n"));
  EXPECT_THAT(now, HasSubstr("tags: [t]\n"));
  EXPECT_THAT(now, HasSubstr("timeout_minutes: 5\n"));
  EXPECT_THAT(now, HasSubstr("---\nNew body.\n"));
  EXPECT_EQ(repo.load("x").plan.tasks().size(), 3u);
}

TEST_F(EditTest, UpdateRefusesWhatWouldNotBeValid) {
  ProcessResult result = repo.plan({"update", "x", "--drop-task", "a"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("'b'"));
  result = repo.plan({"update", "x", "--set", "a.depends_on=[b]"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err, HasSubstr("a -> b -> a"));
  result = repo.plan({"update", "x", "--set", "nonsense"});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_THAT(result.err, HasSubstr("error: '--set' takes <task>.<key>=<value>, not 'nonsense'\n"));
  result = repo.plan({"update", "x"});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_THAT(result.err, HasSubstr("error: 'git plan update' needs something to change\n"
                                    "usage: git plan update <plan> "));
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, UpdateThatChangesNothingWritesNothing) {
  EXPECT_EQ(repo.plan({"update", "x", "--title", "Plan"}).err, "Nothing changed.\n");
  EXPECT_EQ(changes(), "1");
}

TEST_F(EditTest, AConcernIsNotedWithoutAChangeOfTheText) {
  repo.git({"config", "plan.editMode", "confirm"});  // there is nothing to confirm
  const ProcessResult result = repo.plan({"update", "x", "--concern", "too slow?", "--json"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_TRUE(nlohmann::json::parse(result.out)["changed"].get<bool>());
  EXPECT_EQ(text(), kText);
  EXPECT_EQ(repo.load("x").ledger.remarks, std::vector<std::string>{"concern: too slow?"});
}

TEST_F(EditTest, UndoGoesBackStepByStep) {
  repo.plan({"update", "x", "--title", "Two"});
  edit("sed -i s/Two/Three/");
  EXPECT_EQ(repo.plan({"undo", "x"}).err, "Took back the last edit of 'x'.\n");
  EXPECT_THAT(text(), HasSubstr("title: Two"));
  EXPECT_EQ(repo.plan({"undo", "x"}).err, "Took back the last update of 'x'.\n");
  EXPECT_EQ(text(), kText);
  const ProcessResult result = repo.plan({"undo", "x"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: there is nothing to undo in 'x'\n"
            "hint: 'git plan log x' shows what happened to it\n");
  EXPECT_EQ(changes(), "5");
}

TEST_F(EditTest, DeleteAndUndo) {
  ProcessResult result = repo.plan({"delete", "x"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: deleting 'x' is not asked without a terminal\n"
            "hint: '--yes' answers the question\n");
  result = repo.plan({"delete", "x", "--yes"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "Deleted 'x'. 'git plan undo x' takes it back.\n");
  EXPECT_EQ(repo.plan({"list", "--status", "all"}).out, "");
  EXPECT_EQ(repo.plan({"delete", "x", "--yes"}).err, "'x' is deleted already.\n");
  EXPECT_EQ(repo.plan({"create", "-F", "-", "--naming", "x"}, {.stdin_text = kText}).out, "x-2\n");
  EXPECT_EQ(repo.plan({"update", "x", "--title", "T"}).exit_status, 2);
  EXPECT_EQ(repo.plan({"undo", "x"}).err, "'x' is active again.\n");
  // What was paused is paused again, and its branch was not taken for a leftover meanwhile.
  repo.append("x", {RunStarted{"r1", "", "", "", "end", {}, 1}, RunEnded{"r1", "paused", ""}});
  repo.git({"branch", "plan/x/integration"});
  EXPECT_EQ(repo.plan({"delete", "x", "--yes"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"gc"}).out, "");
  EXPECT_EQ(repo.git({"branch", "--list", "plan/*"}), "  plan/x/integration");
  EXPECT_EQ(repo.plan({"undo", "x"}).err, "'x' is paused again.\n");
  repo.git({"branch", "-D", "-q", "plan/x/integration"});
  EXPECT_THAT(repo.plan({"list"}).out, HasSubstr("x    paused"));
}

TEST_F(EditTest, DeleteRefusesWhileARunIsAtWork) {
  repo.append("x", {RunStarted{"r1", "", "", "", "end", {}, 1}});
  const std::string identity = repo.load("x").identity;
  ProcessResult result;
  {
    const auto lock = RunLock::take(repo.path() / ".git/git-plan/plans" / identity.substr(0, 16),
                                    RunHolder{.run = "r1", .host = "here", .pid = 42, .since = 1});
    ASSERT_TRUE(lock.ok()) << lock.error().message;
    result = repo.plan({"delete", "x", "--yes"});
  }
  EXPECT_EQ(result.exit_status, 8);
  EXPECT_EQ(result.err,
            "error: run r1 of 'x' is at work (process 42 on here)\n"
            "hint: 'git plan cancel x' ends it\n");
  const ProcessResult dead = repo.plan({"delete", "x", "--yes"});
  EXPECT_EQ(dead.exit_status, 2);
  EXPECT_EQ(dead.err,
            "error: 'x' is running, but its run has died; what it left would be forgotten\n"
            "hint: 'git plan execute x' goes on, 'git plan abort x' gives it up\n");
}

TEST_F(EditTest, UndoSetsASkippedTaskBack) {
  repo.append("x", {TaskSet{"a", "skipped", "not needed"}});
  EXPECT_EQ(repo.plan({"undo", "x"}).err, "Task 'a' of 'x' is pending again.\n");
  EXPECT_EQ(repo.load("x").ledger.task("a").status, TaskStatus::kPending);
}

TEST_F(EditTest, UndoRefusesWhereCodeHasLanded) {
  repo.plan({"update", "x", "--title", "T"});
  const std::string head = repo.git({"rev-parse", "HEAD"});
  complete("a", head);
  const ProcessResult result = repo.plan({"undo", "x"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: the newest change of 'x' is wave 1, and its code is on "
            "'plan/x/integration' (" +
                head.substr(0, 7) +
                ")\n"
                "hint: 'git revert " +
                head.substr(0, 7) + "' on that branch takes the code back\n");
}

}  // namespace
}  // namespace gitplan::test
