#include "core/plan/mentions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

using ::testing::ElementsAre;

const std::set<std::string, std::less<>> kPaths{"src/a.c", "src/b.c", "src/it's.c", "src",
                                                "doc/x y.md"};

bool exists(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return kPaths.contains(path);
}

std::vector<Mention> mentions(std::string_view text) {
  auto parsed = parse_plan(text);
  if (!parsed) throw std::runtime_error(parsed.error().message);
  return mentions_of(text, parsed->plan, exists);
}

// "line:column what is written there", or "line:column (path)" where it has no place of its own.
std::vector<std::string> places(std::string_view text) {
  std::vector<std::string> found;
  for (const Mention& one : mentions(text)) {
    const std::string where = std::to_string(one.reference.position.line) + ":" +
                              std::to_string(one.reference.position.column) + " ";
    found.push_back(where + (one.length > 0 ? std::string(text.substr(one.at, one.length))
                                            : "(" + one.reference.path + ")"));
  }
  return found;
}

// With every mention of `from` elsewhere.
Result<std::string> moved(std::string_view text, const std::string& from, const std::string& to,
                          int first = 0, int last = 0) {
  const auto all = mentions(text);
  std::vector<Replacement> wanted;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].reference.path == from) wanted.push_back({i, to, first, last});
  return replace_mentions(text, all, wanted);
}

constexpr std::string_view kPlan = R"(---
title: Demo
orchestration:
  tasks:
    - name: one
      description: |
        Change `src/a.c:12-40`, and look at
        `src/b.c` and `src/a.c`.
      files:
        - src/a.c   # the parser
        - "src/b.c"
        - 'src/it''s.c'
    - {name: two, description: "see `src/b.c`", files: [src/, 'doc/x y.md', lib/*.c]}
---
# Demo

## Changes
- [modify] src/a.c — why `src/a.c` twice
- [create] `src/new.c` — new

## Reuse
- src/b.c:7 (as it is), src/b.c.

```
`src/a.c`
```
)";

TEST(Mentions, EachPlaceIsFound) {
  EXPECT_THAT(places(kPlan),
              ElementsAre("7:17 src/a.c:12-40", "8:10 src/b.c", "8:24 src/a.c", "10:11 src/a.c",
                          "11:11 \"src/b.c\"", "12:11 'src/it''s.c'", "13:38 src/b.c", "13:57 src/",
                          "13:63 'doc/x y.md'", "18:12 src/a.c", "18:29 src/a.c", "19:13 src/new.c",
                          "22:3 src/b.c:7", "22:25 src/b.c"));
}

TEST(Mentions, NothingButTheMentionsChanges) {
  const auto text = moved(kPlan, "src/a.c", "lib/deep/a.c");
  ASSERT_TRUE(text.ok()) << text.error().message;
  std::string expected(kPlan);
  for (const char* place :
       {"`src/a.c:12-40`", "and `src/a.c`.", "- src/a.c ", "] src/a.c", "why `src/a.c`"}) {
    const std::size_t at = expected.find(place);
    std::string now = place;
    const std::size_t path = now.find("src/a.c");
    now.replace(path, std::string(place).find(":12-40") != std::string::npos ? 13 : 7,
                "lib/deep/a.c");
    expected.replace(at, std::string(place).size(), now);
  }
  EXPECT_EQ(*text, expected);
}

TEST(Mentions, QuotesAreWrittenWhereTheyAreNeeded) {
  const auto text = moved(kPlan, "doc/x y.md", "doc/a, b.md");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(text->find("files: [src/, \"doc/a, b.md\", lib/*.c]"), std::string::npos) << *text;
}

TEST(Mentions, AFolderStaysWrittenAsOne) {
  const auto text = moved(kPlan, "src", "source");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(text->find("files: [source/, "), std::string::npos) << *text;
}

TEST(Mentions, LinesMoveToo) {
  const std::string text = "# T\n\n`src/a.c:12-40` and `src/b.c:3`\n";
  EXPECT_EQ(*moved(text, "src/a.c", "src/a.c", 15, 43), "# T\n\n`src/a.c:15-43` and `src/b.c:3`\n");
  EXPECT_EQ(*moved(text, "src/b.c", "src/z.c", 9, 9), "# T\n\n`src/a.c:12-40` and `src/z.c:9`\n");
}

TEST(Mentions, LineEndsOfWindowsStay) {
  const std::string text = "# T\r\n\r\n## Changes\r\n- [modify] src/a.c\r\n";
  EXPECT_EQ(*moved(text, "src/a.c", "x/a.c"), "# T\r\n\r\n## Changes\r\n- [modify] x/a.c\r\n");
}

// A path that would read as something else is refused, not written.
TEST(Mentions, WhatCannotBeWrittenThereIsRefused) {
  EXPECT_FALSE(
      moved("# T\n\n## Changes\n- [modify] src/a.c — why\n", "src/a.c", "with blank.c").ok());
  EXPECT_FALSE(moved("# T\n\nsee `src/a.c`\n", "src/a.c", "back`tick.c").ok());
}

TEST(Mentions, FormsThatHideTheTextAreSaid) {
  constexpr std::string_view kHidden = R"(---
orchestration:
  tasks:
    - name: one
      description: "see `src\x2fa.c`"
      files: &scope [src/b.c]
    - name: two
      description: do it
      files: *scope
---
# T
)";
  EXPECT_THAT(places(kHidden), ElementsAre("5:7 (src/a.c)", "6:22 src/b.c", "9:7 (src/b.c)"));
  const auto text = moved(kHidden, "src/a.c", "x.c");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message,
            "line 5: 'src/a.c' is written in a form that cannot be changed by itself");
}

}  // namespace
}  // namespace gitplan
