// A command's arguments: options in any place, values that look like options, and exact complaints.
#include <gtest/gtest.h>

#include "git-plan/command/command.h"

namespace gitplan {
namespace {

Result<int> nothing(Context&, const Arguments&) { return 0; }

const CommandInfo kProbe{
    .name = "probe",
    .summary = "Try the parser",
    .usage = "git plan probe <plan> [<task>...]",
    .json = true,
    .options = {{"--title", "", "<text>", "a title"},
                {"--file", "-F", "<file>", "a file"},
                {"--tag", "", "<tag>", "a tag", true},
                {"--tree", "-t", "", "draw"},
                {"--status", "", "<which>", "which", false, Completes::kWords, "active|all"}},
    .positionals = {{"<plan>", true, false}, {"<task>", false, true}},
    .run = nothing,
};

Arguments parsed(const std::vector<std::string>& argv) {
  Result<Arguments> result = parse_arguments(kProbe, argv);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : Arguments();
}

std::string complaint(const std::vector<std::string>& argv) {
  const Result<Arguments> result = parse_arguments(kProbe, argv);
  if (result.ok()) return "none";
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  return result.error().message + "\n" + result.error().hint;
}

constexpr const char* kUsageLine = "\nusage: git plan probe <plan> [<task>...]";

TEST(Parse, OptionsStandAnywhere) {
  const Arguments arguments = parsed({"x", "--title", "T", "a", "--tree", "b", "--json"});
  EXPECT_EQ(arguments.value("--title"), "T");
  EXPECT_TRUE(arguments.has("--tree"));
  EXPECT_TRUE(arguments.has("--json"));
  EXPECT_EQ(arguments.positionals(), (std::vector<std::string>{"x", "a", "b"}));
  EXPECT_EQ(arguments.positionals(1), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(arguments.positional(3), std::nullopt);
}

TEST(Parse, ValuesMayLookLikeAnything) {
  EXPECT_EQ(parsed({"x", "--title", "--tree"}).value("--title"), "--tree");
  EXPECT_EQ(parsed({"x", "--title", "--"}).value("--title"), "--");
  EXPECT_EQ(parsed({"x", "--title="}).value("--title"), "");
  EXPECT_EQ(parsed({"x", "--title", ""}).value("--title"), "");
  EXPECT_EQ(parsed({"x", "--title=a=b"}).value("--title"), "a=b");
  EXPECT_EQ(parsed({"x", "--title", "[a, b]"}).value("--title"), "[a, b]");
  EXPECT_EQ(parsed({"x", "-F-"}).value("--file"), "-");
  EXPECT_EQ(parsed({"x", "-F", "-"}).value("--file"), "-");
  EXPECT_EQ(parsed({"x", "-tF", "f"}).value("--file"), "f");
  EXPECT_EQ(parsed({"x", "-h"}).has("--help"), true);
  EXPECT_EQ(parsed({"x", "--title", "-h"}).has("--help"), false);
}

TEST(Parse, TheLastValueCountsAndRepeatedOnesAreKept) {
  const Arguments arguments = parsed({"x", "--tag", "a", "--title", "1", "--tag=b", "--title=2"});
  EXPECT_EQ(arguments.value("--title"), "2");
  EXPECT_EQ(arguments.values("--tag"), (std::vector<std::string>{"a", "b"}));
}

TEST(Parse, TwoDashesEndTheOptions) {
  const Arguments arguments = parsed({"--tree", "--", "--title", "--", "-x"});
  EXPECT_TRUE(arguments.has("--tree"));
  EXPECT_EQ(arguments.positionals(), (std::vector<std::string>{"--title", "--", "-x"}));
  EXPECT_EQ(parsed({"x", ""}).positionals(), (std::vector<std::string>{"x", ""}));
}

TEST(Parse, AnOptionMayBeCutShort) {
  EXPECT_EQ(parsed({"x", "--ti", "T"}).value("--title"), "T");
  EXPECT_EQ(parsed({"x", "--fi=f"}).value("--file"), "f");
  EXPECT_EQ(complaint({"x", "--t", "T"}),
            std::string("ambiguous option '--t': could be '--title' or '--tag'") + kUsageLine);
}

TEST(Parse, ComplaintsNameWhatIsWrongAndWhatIsNear) {
  EXPECT_EQ(complaint({"x", "--titel", "T"}),
            std::string("unknown option '--titel'\ndid you mean '--title'?") + kUsageLine);
  EXPECT_EQ(complaint({"x", "--frobnicate"}),
            std::string("unknown option '--frobnicate'") + kUsageLine);
  EXPECT_EQ(complaint({"x", "-q"}), std::string("unknown option '-q'") + kUsageLine);
  EXPECT_EQ(complaint({"x", "-tq"}), std::string("unknown option '-q' in '-tq'") + kUsageLine);
  EXPECT_EQ(complaint({"x", "--title"}),
            std::string("option '--title' needs a value") + kUsageLine);
  EXPECT_EQ(complaint({"x", "-F"}), std::string("option '-F' needs a value") + kUsageLine);
  EXPECT_EQ(complaint({"x", "--tree=yes"}),
            std::string("option '--tree' takes no value") + kUsageLine);
  EXPECT_EQ(complaint({"x", "--status", "al"}),
            std::string("option '--status' takes active or all, not 'al'\ndid you mean 'all'?") +
                kUsageLine);
  EXPECT_EQ(complaint({}), std::string("'git plan probe' needs <plan>") + kUsageLine);
}

TEST(Parse, ShortHelpListsEveryOption) {
  EXPECT_EQ(short_help(kProbe),
            "usage: git plan probe <plan> [<task>...]\n\nTry the parser\n\n"
            "    --title <text>      a title\n"
            "    -F, --file <file>   a file\n"
            "    --tag <tag>         a tag (may be repeated)\n"
            "    -t, --tree          draw\n"
            "    --status <which>    which\n"
            "    --json              print JSON for programs\n"
            "    -h, --help          print this help; '--help' opens the manual page\n");
}

}  // namespace
}  // namespace gitplan
