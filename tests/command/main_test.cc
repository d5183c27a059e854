// The words that belong to no command: help, versions, unknown commands, standard streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "git-plan/command/table.h"
#include "tests/command/tmux_screen.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(Main, WithoutACommandTheShortListIsPrintedAndTheUsageIsWrong) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("usage: git plan <command> [<options>]\n"));
  EXPECT_EQ(repo.plan({"-h"}).exit_status, 0);
  EXPECT_EQ(repo.plan({"-h"}).out + "\n", result.err + "\n");
}

TEST(Main, UnknownCommandsGetTheNearest) {
  const TempRepo repo;
  ProcessResult result = repo.plan({"craete"});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "error: 'craete' is not a git plan command\nhint: did you mean 'create'?\n");
  result = repo.plan({"frobnicate"});
  EXPECT_EQ(result.err,
            "error: 'frobnicate' is not a git plan command\n"
            "hint: 'git plan -h' lists the commands\n");
  result = repo.plan({"--frob"});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_EQ(result.err,
            "error: unknown option '--frob'\n"
            "usage: git plan <command> [<options>]\n"
            "       git plan --version | --help | -h | --list-commands\n");
}

TEST(Main, UsageErrorsAreOneHundredTwentyNineInJsonToo) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"list", "--json", "--tags"});
  EXPECT_EQ(result.exit_status, 129);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["error"]["code"], "usage");
  EXPECT_EQ(json["error"]["message"], "unknown option '--tags'");
  EXPECT_THAT(json["error"]["hint"].get<std::string>(), StartsWith("did you mean '--tag'?\n"));
  EXPECT_THAT(result.err, StartsWith("error: unknown option '--tags'\nhint: did you mean '--tag'?\n"
                                     "usage: git plan list "));
}

TEST(Main, AnUnknownCommandIsAnErrorInJsonToo) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"bogus", "--json"});
  EXPECT_EQ(result.exit_status, 129);
  EXPECT_EQ(result.out,
            "{\"schema\":1,\"error\":{\"code\":\"usage\",\"message\":\"'bogus' is not a git plan "
            "command\",\"hint\":\"'git plan -h' lists the commands\"}}\n");
  EXPECT_EQ(result.err,
            "error: 'bogus' is not a git plan command\nhint: 'git plan -h' lists the commands\n");
}

TEST(Main, ListsItsCommandsOneALine) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"--list-commands"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.out,
              StartsWith("create\nlist\nshow\nlog\ndiff\nedit\nupdate\ndelete\nundo\n"));
  EXPECT_THAT(result.out, HasSubstr("\ntrust\n"));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("complete")));
}

TEST(Main, SaysItsVersionsAlsoOutsideOfARepository) {
  const TempRepo repo;
  const ProcessResult result = repo.run({"git-plan", "version"}, {.cwd = "/"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.out,
              MatchesRegex("git-plan version [0-9.]+\ngit [0-9][^\n]*, libgit2 [0-9.]+\n"));
  EXPECT_EQ(repo.run({"git-plan", "--version"}, {.cwd = "/"}).out, result.out);
  const auto json = nlohmann::json::parse(repo.plan({"version", "--json"}).out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_TRUE(json["git"].is_string() && json["libgit2"].is_string());
}

TEST(Main, HelpWithoutAManualPagePrintsTheShortOne) {
  const TempRepo repo;
  EXPECT_EQ(repo.plan({"delete", "-h"}).out,
            "usage: git plan delete <plan> [--purge] [--yes]\n\nDelete a plan\n\n"
            "    --purge      take its content away, here and at remotes: for secrets\n"
            "    -y, --yes    do not ask\n"
            "    -h, --help   print this help; '--help' opens the manual page\n");
  EXPECT_EQ(repo.plan({"delete", "--help"}).out, repo.plan({"delete", "-h"}).out);
  EXPECT_EQ(repo.plan({"help", "delete"}).out, repo.plan({"delete", "-h"}).out);
}

TEST(Main, HelpOnATerminalOpensTheManualPage) {
  const TempRepo repo;
  // In the place of man: says which page it was asked for, and knows ours alone.
  repo.write(repo.root() / "man-bin/man",
             "#!/bin/sh\nfor page; do :; done\ncase $page in git-plan*) ;; *) exit 16 ;; esac\n"
             "test \"$1\" = -w || echo \"page $page.\"\n");
  repo.run({"chmod", "+x", (repo.root() / "man-bin/man").string()});
  const std::string path = "PATH=" + (repo.root() / "man-bin").string() + ":\"$PATH\"; ";
  const auto shown = [&](const std::string& command) {
    return TmuxScreen(repo, path + command, 80, 24).until("status 0.");
  };
  EXPECT_THAT(shown("git plan execute --help"), HasSubstr("page git-plan-execute."));
  EXPECT_THAT(shown("git plan help resolve"), HasSubstr("page git-plan-resolve."));
  EXPECT_THAT(shown("git-plan --help"), HasSubstr("page git-plan."));
  EXPECT_THAT(shown("git -c help.format=html plan execute --help"),
              HasSubstr("page git-plan-execute."));
}

TEST(Main, OutsideOfARepositorySaysSo) {
  const TempRepo repo;
  const ProcessResult result = repo.run({"git-plan", "list"}, {.cwd = repo.root()});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: not a git repository"));
}

TEST(Main, AReaderThatGoesAwayEndsItQuietly) {
  const TempRepo repo;
  repo.write("p.md", "# Long\n\n" + std::string(1 << 20, 'x') + "\n");
  repo.plan({"create", "-F", "p.md", "--naming", "x"});
  // The parent ignores SIGPIPE, as some do.
  const ProcessResult result =
      repo.run({"bash", "-c", "trap '' PIPE; git-plan show x | head -n1; echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(result.out, "# Long\n141\n");
  EXPECT_EQ(result.err, "");
}

TEST(Main, AFullDiskIsAnError) {
  const TempRepo repo;
  const ProcessResult result = repo.run({"bash", "-c", "git plan -h >/dev/full"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_EQ(result.err, "error: cannot write standard output: No space left on device\n");
}

TEST(Main, ClosedStreamsAreNotTakenByFiles) {
  const TempRepo repo;
  repo.write("p.md", "# Closed\n\nText.\n");
  const ProcessResult result =
      repo.run({"bash", "-c", "git plan create -F p.md --naming x <&- >&- 2>&-"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(repo.git({"show", "refs/plans/x:plan.md"}), "# Closed\n\nText.");
}

TEST(Main, ColoursFollowGit) {
  const TempRepo repo;
  repo.write("p.md", "# Colour\n\nText.\n");
  repo.plan({"create", "-F", "p.md", "--naming", "x"});
  const auto list = [&](const Words& before, const RunOptions& options) {
    Words words{"git"};
    words.insert(words.end(), before.begin(), before.end());
    words.insert(words.end(), {"plan", "list"});
    return repo.run(words, options).out;
  };
  EXPECT_THAT(list({}, {}), ::testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(list({"-c", "color.ui=always"}, {}), HasSubstr("\x1b[1mx\x1b[m"));
  EXPECT_THAT(list({"-c", "color.plan=always"}, {}), HasSubstr("\x1b[1mx\x1b[m"));
  EXPECT_THAT(list({"-c", "color.ui=always", "-c", "color.plan=never"}, {}),
              ::testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(list({}, {.env = {{"GIT_PAGER_IN_USE", "1"}, {"TERM", "xterm"}}}),
              HasSubstr("\x1b[1mx\x1b[m"));
  EXPECT_THAT(list({}, {.env = {{"GIT_PAGER_IN_USE", "1"}, {"TERM", "dumb"}}}),
              ::testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(list({}, {.env = {{"GIT_PAGER_IN_USE", "1"}, {"TERM", "xterm"}, {"NO_COLOR", "1"}}}),
              ::testing::Not(HasSubstr("\x1b")));
}

TEST(Main, InsideATaskTheGatesStayShut) {
  const TempRepo repo;
  std::set<std::string> allowed;
  for (const CommandInfo* command : all_commands()) {
    const std::string name(command->name);
    if (command->inside_task) {
      allowed.insert(name);
      continue;
    }
    Words words{name};
    for (const PositionalInfo& positional : command->positionals)
      if (positional.required) words.emplace_back("x");
    const ProcessResult result = repo.plan(words, {.env = {{"PLAN_TASK", "parser"}}});
    EXPECT_EQ(result.exit_status, 2) << name;
    EXPECT_EQ(result.err, "error: 'git plan " + name +
                              "' is refused inside a task ('parser')\n"
                              "hint: leave it to whoever runs the plan; a task says what it found "
                              "in PLAN_FINDINGS\n");
  }
  // What reads, what makes a plan of its own, and what is for the task itself; check and hooks
  // refuse by themselves what they would change.
  EXPECT_THAT(allowed,
              ::testing::ElementsAre("attempts", "blame", "check", "complete", "create", "diff",
                                     "doctor", "done", "fail", "hooks", "list", "log", "next",
                                     "output", "show", "status", "version", "why"));
  for (const char* action : {"install", "uninstall"})
    EXPECT_THAT(repo.plan({"hooks", action}, {.env = {{"PLAN_TASK", "parser"}}}).err,
                ::testing::HasSubstr("is refused inside a task ('parser')"));
}

}  // namespace
}  // namespace gitplan::test
