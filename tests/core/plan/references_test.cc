#include "core/plan/references.h"

#include <gtest/gtest.h>

#include <set>

#include "core/plan/plan_file.h"

namespace gitplan {
namespace {

const std::set<std::string, std::less<>> kHead{"src/a.cc", "src/b.cc", "README.md", "docs/x y.md",
                                               "src"};

bool in_head(std::string_view path) { return kHead.find(path) != kHead.end(); }

Plan parsed(const std::string& text) {
  auto result = parse_plan(text);
  EXPECT_TRUE(result.ok());
  return result.ok() ? result->plan : Plan{};
}

std::string all(const std::vector<Reference>& references) {
  std::string text;
  for (const auto& r : references) {
    text +=
        std::to_string(r.position.line) + ":" + std::to_string(r.position.column) + " " + r.path;
    if (r.first_line > 0)
      text += ":" + std::to_string(r.first_line) + "-" + std::to_string(r.last_line);
    if (!r.action.empty()) text += " [" + r.action + "]";
    if (!r.task.empty()) text += " (" + r.task + ")";
    text += "\n";
  }
  return text;
}

TEST(References, ChangesReuseAndCodeSpans) {
  const Plan plan = parsed(R"(# T
See `src/a.cc:12-40`, `README.md` and `not/there.cc`, not src/b.cc.
```
- [modify] in/a/fence.cc
```
## Changes
- [modify] src/a.cc — why
* [create] `new file.md` - with a blank
• [delete] ./src//b.cc: gone
- [rename] src/a.cc
- [modify] ../out.cc
### More
- [create] deep/x.cc:7, it
<!--
- [modify] in/a/comment.cc
-->
## Reuse
- lib/helper.cc — not there yet
- the parser of src/b.cc and (README.md)
- `docs/x y.md`
## Verification
- [modify] src/b.cc
)");
  EXPECT_EQ(all(references_of(plan, in_head)),
            "2:6 src/a.cc:12-40\n"
            "2:24 README.md\n"
            "7:12 src/a.cc [modify]\n"
            "8:13 new file.md [create]\n"
            "9:14 src/b.cc [delete]\n"
            "13:12 deep/x.cc:7-7 [create]\n"
            "18:3 lib/helper.cc\n"
            "20:4 docs/x y.md\n");
}

TEST(References, TasksNameTheirLiteralFilesAndDescriptions) {
  const Plan plan = parsed(
      "---\norchestration:\n  tasks:\n    - name: a\n      description: fix `src/a.cc:3` now\n"
      "      files: [src/b.cc, \"src/**\", gone.cc, docs/]\n---\n# T\n`src/a.cc`\n");
  EXPECT_EQ(all(references_of(plan, in_head)),
            "5:7 src/a.cc:3-3 (a)\n"
            "6:7 src/b.cc (a)\n"
            "6:7 gone.cc (a)\n"
            "6:7 docs (a)\n"
            "9:2 src/a.cc\n");
}

TEST(Scope, IsDeclaredOrInferred) {
  const Plan plan = parsed(R"(---
orchestration:
  tasks:
    - name: declared
      description: touches `src/a.cc`
      files: ["lib/**"]
    - name: inferred
      description: |
        changes src/a.cc, not src/zzz.cc
        and `docs/x y.md:3`
    - name: by-line
    - name: line
---
# T
## Changes
- [modify] README.md — by-line: says more
- [create] src/new.cc — by `inferred`
- [create] line/x.cc — for by-line and inferred.
)");
  const auto scope = [&](const char* task) { return scope_of(plan, *plan.find(task), in_head); };
  using List = std::vector<std::string>;
  EXPECT_EQ(scope("declared"), List{"lib/**"});
  EXPECT_EQ(scope("inferred"), (List{"src/a.cc", "docs/x y.md", "src/new.cc", "line/x.cc"}));
  EXPECT_EQ(scope("by-line"), (List{"README.md", "line/x.cc"}));
  EXPECT_EQ(scope("line"), List{});
}

}  // namespace
}  // namespace gitplan
