#include <gtest/gtest.h>

#include <random>

#include "core/plan/references.h"

namespace gitplan {
namespace {

// The expectations are those of `git ls-files -- <pathspec>`.
TEST(Pathspec, MatchesAsGitDoes) {
  const auto matches = [](const char* spec, const char* path) {
    return pathspec_matches(spec, path);
  };
  EXPECT_TRUE(matches("src", "src/a.cc"));
  EXPECT_TRUE(matches("src/", "src/a.cc"));
  EXPECT_FALSE(matches("src", "srcs/a.cc"));
  EXPECT_FALSE(matches("src/a.c", "src/a.cc"));
  EXPECT_TRUE(matches("src/*.cc", "src/deep/a.cc"));
  EXPECT_TRUE(matches("*.cc", "src/deep/a.cc"));
  EXPECT_TRUE(matches("src/**", "src/a.cc"));
  EXPECT_TRUE(matches("src/**/a.cc", "src/x/y/a.cc"));
  EXPECT_FALSE(matches("src/**/a.cc", "src/a.cc"));
  EXPECT_TRUE(matches("a?b", "a/b"));
  EXPECT_TRUE(matches("[ab]/c", "b/c"));
  EXPECT_FALSE(matches("[!ab]/c", "b/c"));
  EXPECT_TRUE(matches("[a-c]", "b"));
  EXPECT_TRUE(matches("[]-]", "]"));
  EXPECT_TRUE(matches("[[:digit:]x]", "7"));
  EXPECT_FALSE(matches("[a", "a"));
  EXPECT_TRUE(matches("[a", "[a"));
  EXPECT_TRUE(matches("a[b]", "a[b]/c"));
  EXPECT_FALSE(matches("sr?", "src/a.cc"));
  EXPECT_TRUE(matches(".", "any/thing"));
  EXPECT_TRUE(matches("*", "any/thing"));
  EXPECT_FALSE(matches("\\*", "a"));
}

TEST(Pathspec, ManyStarsTakeNoTime) {
  std::string spec, path(3000, 'a');
  for (int i = 0; i < 300; ++i) spec += "a*";
  EXPECT_FALSE(pathspec_matches(spec + "b", path));
  EXPECT_TRUE(scopes_overlap({spec + "b"}, {spec + "*c*b"}));
}

TEST(Scopes, OverlapWhereTheyCanMeet) {
  const auto overlap = [](const char* a, const char* b) {
    EXPECT_EQ(scopes_overlap({a}, {b}), scopes_overlap({b}, {a}));
    return scopes_overlap({a}, {b});
  };
  EXPECT_TRUE(overlap("src/**", "src/a.cc"));
  EXPECT_TRUE(overlap("src", "src/a/b.cc"));
  EXPECT_FALSE(overlap("src", "srcs"));
  EXPECT_FALSE(overlap("src/*.h", "src/*.cc"));
  EXPECT_TRUE(overlap("src/a*", "src/*b"));
  EXPECT_FALSE(overlap("src/[ab].c", "src/[cd].c"));
  EXPECT_TRUE(overlap("*.cc", "src/"));
  EXPECT_TRUE(overlap(".", "x"));
  EXPECT_FALSE(scopes_overlap({}, {"x"}));
  EXPECT_TRUE(scopes_overlap({"a", "b"}, {"c", "b/d"}));
}

// All paths of up to five characters over {a, b, /} that git could have.
std::vector<std::string> small_paths() {
  std::vector<std::string> paths, level{""};
  for (int length = 1; length <= 5; ++length) {
    std::vector<std::string> longer;
    for (const auto& start : level)
      for (const char c : {'a', 'b', '/'})
        if (c != '/' || (!start.empty() && start.back() != '/')) longer.push_back(start + c);
    for (const auto& path : longer)
      if (path.back() != '/') paths.push_back(path);
    level = std::move(longer);
  }
  return paths;
}

TEST(Scopes, NeverMissAPathThatBothMatch) {
  const auto paths = small_paths();
  const std::vector<std::string> parts{"a", "b", "/", "*", "?", "**", "[ab]", "[!a]", "a/", "b/"};
  std::mt19937 random(7);
  int meetings = 0, apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto spec = [&] {
      std::string text;
      for (auto n = 1 + random() % 4; n > 0; --n) text += parts[random() % parts.size()];
      return text[0] == '/' ? "a" + text : text;
    };
    const std::string a = spec(), b = spec();
    const auto met = std::find_if(paths.begin(), paths.end(), [&](const std::string& path) {
      return pathspec_matches(a, path) && pathspec_matches(b, path);
    });
    const bool said = scopes_overlap({a}, {b});
    if (met != paths.end()) {
      ++meetings;
      EXPECT_TRUE(said) << a << " and " << b << " meet at " << *met;
    }
    apart += said ? 0 : 1;
  }
  EXPECT_GT(meetings, 500);
  EXPECT_GT(apart, 500);
}

}  // namespace
}  // namespace gitplan
