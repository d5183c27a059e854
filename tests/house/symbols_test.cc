// One name, one meaning: the linker takes the first of two functions of one name that lie in
// different libraries, and says nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "tests/support/process.h"

namespace gitplan::test {
namespace {

using ::testing::IsEmpty;

TEST(Symbols, NoFunctionIsDefinedTwice) {
  const std::string build = std::string(GITPLAN_PROGRAM_DIR) + "/..";
  ProcessSpec nm{.argv = {"nm", "-A", "-C", "--defined-only"}};
  for (const char* library : {"core", "refs", "hooks", "command"})
    nm.argv.push_back(build + "/libgitplan_" + library + ".a");
  nm.env = {std::string("PATH=") + std::getenv("PATH"), "LC_ALL=C"};
  const ProcessResult listed = run_process(nm);
  ASSERT_EQ(listed.exit_status, 0) << listed.err;
  std::istringstream lines(listed.out);
  std::map<std::string, std::string> first;  // by symbol: where it is
  std::vector<std::string> twice;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t kind = line.find(" T ");  // text, and no weak symbol of an inline function
    if (kind == std::string::npos) continue;
    const std::string where = line.substr(0, line.rfind(':', kind));
    const std::string symbol = line.substr(kind + 3);
    if (const auto known = first.emplace(symbol, where).first; known->second != where)
      twice.push_back(symbol + ": " + known->second + ", " + where);
  }
  EXPECT_GT(first.size(), 500u);
  EXPECT_THAT(twice, IsEmpty());
}

}  // namespace
}  // namespace gitplan::test
