#include "refs/git/settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "refs/git/config_files.h"
#include "tests/refs/git/scoped_environment.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

Repository open_good(const std::filesystem::path& directory) {
  auto opened = Repository::open_at(directory);
  if (!opened.ok()) throw std::runtime_error(opened.error().message);
  return std::move(opened).value();
}

Settings read_good(const Repository& repository) {
  auto settings = Settings::read(repository);
  if (!settings.ok()) throw std::runtime_error(settings.error().message);
  return std::move(settings).value();
}

TEST(Settings, DefaultsAreOfTheirType) {
  TempRepo repo;
  const Settings settings = read_good(open_good(repo.path()));
  EXPECT_EQ(*settings.integer("plan.maxForks"), 3);
  EXPECT_EQ(*settings.text("plan.naming"), "{date}-{title}");
  EXPECT_EQ(*settings.boolean("plan.squash"), true);
  EXPECT_EQ(*settings.size("plan.maxLog"), 64 << 20);
  for (const SettingInfo& info : all_settings()) {
    if (info.key.find('<') != std::string_view::npos) continue;
    EXPECT_TRUE(settings.text(info.key).ok()) << info.key;
  }
  EXPECT_TRUE(settings.check().empty());
}

TEST(Settings, TheCaseOfAKeyDoesNotMatter) {
  TempRepo repo;
  repo.git({"config", "PLAN.maxforks", "5"});
  EXPECT_EQ(*read_good(open_good(repo.path())).integer("plan.maxForks"), 5);
}

TEST(Settings, TheLastValueCounts) {
  TempRepo repo;
  repo.git({"config", "--global", "plan.maxForks", "4"});
  EXPECT_EQ(*read_good(open_good(repo.path())).integer("plan.maxForks"), 3) << "another home";
  repo.git({"config", "plan.maxForks", "5"});
  repo.git({"config", "--add", "plan.maxForks", "6"});
  EXPECT_EQ(*read_good(open_good(repo.path())).integer("plan.maxForks"), 6);
}

TEST(Settings, AWrongValueSaysWhatWouldBeRight) {
  TempRepo repo;
  repo.git({"config", "plan.maxForks", "0"});
  repo.git({"config", "plan.squash", "perhaps"});
  repo.git({"config", "plan.editMode", "aply"});
  repo.git({"config", "plan.maxLog", "much"});
  repo.git({"config", "plan.taskTimeout", "99999999999"});
  repo.git({"config", "plan.subject", "{what}"});
  const Settings settings = read_good(open_good(repo.path()));
  const auto forks = settings.integer("plan.maxForks");
  ASSERT_FALSE(forks.ok());
  EXPECT_EQ(forks.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(forks.error().message,
            "configuration plan.maxForks = '0' must be a whole number, 1 or more");
  EXPECT_EQ(forks.error().hint,
            "'git config --show-origin plan.maxForks' shows where it stands; the default is '3'");
  EXPECT_EQ(settings.boolean("plan.squash").error().message,
            "configuration plan.squash = 'perhaps' must be true or false");
  EXPECT_EQ(settings.text("plan.editMode").error().message,
            "configuration plan.editMode = 'aply' must be one of apply, confirm, iterate");
  EXPECT_EQ(
      settings.size("plan.maxLog").error().message,
      "configuration plan.maxLog = 'much' must be a number of bytes, as 512k or 64m, 4096 or more");
  EXPECT_FALSE(settings.integer("plan.taskTimeout").ok());
  EXPECT_EQ(settings.text("plan.subject").error().message,
            "configuration plan.subject = '{what}' must be a template with no tokens but {plan} "
            "{title} {wave} {task} {description}");
  EXPECT_EQ(settings.check().size(), 6u);
}

TEST(Settings, NumbersAndTruthAsGitWritesThem) {
  TempRepo repo;
  repo.git({"config", "plan.maxLog", "2k"});
  EXPECT_FALSE(read_good(open_good(repo.path())).size("plan.maxLog").ok()) << "less than a page";
  repo.git({"config", "plan.maxLog", "8K"});
  EXPECT_EQ(*read_good(open_good(repo.path())).size("plan.maxLog"), 8192);
  std::ofstream(repo.path() / ".git/config", std::ios::app) << "[plan]\n\tsquash\n";
  EXPECT_EQ(*read_good(open_good(repo.path())).boolean("plan.squash"), true);
  for (const std::string word : {"no", "off", "0", "FALSE", ""}) {
    repo.git({"config", "plan.squash", word});
    EXPECT_EQ(*read_good(open_good(repo.path())).boolean("plan.squash"), false) << word;
  }
}

TEST(Settings, UnknownKeysAreNamedWithTheNearest) {
  TempRepo repo;
  repo.git({"config", "plan.maxFork", "2"});
  repo.git({"config", "plan.agent.claude.command", "claude -p"});
  repo.git({"config", "plan.agent.claude.comand", "claude -p"});
  const auto found = read_good(open_good(repo.path())).check();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].code, "unknown-setting");
  EXPECT_EQ(found[0].message,
            "configuration plan.agent.claude.comand is not a setting of git plan");
  EXPECT_EQ(found[1].message, "configuration plan.maxfork is not a setting of git plan");
  EXPECT_EQ(found[1].fix, "did you mean plan.maxForks?");
}

TEST(Settings, AgentsAndRoles) {
  TempRepo repo;
  repo.git({"config", "plan.agent.Claude.command", "claude -p"});
  repo.git({"config", "plan.agent.my.tool.command", "tool"});
  repo.git({"config", "plan.agent", "Claude"});
  repo.git({"config", "plan.role.builder.agent", "my.tool"});
  const Settings settings = read_good(open_good(repo.path()));
  EXPECT_EQ(settings.names("agent"), (std::vector<std::string>{"Claude", "my.tool"}));
  EXPECT_EQ(settings.value("agent", "Claude", "command"), "claude -p");
  EXPECT_EQ(settings.value("agent", "claude", "command"), std::nullopt);
  EXPECT_EQ(settings.value("role", "builder", "agent"), "my.tool");
  EXPECT_EQ(*settings.text("plan.agent"), "Claude");
  EXPECT_EQ(settings.raw("User.Name"), "A U Thor");
}

TEST(Settings, CommandLineAndCountedConfiguration) {
  TempRepo repo;
  const Repository found = open_good(repo.path());
  {
    const ScopedVariable parameters("GIT_CONFIG_PARAMETERS", "'plan.maxForks'='1'");
    EXPECT_EQ(*read_good(found).integer("plan.maxForks"), 1);
  }
  const ScopedVariable count("GIT_CONFIG_COUNT", "1");
  const ScopedVariable key("GIT_CONFIG_KEY_0", "plan.maxForks");
  const ScopedVariable value("GIT_CONFIG_VALUE_0", "2");
  EXPECT_EQ(*read_good(found).integer("plan.maxForks"), 2);
}

TEST(Settings, IncludesCount) {  // libgit2#6641
  TempRepo repo;
  std::ofstream(repo.root() / "more") << "[plan]\n\tmaxForks = 7\n";
  repo.git({"config", "remote.origin.url", "https://example.com/x"});
  std::ofstream(repo.path() / ".git/config", std::ios::app)
      << "[includeIf \"hasconfig:remote.*.url:https://example.com/**\"]\n\tpath = "
      << (repo.root() / "more").string() << "\n";
  EXPECT_EQ(*read_good(open_good(repo.path())).integer("plan.maxForks"), 7);
}

TEST(Settings, ConfigurationOfOneWorktreeCounts) {
  TempRepo repo;
  repo.commit("one");
  repo.git({"config", "extensions.worktreeConfig", "true"});
  repo.git({"worktree", "add", "-q", "../linked"});
  repo.git({"config", "--worktree", "plan.maxForks", "8"}, {.cwd = "../linked"});
  EXPECT_EQ(*read_good(open_good(repo.root() / "linked")).integer("plan.maxForks"), 8);
  EXPECT_EQ(*read_good(open_good(repo.path())).integer("plan.maxForks"), 3);
}

TEST(Settings, FilesAndGitGiveTheSameEntries) {
  TempRepo repo;
  std::ofstream(repo.path() / ".git/config", std::ios::app)
      << "[Plan]\n\tSubject = \"a # b\" ; c\n\tnaming = one \\\n two\n\tsquash\n"
      << "[plan \"agent.X Y\"]\n\tcommand = run \\\"it\\\"\\t\n[plan]\n\tmaxForks = 1\n"
      << "\tmaxForks = 2\n[a.b]\n\tc = d\n";
  const Repository found = open_good(repo.path());
  const auto files = read_config(found), git = read_config_by_git(found);
  ASSERT_TRUE(files.ok());
  ASSERT_TRUE(git.ok());
  EXPECT_EQ(*files, *git);
  EXPECT_EQ(files->at("plan.maxforks"), "2");
}

TEST(Settings, ABrokenFileIsGitsError) {
  TempRepo repo;
  const Repository found = open_good(repo.path());
  std::ofstream(repo.path() / ".git/config", std::ios::app) << "[plan\n";
  const auto settings = Settings::read(found);
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().message.find("bad config line"), std::string::npos)
      << settings.error().message;
}

TEST(Settings, APathMayStartAtHome) {
  TempRepo repo;
  repo.git({"config", "plan.worktreeRoot", "~/trees"});
  const ScopedVariable home("HOME", "/home/somebody");
  EXPECT_EQ(*read_good(open_good(repo.path())).text("plan.worktreeRoot"), "/home/somebody/trees");
}

}  // namespace
}  // namespace gitplan::test
