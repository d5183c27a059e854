// list, show, log and diff: whole outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kText =
    "---\ntitle: Faster start\ntags: [speed, core]\norchestration:\n  tasks:\n"
    "    - {name: measure, run: make bench}\n"
    "    - {name: cache, run: make cache, depends_on: [measure]}\n"
    "    - {name: docs, description: Write it down, role: writer, depends_on: [measure, cache]}\n"
    "    - {name: alone, run: \"true\"}\n"
    "---\n# Faster start\n\nText.\n";

class ReadTest : public ::testing::Test {
 protected:
  ReadTest() {
    made("fast", kText);
    made("quick", "# A quick plan\n\nText.\n");
  }
  void made(const std::string& id, const std::string& text) {
    const ProcessResult result =
        repo.plan({"create", "-F", "-", "--naming", id}, {.stdin_text = text});
    EXPECT_EQ(result.exit_status, 0) << result.err;
  }
  WorkRepo repo;
};

TEST_F(ReadTest, ListsAlignedAndWithoutColourInAPipe) {
  const ProcessResult result = repo.plan({"list"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "fast   active  0/4  just now  [speed, core]  Faster start\n"
            "quick  active  -    just now                 A quick plan\n");
}

TEST_F(ReadTest, ListsAsJsonExactly) {
  auto json = nlohmann::ordered_json::parse(repo.plan({"list", "--json"}).out);
  ASSERT_EQ(json["plans"].size(), 2u);
  for (auto& plan : json["plans"]) {
    EXPECT_THAT(plan["created"].get<std::string>(), ::testing::EndsWith("Z"));
    EXPECT_EQ(plan["created"], plan["last_activity"]);
    plan["created"] = plan["last_activity"] = "then";
  }
  EXPECT_EQ(json.dump(),
            R"({"schema":1,"plans":[{"id":"fast","title":"Faster start","state":"active",)"
            R"("progress":{"done":0,"total":4},"tags":["speed","core"],"created":"then",)"
            R"("last_activity":"then","stale":false},{"id":"quick","title":"A quick plan",)"
            R"("state":"active","progress":{"done":0,"total":0},"tags":[],"created":"then",)"
            R"("last_activity":"then","stale":false}]})");
}

TEST_F(ReadTest, ListFilters) {
  const auto ids = [&](Words words) {
    words.insert(words.begin(), "list");
    words.push_back("--json");
    std::string all;
    const auto json = nlohmann::json::parse(repo.plan(words).out);
    for (const auto& plan : json["plans"]) all += plan["id"].get<std::string>() + " ";
    return all;
  };
  repo.append("quick", {PlanStateSet{"archived", ""}});
  EXPECT_EQ(ids({}), "fast ");
  EXPECT_EQ(ids({"--status", "archived"}), "quick ");
  EXPECT_EQ(ids({"--status=all"}), "fast quick ");
  EXPECT_EQ(ids({"--status", "all", "--tag", "speed", "--tag", "core"}), "fast ");
  EXPECT_EQ(ids({"--tag", "speed", "--tag", "other"}), "");
  EXPECT_EQ(ids({"--after", "2000-01-01"}), "fast ");
  EXPECT_EQ(ids({"--before", "2000-01-01"}), "");
  EXPECT_EQ(repo.plan({"list", "--tag", "other"}).err, "No plan fits.\n");
  const ProcessResult bad = repo.plan({"list", "--after", "yesterday"});
  EXPECT_EQ(bad.exit_status, 129);
  EXPECT_THAT(bad.err, HasSubstr("error: '--after' takes a date, not 'yesterday'\n"
                                 "hint: write it as 2026-03-03 or 2026-03-03T10:00:00Z\n"));
}

TEST(List, WithoutPlansSaysHowToGetSome) {
  const TempRepo repo;
  ProcessResult result = repo.plan({"list"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "No plans. 'git plan create' makes one.\n");
  EXPECT_EQ(repo.plan({"list", "--json"}).out, "{\"schema\":1,\"plans\":[]}\n");
}

TEST_F(ReadTest, ListDrawsTheTasks) {
  const std::string expected =
      "fast  active  0/4  just now  [speed, core]  Faster start\n"
      "  |- measure     level 0  pending\n"
      "  |  `- cache    level 1  pending\n"
      "  |     `- docs  level 2  pending  <- measure\n"
      "  `- alone       level 0  pending\n"
      "quick  active  -  just now  A quick plan\n";
  EXPECT_EQ(repo.plan({"list", "--tree"}).out, expected);
  EXPECT_THAT(repo.plan({"list", "--tree"}, {.env = {{"LC_ALL", "C.UTF-8"}}}).out,
              HasSubstr("  ├─ measure     level 0  pending\n"
                        "  │  └─ cache    level 1  pending\n"
                        "  │     └─ docs  level 2  pending  ← measure\n"
                        "  └─ alone       level 0  pending\n"));
}

TEST_F(ReadTest, ShowPrintsTheTextByteForByte) {
  EXPECT_EQ(repo.plan({"show", "fast"}).out, kText);
  EXPECT_EQ(repo.plan({"show", "Faster"}).out, kText);  // part of the title
  const ProcessResult none = repo.plan({"show", "fsat"});
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_EQ(none.err,
            "error: no plan is called 'fsat'\n"
            "hint: did you mean 'fast'? 'git plan list --status all' shows every plan\n");
}

TEST_F(ReadTest, ShowsOneTask) {
  EXPECT_EQ(repo.plan({"show", "fast", "--task", "docs"}).out,
            "task         docs\n"
            "description  Write it down\n"
            "status       pending\n"
            "role         writer\n"
            "mode         inline\n"
            "depends on   measure, cache\n");
  const ProcessResult none = repo.plan({"show", "fast", "--task", "dosc"});
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_EQ(none.err, "error: plan 'fast' has no task 'dosc'\nhint: did you mean 'docs'?\n");
}

TEST_F(ReadTest, ShowsLedgerAndJson) {
  EXPECT_EQ(nlohmann::json::parse(repo.plan({"show", "fast", "--ledger"}).out)["plan"], "fast");
  const auto json = nlohmann::json::parse(repo.plan({"show", "fast", "--json", "--ledger"}).out);
  EXPECT_EQ(json["text"], kText);
  EXPECT_EQ(json["plan"]["definition"], repo.git({"rev-parse", "refs/plans/fast:plan.md"}));
  EXPECT_EQ(json["tasks"].size(), 4u);
  EXPECT_EQ(json["tasks"][2]["role"], "writer");
  EXPECT_EQ(json["ledger"]["plan"], "fast");
}

TEST_F(ReadTest, ShowsAndComparesWhatWas) {
  repo.git({"config", "plan.editMode", "apply"});
  repo.plan({"update", "fast", "--title", "Second"});
  repo.plan({"update", "fast", "--title", "Third"});
  const auto log = nlohmann::json::parse(repo.plan({"log", "fast", "--json"}).out);
  std::string created, second;
  for (const auto& event : log["events"]) {
    if (event["type"] == "plan_created") created = event["id"];
    if (event["type"] == "definition_changed") second = event["id"];  // newest first: the older one
  }
  EXPECT_EQ(repo.plan({"show", "fast", "--at", created}).out, kText);
  EXPECT_THAT(repo.plan({"show", "fast", "--at", second}).out, HasSubstr("title: Second\n"));
  EXPECT_THAT(repo.plan({"show", "fast", "--at", "refs/plans/fast~1"}).out,
              HasSubstr("title: Second\n"));
  EXPECT_THAT(repo.plan({"diff", "fast"}).out,
              ::testing::StartsWith("diff --git a/plan.md b/plan.md\nindex "));
  EXPECT_THAT(repo.plan({"diff", "fast"}).out, HasSubstr("\n-title: Second\n+title: Third\n"));
  EXPECT_THAT(repo.plan({"diff", "fast", created}).out,
              HasSubstr("\n-title: Faster start\n+title: Third\n"));
  EXPECT_THAT(repo.plan({"diff", "fast", created, second}).out,
              HasSubstr("\n-title: Faster start\n+title: Second\n"));
  const auto json = nlohmann::json::parse(repo.plan({"diff", "fast", "--json"}).out);
  EXPECT_EQ(json["diff"], repo.plan({"diff", "fast"}).out);
  EXPECT_EQ(json["plan"], "fast");
  EXPECT_EQ(json["after"], repo.git({"rev-parse", "refs/plans/fast:plan.md"}));
  EXPECT_EQ(json["before"].get<std::string>().size(), 40u);
  const auto unchanged = nlohmann::json::parse(repo.plan({"diff", "quick", "--json"}).out);
  EXPECT_EQ(unchanged["diff"], "");
  EXPECT_TRUE(unchanged["before"].is_null());
  EXPECT_EQ(repo.plan({"diff", "quick"}).err,
            "The definition of 'quick' has not changed since it was created.\n");
}

TEST_F(ReadTest, LogSaysWhoWhatWhenNewestFirst) {
  repo.git({"config", "plan.editMode", "apply"});
  repo.plan({"update", "fast", "--title", "Second"});
  repo.plan({"update", "fast", "--concern", "is the\nbench stable?"});
  repo.plan({"delete", "fast", "--yes"});
  const std::regex line("^[0-9a-f]{7}  [0-9-]{10} [0-9:]{8}  ");
  std::string said;
  std::istringstream lines(repo.plan({"log", "fast"}).out);
  for (std::string text; std::getline(lines, text);) {
    EXPECT_TRUE(std::regex_search(text, line)) << text;
    said += std::regex_replace(text, line, "") + "\n";
  }
  EXPECT_EQ(said,
            "A U Thor  deleted\n"
            "A U Thor  concern: is the bench stable?\n"
            "A U Thor  definition changed by update\n"
            "A U Thor  created\n");
}

TEST_F(ReadTest, NothingFromAPlanReachesAScreenRaw) {
  made("evil", "# A \x1b[31mred\x1b[0m title\n\nText \x1b]0;owned\x07.\n");
  EXPECT_THAT(repo.plan({"list"}).out, ::testing::Not(HasSubstr("\x1b")));
  // A pipe gets the bytes, a screen does not.
  EXPECT_THAT(repo.plan({"show", "evil"}).out, HasSubstr("\x1b]0;owned\x07"));
  EXPECT_EQ(repo.plan({"show", "evil"}, {.env = {{"GIT_PAGER_IN_USE", "1"}}}).out,
            "# A red title\n\nText .\n");
}

// Whatever is dropped of an escape sequence without the rest of it leaves "[31m" to be read.
TEST(ControlCharacters, OfAPlanAndItsTasksGoWholeFromEveryText) {
  WorkRepo repo;
  repo.plan({"create", "-F", "-", "--naming", "evil"},
            {.stdin_text = R"(---
tags: [loud]
orchestration:
  default_mode: forked
  tasks:
    - {name: good, description: "\e[31mPaint\e[0m it\nmore", run: echo x >x}
    - {name: bad, description: "\e]0;owned\aSpoil it", run: "printf '\\033[31mno\\033[0m\\n'; exit 3"}
---
)"
                           "# A \x1b[31mred\x1b[0m title\n"});
  std::string said = repo.plan({"execute", "evil"}).out;
  EXPECT_THAT(said, HasSubstr("| no\n"));
  for (const Words& words :
       {Words{"list"}, Words{"list", "--tree"}, Words{"list", "--json"}, Words{"status"},
        Words{"status", "evil"}, Words{"status", "evil", "--json"}, Words{"why", "evil", "bad"},
        Words{"log", "evil"}, Words{"attempts", "evil"}, Words{"resolve", "evil"},
        Words{"show", "evil", "--task", "good"}, Words{"trust", "--list"}, Words{"trust", "evil"},
        Words{"delete", "evil"}, Words{"doctor"}}) {
    const ProcessResult result = repo.plan(words);
    said += result.out + result.err;
  }
  EXPECT_THAT(said, HasSubstr("[loud]  A red title\n"));
  said += repo.git({"log", "--all", "--format=%B"});
  EXPECT_THAT(said, HasSubstr("Create 'A red title'"));
  EXPECT_THAT(said, HasSubstr("\nPaint it\n\nPlan: evil\n"));
  for (const char* rest : {"\x1b", "[31m", "[0m", "[1m", "]0;", "owned", "\a"})
    EXPECT_THAT(said, Not(HasSubstr(rest)));
}

}  // namespace
}  // namespace gitplan::test
