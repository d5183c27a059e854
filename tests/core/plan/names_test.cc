#include "core/plan/names.h"

#include <gtest/gtest.h>

namespace gitplan {
namespace {

constexpr Millis kMarchThird = 1772532000000;  // 2026-03-03T10:00:00Z

std::string id(std::string_view naming, std::string_view title,
               const std::vector<std::string>& taken = {}) {
  return plan_id(naming, title, kMarchThird, "0a1b2c3d", taken);
}

TEST(TaskName, GoodNames) {
  for (const std::string name : {"a", "A1", "extract-counter", "a.b_c-d", "0", "com", "com10",
                                 "console", "lock", "integration2", "memory"})
    EXPECT_EQ(task_name_fault(name), std::nullopt) << name;
  EXPECT_EQ(task_name_fault(std::string(64, 'a')), std::nullopt);
}

TEST(TaskName, WhatIsWrongIsSaid) {
  const std::string possible = "; letters (a-z), digits, '.', '_' and '-' are possible";
  const std::pair<std::string, std::string> cases[] = {
      {"", "is empty"},
      {"-a", "does not start with a letter (a-z) or a digit"},
      {".a", "does not start with a letter (a-z) or a digit"},
      {"é", "does not start with a letter (a-z) or a digit"},
      {"a/b", "has '/'" + possible},
      {"a b", "has a space" + possible},
      {"aé", "has a character outside ASCII" + possible},
      {"a\n", "has a control character" + possible},
      {"a@{", "has '@'" + possible},
      {"a~1", "has '~'" + possible},
      {std::string(65, 'a'), "is longer than 64 characters"},
      {"a..b", "has '..', which no ref may have"},
      {"a.", "ends with '.'"},
      {"a.lock", "ends with '.lock', which no ref may"},
      {"a.LOCK", "ends with '.lock', which no ref may"},
      {"con", "is the name of a device on Windows"},
      {"Nul.txt", "is the name of a device on Windows"},
      {"COM1", "is the name of a device on Windows"},
      {"lpt9.a.b", "is the name of a device on Windows"},
      {"Integration", "is reserved for the branch that collects the waves"},
  };
  for (const auto& [name, fault] : cases) EXPECT_EQ(task_name_fault(name), fault) << name;
}

TEST(PlanId, HasItsOwnLengthAndReservedName) {
  EXPECT_EQ(plan_id_fault(std::string(100, 'a')), std::nullopt);
  EXPECT_EQ(plan_id_fault(std::string(101, 'a')), "is longer than 100 characters");
  EXPECT_EQ(plan_id_fault("Memory"), "is reserved for the project memory");
  EXPECT_EQ(plan_id_fault("integration"), std::nullopt);
}

TEST(Slug, IsLowerCaseAsciiWithHyphens) {
  EXPECT_EQ(slug_of("Combat Refactor"), "combat-refactor");
  EXPECT_EQ(slug_of("  --Don't  panic!! (v2.0) "), "dont-panic-v2-0");
  EXPECT_EQ(slug_of("Größe der Œuvre, naïve Łódź"), "grosse-der-oeuvre-naive-lodz");
  EXPECT_EQ(slug_of("e\xCC\x81t\xC3\xA9"), "ete");
  EXPECT_EQ(slug_of("日本語 fix 修正"), "fix");
  EXPECT_EQ(slug_of("日本語"), "");
  EXPECT_EQ(slug_of("\xFF\xFE"), "");
}

TEST(Slug, IsCutAtAWordWithinFortyCharacters) {
  EXPECT_EQ(slug_of("one two three four five six seven eight nine ten"),
            "one-two-three-four-five-six-seven-eight");
  EXPECT_EQ(slug_of(std::string(50, 'x')), std::string(40, 'x'));
  EXPECT_EQ(slug_of("short " + std::string(50, 'x')), "short-" + std::string(34, 'x'));
}

TEST(PlanId, FollowsTheTemplate) {
  EXPECT_EQ(id("{date}-{title}", "Combat Refactor"), "2026-03-03-combat-refactor");
  EXPECT_EQ(id("{title}", "Combat Refactor"), "combat-refactor");
  EXPECT_EQ(id("{time}_{id}", "x"), "10-00-00_0a1b2c3d");
  EXPECT_EQ(id("{datetime}.{title}", "x"), "2026-03-03-10-00-00.x");
  EXPECT_EQ(id("team/{title}", "x"), "team-x");
  EXPECT_EQ(id("", "x y"), "x-y");
}

TEST(Naming, UnknownTokensAreNamed) {
  using Tokens = std::vector<std::string>;
  for (const char* good : {"{date}-{title}", "x", "", "{id}{time}{datetime}", "a}b"})
    EXPECT_EQ(unknown_tokens(good), Tokens()) << good;
  EXPECT_EQ(unknown_tokens("{bogus}"), Tokens{"{bogus}"});
  EXPECT_EQ(unknown_tokens("{date}-{Title}-{no"), (Tokens{"{Title}", "{no"}));
  for (const std::string& token : naming_tokens()) EXPECT_EQ(unknown_tokens(token), Tokens());
}

TEST(PlanId, ATitleWithoutAsciiGetsItsHash) {
  const std::string made = id("{title}", "日本語");
  EXPECT_EQ(made.size(), 13u);
  EXPECT_EQ(made.substr(0, 5), "plan-");
  EXPECT_EQ(made.find_first_not_of("0123456789abcdef", 5), std::string::npos);
  EXPECT_NE(made, id("{title}", "日本"));
  EXPECT_EQ(id("{date}-{title}", "日本語"), "2026-03-03-" + made);
}

TEST(PlanId, TakenIdsGetANumberWithoutRegardToCase) {
  EXPECT_EQ(id("{title}", "x", {"X"}), "x-2");
  EXPECT_EQ(id("{title}", "x", {"x", "X-2", "x-3", "x-5"}), "x-4");
}

TEST(PlanId, IsAlwaysAGoodName) {
  for (const std::string title : {"memory", "con", "NUL", "x.lock", "..", "-", "", "a b"})
    for (const std::string naming : {"{title}", "{title}.lock", "-{title}.", "memory", "con",
                                     "{date}..{title}", "{unknown}", "/"}) {
      const std::string made = id(naming, title);
      EXPECT_EQ(plan_id_fault(made), std::nullopt) << naming << " " << title << " " << made;
    }
  EXPECT_EQ(id("{title}", "Memory"), "plan-memory");
  const std::string wide(200, 'w');
  EXPECT_EQ(id(wide, "x", {std::string(100, 'w')}), std::string(98, 'w') + "-2");
}

}  // namespace
}  // namespace gitplan
