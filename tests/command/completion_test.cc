// Completion: the words from the table, and the scripts in their real shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git-plan/command/command.h"
#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;

class CompletionTest : public ::testing::Test {
 protected:
  CompletionTest() {
    repo.make_plan("one",
                   "    - {name: parser, run: x, description: Parse it}\n"
                   "    - {name: printer, run: x}\n");
    repo.make_plan("other", "    - {name: z, run: x}\n");
    repo.plan({"delete", "other", "--yes"});
  }
  std::string complete(Words words) const {
    words.insert(words.begin(), {"complete", "--"});
    const ProcessResult result = repo.plan(words);
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  // What bash offers for a line, sorted.
  std::string bash(const std::string& words, int current, const std::string& function) const {
    return repo
        .run({"bash", "--norc", "-c",
              "source " GITPLAN_SOURCE_DIR "/git-plan/completion/git-plan.bash; COMP_WORDS=(" +
                  words + "); COMP_CWORD=" + std::to_string(current) + "; " + function +
                  "; printf '%s\\n' \"${COMPREPLY[@]}\" | sort"})
        .out;
  }
  bool has(const std::string& program) const {
    return repo.run({"sh", "-c", "command -v " + program}).exit_status == 0;
  }
  WorkRepo repo;
};

TEST_F(CompletionTest, Words) {
  EXPECT_EQ(complete({"cr"}),
            "create\tMake a plan from a file, standard input, another plan or th…\n");
  EXPECT_EQ(complete({"show", ""}), "one\tone\n");
  EXPECT_EQ(complete({"show", "x"}), "");
  EXPECT_EQ(complete({"show", "one", "--task", "p"}), "parser\tParse it\nprinter\n");
  EXPECT_EQ(complete({"show", "--task", ""}), "");
  EXPECT_EQ(complete({"list", "--status", "a"}), "active\narchived\nall\n");
  EXPECT_EQ(complete({"list", "--status=ar"}), "--status=archived\n");
  EXPECT_EQ(complete({"list", "--status", "=", "ar"}), "archived\n");
  EXPECT_EQ(complete({"list", "--status", "="}), "active\narchived\nall\n");
  EXPECT_EQ(complete({"delete", "--y"}), "--yes\tdo not ask\n");
  EXPECT_EQ(complete({"create", "-F", ""}), ":file\n");
  EXPECT_EQ(complete({"create", "--title", ""}), "");
  EXPECT_EQ(complete({"nonsense", ""}), "");
  EXPECT_EQ(complete({"show", "--", "-"}), "");
}

TEST_F(CompletionTest, OutsideOfARepositoryThereAreOnlyCommands) {
  EXPECT_EQ(repo.run({"git-plan", "complete", "--", "show", ""}, {.cwd = "/"}).out, "");
  EXPECT_THAT(repo.run({"git-plan", "complete", "--", "sh"}, {.cwd = "/"}).out,
              HasSubstr("show\t"));
}

TEST_F(CompletionTest, EveryCommandCompletesItsOptions) {
  for (const CommandInfo* command : all_commands())
    for (const OptionInfo& option : options_of(*command))
      EXPECT_THAT(complete({std::string(command->name), "--"}),
                  HasSubstr(std::string(option.name) + "\t"));
}

TEST_F(CompletionTest, Bash) {
  EXPECT_EQ(bash("git plan cr", 2, "_git_plan"), "create\n");
  EXPECT_EQ(bash("git -C . plan show o", 5, "_git_plan"), "one\n");
  EXPECT_EQ(bash("git-plan show one --task p", 4, "_git_plan_program"), "parser\nprinter\n");
  EXPECT_EQ(bash("git-plan list --status = ar", 4, "_git_plan_program"), "archived\n");
  repo.write("a plan.md", "");
  EXPECT_EQ(bash("git-plan create -F a", 3, "_git_plan_program"), "a plan.md\n");
}

TEST_F(CompletionTest, BashThroughGitsOwnCompletion) {
  const std::string own = "/usr/share/bash-completion/completions/git";
  ASSERT_TRUE(std::filesystem::exists(own)) << "git's own completion comes with Debian's git";
  EXPECT_EQ(
      bash("git plan sho", 2,
           "source " + own + "; COMP_LINE='git plan sho' COMP_POINT=12; __git_wrap__git_main"),
      "show\n");
}

TEST_F(CompletionTest, Fish) {
  ASSERT_TRUE(has("fish")) << "'./dev test' installs fish";
  const auto fish = [&](const std::string& line) {
    return repo
        .run({"fish", "--no-config", "-c",
              "source " GITPLAN_SOURCE_DIR "/git-plan/completion/git-plan.fish; complete -C '" +
                  line + "'"})
        .out;
  };
  EXPECT_THAT(fish("git plan sho"), HasSubstr("show\tShow a plan"));
  EXPECT_THAT(fish("git plan show one --task p"), HasSubstr("parser\tParse it\nprinter\n"));
  EXPECT_THAT(fish("git-plan list --status "), HasSubstr("archived\n"));
}

TEST_F(CompletionTest, ZshReadsTheScript) {
  ASSERT_TRUE(has("zsh")) << "'./dev test' installs zsh";
  const ProcessResult result =
      repo.run({"zsh", "-fc",
                "words=(git-plan show one --task p); CURRENT=5; _files() { print files }; "
                "_describe() { print -l -- \"${(@P)2}\" }; "
                "source " GITPLAN_SOURCE_DIR "/git-plan/completion/_git-plan"});
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "parser:Parse it\nprinter\n");
}

}  // namespace
}  // namespace gitplan::test
