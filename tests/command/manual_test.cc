// The manual says what the programs' own tables say: every command, option and setting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/plan/plan_keys.h"
#include "git-plan/command/command.h"
#include "refs/git/settings.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::filesystem::path kPages = GITPLAN_SOURCE_DIR "/man";

std::string page(const std::string& name, const std::string& section = "1") {
  std::ifstream file(kPages / (name + "." + section));
  std::ostringstream text;
  text << file.rdbuf();
  std::string plain = std::move(text).str();
  for (std::size_t at = 0; (at = plain.find("\\-", at)) != std::string::npos;) plain.erase(at, 1);
  return plain;
}

TEST(Manual, HasEveryCommandAndItsOptions) {
  const std::string overview = page("git-plan");
  for (const CommandInfo* command : all_commands()) {
    if (command->group == Group::kHidden) continue;
    const std::string name = "git-plan-" + std::string(command->name);
    EXPECT_THAT(overview, HasSubstr(".It Xr " + name + " 1\n"));
    const std::string text = page(name);
    EXPECT_NE(text, "") << name << " has no page";
    for (const OptionInfo& option : options_of(*command)) {
      if (option.name == "--help") continue;
      EXPECT_THAT(text, HasSubstr("Fl " + std::string(option.name.substr(1)))) << name;
    }
  }
}

TEST(Manual, HasEverySetting) {
  const std::string overview = page("git-plan");
  for (const SettingInfo& setting : all_settings())
    EXPECT_THAT(overview, HasSubstr(".It Va " + std::string(setting.key) + "\n"));
}

// As a word of a .Cm line: "tags" is not told by "stage".
TEST(Manual, HasEveryKeyOfThePlanFile) {
  std::istringstream text(page("git-plan-file", "5"));
  std::set<std::string> told;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string word;
    bool command = false;
    while (words >> word)
      if (command)
        told.insert(word);
      else
        command = word == ".Cm" || word == "Cm";
  }
  for (const std::string& key : all_keys()) EXPECT_THAT(told, Contains(key));
}

TEST(Manual, IsCleanToLint) {
  const TempRepo repo;
  ASSERT_EQ(repo.run({"sh", "-c", "command -v mandoc"}).exit_status, 0)
      << "'./dev test' installs mandoc";
  for (const auto& entry : std::filesystem::directory_iterator(kPages)) {
    const ProcessResult result =
        repo.run({"sh", "-c", "mandoc -T lint \"$1\" | grep -v 'referenced manual not found'", "sh",
                  entry.path().string()});
    EXPECT_EQ(result.out, "") << entry.path();
  }
}

}  // namespace
}  // namespace gitplan::test
