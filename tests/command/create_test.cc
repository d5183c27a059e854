// create: where the text comes from, how the plan is named, what is said; and bad input, after
// which nothing has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* kTwoTasks =
    "---\n"
    "title: Faster start\n"
    "tags: [speed]\n"
    "orchestration:\n"
    "  tasks:\n"
    "    - name: measure\n"
    "      run: make bench\n"
    "    - name: cache\n"
    "      run: make cache\n"
    "      depends_on: [measure]\n"
    "---\n"
    "# Faster start\n"
    "\n"
    "The start takes two seconds.\n";

std::string plans(const TempRepo& repo) {
  return repo.git({"for-each-ref", "--format=%(refname)", "refs/plans"});
}

TEST(Create, FromAFilePrintsTheIdAndTheNextStep) {
  const TempRepo repo;
  repo.write("plan.md", kTwoTasks);
  const ProcessResult result = repo.plan({"create", "-F", "plan.md"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.out, MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}-faster-start\n"));
  const std::string id = result.out.substr(0, result.out.size() - 1);
  EXPECT_EQ(result.err, "Created with 2 tasks. Next: git plan execute " + id + "\n");
  EXPECT_EQ(plans(repo), "refs/plans/" + id);
  EXPECT_EQ(repo.git({"show", "refs/plans/" + id + ":plan.md"}) + "\n", kTwoTasks);
  EXPECT_EQ(repo.git({"rev-list", "--count", "refs/plans/" + id}), "1");
}

TEST(Create, FromStandardInputWithATitle) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"create", "--title", "Look at the parser", "-F", "-"},
                                         {.stdin_text = "Read it first.\n"});
  EXPECT_EQ(result.exit_status, 0);
  const std::string id = result.out.substr(0, result.out.size() - 1);
  EXPECT_EQ(result.err, "Created without tasks. Next: git plan edit " + id + "\n");
  EXPECT_EQ(repo.git({"show", "refs/plans/" + id + ":plan.md"}),
            "---\ntitle: Look at the parser\n---\nRead it first.");
}

TEST(Create, AsJson) {
  const TempRepo repo;
  const ProcessResult result =
      repo.plan({"create", "-F", "-", "--naming", "{title}", "--json"}, {.stdin_text = kTwoTasks});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["plan"]["id"], "faster-start");
  EXPECT_EQ(json["plan"]["state"], "active");
  EXPECT_EQ(json["plan"]["progress"], (nlohmann::json{{"done", 0}, {"total", 2}}));
  EXPECT_EQ(json["plan"]["tags"], nlohmann::json::array({"speed"}));
  EXPECT_EQ(json["warnings"], nlohmann::json::array());
}

TEST(Create, NamesByOptionThenTextThenConfiguration) {
  const TempRepo repo;
  repo.git({"config", "plan.naming", "cfg-{title}"});
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, {.stdin_text = "# One\n\nx\n"}).out, "cfg-one\n");
  const std::string own = "---\ntitle: Two\nnaming: own-{title}\n---\nx\n";
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, {.stdin_text = own}).out, "own-two\n");
  EXPECT_EQ(repo.plan({"create", "-F", "-", "--naming", "opt-{title}"}, {.stdin_text = own}).out,
            "opt-two\n");
  EXPECT_EQ(repo.run({"git", "-c", "plan.naming=c-{title}", "plan", "create", "-F", "-"},
                     {.stdin_text = "# Three\n\nx\n"})
                .out,
            "c-three\n");
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, {.stdin_text = "# One\n\nx\n"}).out, "cfg-one-2\n");
}

TEST(Create, TakesAFreeIdOfTheTextAndRefusesATakenOne) {
  const TempRepo repo;
  const std::string text = "---\nid: my-plan\ntitle: Mine\n---\nx\n";
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, {.stdin_text = text}).out, "my-plan\n");
  ProcessResult result = repo.plan({"create", "-F", "-"}, {.stdin_text = text});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: standard input has 1 error\n"
            "standard input:2:1: error: there is a plan 'my-plan' already "
            "(leave the id out, and the plan gets a free one)\n");
  result =
      repo.plan({"create", "-F", "-"}, {.stdin_text = "---\nid: ../up\ntitle: Mine\n---\nx\n"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(plans(repo), "refs/plans/my-plan");
}

TEST(Create, CopiesAnotherPlan) {
  const TempRepo repo;
  repo.plan({"create", "-F", "-", "--naming", "first"}, {.stdin_text = kTwoTasks});
  const ProcessResult result =
      repo.plan({"create", "--from", "first", "--naming", "second", "--title", "Again"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(result.out, "second\n");
  std::string expected = kTwoTasks;
  expected.replace(expected.find("Faster start"), 12, "Again");
  EXPECT_EQ(repo.git({"show", "refs/plans/second:plan.md"}) + "\n", expected);
  EXPECT_THAT(repo.plan({"log", "second"}).out, HasSubstr("created from first\n"));
}

TEST(Create, TagsReplaceThoseOfTheText) {
  const TempRepo repo;
  repo.plan({"create", "-F", "-", "--naming", "x", "--tag", "a", "--tag", "b"},
            {.stdin_text = kTwoTasks});
  EXPECT_THAT(repo.git({"show", "refs/plans/x:plan.md"}), HasSubstr("\ntags: [a, b]\n"));
}

TEST(Create, TheEditorGetsTheTemplateAndTheHelpGoes) {
  const TempRepo repo;
  const RunOptions editor{
      .env = {{"GIT_EDITOR",
               "f() { cp \"$1\" seen; sed -i 's/^title:.*/title: Edited/' \"$1\"; }; f"}}};
  const ProcessResult result = repo.plan({"create", "--naming", "x", "--title", "T"}, editor);
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_THAT(repo.read("seen"), HasSubstr("## Changes"));
  EXPECT_THAT(repo.read("seen"), HasSubstr("\n# ------------------------ >8 ------"));
  const std::string text = repo.git({"show", "refs/plans/x:plan.md"});
  EXPECT_THAT(text, HasSubstr("title: Edited\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(">8")));
  EXPECT_FALSE(repo.exists(".git/git-plan/edit/new.md"));
}

TEST(Create, ATextLeftAsItWasCreatesNothing) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"create"}, {.env = {{"GIT_EDITOR", ":"}}});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err, "error: the text was left as it was; no plan was created\n");
  EXPECT_EQ(plans(repo), "");
}

TEST(Create, AFaultyEditedTextIsKept) {
  const TempRepo repo;
  const ProcessResult result =
      repo.plan({"create"}, {.env = {{"GIT_EDITOR", "printf -- '---\\ntitle: [\\n---\\nx\\n' >"}}});
  EXPECT_EQ(result.exit_status, 2);
  const std::string kept = (repo.path() / ".git/git-plan/edit/new.md").string();
  EXPECT_THAT(result.err, HasSubstr("hint: your text is kept in " + kept + "\n"));
  EXPECT_EQ(repo.read(".git/git-plan/edit/new.md"), "---\ntitle: [\n---\nx\n");
}

TEST(Create, WithoutATerminalATextIsNeeded) {
  const TempRepo repo;
  const ProcessResult result = repo.plan({"create", "--title", "T"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: no text for the plan, and no terminal to edit one on\n"
            "hint: '-F <file>' takes a file, '-F -' standard input\n");
}

TEST(Create, WarnsOfUnknownKeysAndOfOverlaps) {
  const WorkRepo repo;
  repo.make_plan("first", "    - {name: a, run: x, files: [\"src/**\"]}\n");
  const std::string text =
      "---\ntitle: Second\ncolour: blue\norchestration:\n  tasks:\n"
      "    - {name: b, run: x, files: [src/a.txt]}\n---\nx\n";
  const ProcessResult result =
      repo.plan({"create", "-F", "-", "--naming", "second"}, {.stdin_text = text});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.out, "second\n");
  EXPECT_THAT(result.err, HasSubstr("standard input:3:1: warning: "));
  EXPECT_THAT(
      result.err,
      HasSubstr("standard input:6:7: warning: overlaps plan 'first': 'b' (src/a.txt) and its "
                "task 'a' (src/**)\n"));
}

TEST(Create, RecordsWhatTheReferencesAre) {
  const WorkRepo repo;
  repo.plan(
      {"create", "-F", "-", "--naming", "x"},
      {.stdin_text = "# X\n\n## Changes\n- [modify] src/a.txt — why\n- [create] src/new.txt\n"});
  const PlanView view = repo.load("x");
  EXPECT_EQ(view.ledger.snapshot.commit, repo.git({"rev-parse", "HEAD"}));
  const std::map<std::string, std::string> expected{
      {"src/a.txt", repo.git({"rev-parse", "HEAD:src/a.txt"})}, {"src/new.txt", ""}};
  EXPECT_EQ(view.ledger.snapshot.references, expected);
}

struct BadInput {
  const char* name;
  Words words;
  std::string stdin_text;
  std::string err;  // a regular expression
  int status = 2;
};

std::string large() { return "# Large\n\n" + std::string(5 << 20, 'x') + "\n"; }

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> all{
      {"directory", {"-F", "src"}, "", "error: 'src' is a directory, not a plan file\n"},
      {"missing",
       {"-F", "none.md"},
       "",
       "error: cannot read 'none.md': No such file or directory\n"},
      {"empty",
       {"-F", "-"},
       "",
       "error: standard input is empty\nhint: a plan needs a title and a body\n"},
      {"blank", {"-F", "-"}, " \n\t\n", "error: standard input is empty\n.*"},
      {"large", {"-F", "-"}, large(), "error: standard input is larger than 4 MiB\nhint: .*"},
      {"nul",
       {"-F", "-"},
       std::string("# A\0b\n\nx\n", 9),
       "error: standard input has 1 error\n.*"},
      {"not_utf8", {"-F", "-"}, "# A\n\n\xff\n", "error: standard input has 1 error\n.*"},
      {"no_title", {"-F", "-"}, "only text\n", "error: standard input has 1 error\n.*title.*"},
      {"open_front_matter", {"-F", "-"}, "---\ntitle: A\n", "error: standard input has .*"},
      {"bad_yaml", {"-F", "-"}, "---\ntitle: [\n---\nx\n", "error: standard input has .*:.*"},
      {"wrong_type",
       {"-F", "-"},
       "---\ntitle: A\nttl_days: soon\n---\nx\n",
       "error: standard input has 1 error\nstandard input:3:11: error: .*"},
      {"wrong_enum",
       {"-F", "-"},
       "---\ntitle: A\norchestration:\n  default_mode: forkd\n  tasks: [{name: a, run: "
       "x}]\n---\nx\n",
       ".*standard input:4:17: error: .*forked.*"},
      {"cycle",
       {"-F", "-"},
       "---\ntitle: A\norchestration:\n  tasks:\n    - {name: a, run: x, depends_on: [b]}\n"
       "    - {name: b, run: x, depends_on: [a]}\n---\nx\n",
       ".*error: .*a -> b -> a.*"},
      {"unknown_dependency",
       {"-F", "-"},
       "---\ntitle: A\norchestration:\n  tasks:\n    - {name: parser, run: x}\n"
       "    - {name: b, run: x, depends_on: [parsr]}\n---\nx\n",
       ".*standard input:6:.*error: .*parsr.*parser.*"},
      {"outside",
       {"-F", "-"},
       "---\ntitle: A\norchestration:\n  tasks:\n    - {name: a, run: x, files: "
       "[\"../up\"]}\n---\nx\n",
       ".*standard input:5:.*error: .*"},
      {"bad_task_name",
       {"-F", "-"},
       "---\ntitle: A\norchestration:\n  tasks:\n    - {name: \"a b\", run: x}\n---\nx\n",
       ".*standard input:5:.*error: .*"},
      {"reserved", {"-F", "-"}, "---\nid: memory\ntitle: A\n---\nx\n", ".*memory.*"},
      {"waits_for_itself",
       {"-F", "-"},
       "---\nid: me\ntitle: A\norchestration:\n  waits_for: {plan: me}\n  tasks: [{name: a, run: "
       "x}]\n---\nx\n",
       ".*error: the plan waits for itself \\(name another plan\\)\n"},
      {"no_such_plan", {"--from", "ghost"}, "", "error: no plan is called 'ghost'.*"},
      {"bad_naming",
       {"-F", "-", "--naming", "{bogus}"},
       "# A\nx\n",
       "error: '--naming' has '\\{bogus\\}', which is no token\nhint: tokens: \\{date\\}, "
       "\\{time\\}, \\{datetime\\}, \\{title\\}, \\{id\\}\n"},
      {"both",
       {"--from", "a", "-F", "b"},
       "",
       "error: '--file' and '--from' exclude each other\nusage: .*",
       129},
      {"positional",
       {"plan.md"},
       "",
       "error: 'git plan create' does not take 'plan.md'\nusage: .*",
       129},
  };
  return all;
}

class BadInputTest : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsRefusedAndNothingChanges) {
  const BadInput& input = GetParam();
  const WorkRepo repo;
  Words words{"create"};
  words.insert(words.end(), input.words.begin(), input.words.end());
  const ProcessResult result = repo.plan(words, {.stdin_text = input.stdin_text});
  EXPECT_EQ(result.exit_status, input.status);
  EXPECT_EQ(result.out, "");
  const std::string flat = result.err;
  EXPECT_THAT(flat, ::testing::ContainsRegex("^" + input.err));
  EXPECT_EQ(repo.git({"for-each-ref", "refs/plans"}), "");
  EXPECT_FALSE(repo.exists(".git/git-plan/trust"));
}

INSTANTIATE_TEST_SUITE_P(Create, BadInputTest, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Create, ANamingSettingWithAnUnknownTokenIsRefused) {
  const TempRepo repo;
  repo.git({"config", "plan.naming", "{year}-{title}"});
  const ProcessResult result = repo.plan({"create", "-F", "-"}, {.stdin_text = "# A\nx\n"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err,
            "error: configuration plan.naming = '{year}-{title}' must be a template with no tokens "
            "but {date} {time} {datetime} {title} {id}\n"
            "hint: 'git config --show-origin plan.naming' shows where it stands; the default is "
            "'{date}-{title}'\n");
}

TEST(Create, PlansThatWaitForEachOtherAreNamedAsAPath) {
  const TempRepo repo;
  const auto text = [](const std::string& id, const std::string& other) {
    return "---\nid: " + id + "\ntitle: " + id + "\norchestration:\n  waits_for: {plan: " + other +
           "}\n  tasks: [{name: a, run: x}]\n---\nx\n";
  };
  ProcessResult result = repo.plan({"create", "-F", "-"}, {.stdin_text = text("a", "b")});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(
      result.err,
      HasSubstr("warning: there is no plan 'b' here (make it before this one is executed, or name "
                "another)\n"));
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, {.stdin_text = text("b", "c")}).exit_status, 0);
  result = repo.plan({"create", "-F", "-"}, {.stdin_text = text("c", "a")});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.err,
              HasSubstr("error: plans wait for each other in a circle: c -> a -> b -> c "
                        "(drop one of these waits_for)\n"));
  EXPECT_EQ(plans(repo), "refs/plans/a\nrefs/plans/b");
}

}  // namespace
}  // namespace gitplan::test
