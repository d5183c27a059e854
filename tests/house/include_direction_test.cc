// Includes point one way: git-plan -> hooks -> refs -> core.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/house/include_rules.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

TEST(IncludeDirection, EveryFileOfTheTree) {
  const fs::path top = GITPLAN_SOURCE_DIR;
  std::vector<std::string> faults;
  int files = 0;
  for (const char* folder : {"core", "refs", "hooks", "git-plan", "tests"}) {
    if (!fs::exists(top / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".h" && path.extension() != ".cc") continue;
      const std::string name = path.lexically_relative(top).string();
      for (const std::string& fault : include_faults(name, text_of(path))) faults.push_back(fault);
      ++files;
    }
  }
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_GT(files, 4);  // the walk itself found something
}

TEST(IncludeDirection, CoreIncludesOnlyCore) {
  EXPECT_THAT(include_faults("core/plan/plan.cc", "#include \"core/base/error.h\"\n"), IsEmpty());
  EXPECT_THAT(include_faults("core/plan/plan.cc", "\n#include \"refs/store.h\"\n"),
              ElementsAre("core/plan/plan.cc:2: core must not include refs/store.h"));
  EXPECT_THAT(include_faults("core/plan/plan.cc", "#  include \"git-plan/commands.h\""),
              ElementsAre("core/plan/plan.cc:1: core must not include git-plan/commands.h"));
}

TEST(IncludeDirection, CoreIsPure) {
  EXPECT_THAT(include_faults("core/a.cc", "#include <git2.h>\n#include <git2/oid.h>\n"),
              ElementsAre("core/a.cc:1: core is pure and must not include git2.h",
                          "core/a.cc:2: core is pure and must not include git2/oid.h"));
  EXPECT_THAT(include_faults("core/a.cc", "#include <unistd.h>\n#include <sys/stat.h>\n"),
              ElementsAre("core/a.cc:1: core is pure and must not include unistd.h",
                          "core/a.cc:2: core is pure and must not include sys/stat.h"));
  EXPECT_THAT(include_faults("core/a.cc", "auto x = std::getenv(\"HOME\");\n"),
              ElementsAre("core/a.cc:1: core is pure and must not use getenv"));
  EXPECT_THAT(include_faults("core/a.cc", "std::chrono::system_clock::now();\nprintf(\"\");\n"),
              ElementsAre("core/a.cc:1: core is pure and must not use system_clock",
                          "core/a.cc:2: core is pure and must not use printf"));
  EXPECT_THAT(include_faults("core/a.cc", "snprintf(b, 1, \"\"); plan.system(1);  // getenv()\n"),
              IsEmpty());
  EXPECT_THAT(include_faults("refs/a.cc", "#include <git2.h>\n#include <unistd.h>\n"), IsEmpty());
}

TEST(IncludeDirection, LowerLayersDoNotKnowTheHigherOnes) {
  EXPECT_THAT(include_faults("refs/a.h", "#include \"hooks/a.h\"\n"),
              ElementsAre("refs/a.h:1: refs must not include hooks/a.h"));
  EXPECT_THAT(include_faults("hooks/a.h", "#include \"git-plan/a.h\"\n#include \"refs/a.h\"\n"),
              ElementsAre("hooks/a.h:1: hooks must not include git-plan/a.h"));
  EXPECT_THAT(include_faults("git-plan/a.cc", "#include \"tests/support/temp_repo.h\"\n"),
              ElementsAre("git-plan/a.cc:1: git-plan must not include tests/support/temp_repo.h"));
  EXPECT_THAT(include_faults("tests/core/a_test.cc", "#include \"git-plan/a.h\"\n"), IsEmpty());
}

TEST(IncludeDirection, TheAttemptShimStandsAlone) {
  EXPECT_THAT(
      include_faults("git-plan/attempt/main.cc", "#include \"core/base/error.h\"\n"),
      ElementsAre(
          "git-plan/attempt/main.cc:1: git-plan/attempt must not include core/base/error.h"));
}

TEST(IncludeDirection, HeavyHeadersStayOutOfHeaders) {
  EXPECT_THAT(
      include_faults("git-plan/a.h", "#include <nlohmann/json.hpp>\n"),
      ElementsAre("git-plan/a.h:1: nlohmann/json.hpp is slow to compile and belongs in a .cc"));
  EXPECT_THAT(include_faults("git-plan/a.h", "#include <nlohmann/json_fwd.hpp>\n"), IsEmpty());
  EXPECT_THAT(include_faults("git-plan/a.cc", "#include <CLI/CLI.hpp>\n"), IsEmpty());
}

}  // namespace
}  // namespace gitplan::test
