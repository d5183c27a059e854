// The folder in a task's tree, whatever the task made of it.
#include "git-plan/executor/task_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "git-plan/executor/environment.h"
#include "tests/support/pinned_environment.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

class TaskFolderTest : public ::testing::Test {
 protected:
  TaskFolderTest() : root_(make_temporary_directory()), tree_(root_ / "tree") {
    fs::create_directories(tree_);
    fs::create_directories(root_ / "attempt");
  }
  ~TaskFolderTest() override { remove_tree(root_); }

  Status make() const { return make_task_folder(tree_, "a.1", {"plan", "brief", {{"x.md", "X"}}}); }
  Status save() const { return save_masters(tree_, "a.1", root_ / "attempt"); }
  fs::path left(const std::string& name) const { return tree_ / ".git-plan/a.1" / name; }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(text).str();
  }
  bool saved(const std::string& name) const { return fs::exists(root_ / "attempt" / name); }

  fs::path root_, tree_;
};

TEST_F(TaskFolderTest, HoldsWhatATaskReadsAndIgnoresItself) {
  ASSERT_TRUE(make().ok());
  EXPECT_EQ(read(tree_ / ".git-plan/.gitignore"), "*\n");
  EXPECT_EQ(read(left("plan.md")), "plan");
  EXPECT_EQ(read(left("brief.md")), "brief");
  EXPECT_EQ(read(left("outputs/x.md")), "X");
}

TEST_F(TaskFolderTest, ALinkInItsPlaceIsRefused) {
  fs::create_directories(root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere", tree_ / ".git-plan");
  const Status made = make();
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().message,
            "'" + (tree_ / ".git-plan").string() + "' is in the way: it is no folder");
  EXPECT_TRUE(fs::is_empty(root_ / "elsewhere"));
}

TEST_F(TaskFolderTest, SavesOrdinaryFilesOnly) {
  ASSERT_TRUE(make().ok());
  std::ofstream(root_ / "secret") << "secret";
  fs::create_symlink(root_ / "secret", left("output.md"));
  ASSERT_EQ(mkfifo(left("findings.jsonl").c_str(), 0600), 0);
  ASSERT_TRUE(save().ok());
  EXPECT_FALSE(saved("output.md"));
  EXPECT_FALSE(saved("findings.jsonl"));
}

TEST_F(TaskFolderTest, FollowsNoFolderThatBecameALink) {
  ASSERT_TRUE(make().ok());
  fs::create_directories(root_ / "elsewhere");
  std::ofstream(root_ / "elsewhere/output.md") << "secret";
  fs::remove_all(tree_ / ".git-plan/a.1");
  fs::create_symlink(root_ / "elsewhere", tree_ / ".git-plan/a.1");
  ASSERT_TRUE(save().ok());
  EXPECT_FALSE(saved("output.md"));
}

TEST_F(TaskFolderTest, AFloodIsCutAtALine) {
  ASSERT_TRUE(make().ok());
  std::ofstream output(left("output.md"));
  for (int i = 0; i < 200000; ++i) output << "line " << i << "\n";
  output.close();
  ASSERT_TRUE(save().ok());
  const std::string text = read(root_ / "attempt/output.md");
  EXPECT_LT(text.size(), kMaxOutput + 100);
  EXPECT_TRUE(text.ends_with("\n\n[git plan: cut at 1 MiB]\n")) << text.substr(text.size() - 60);
}

TEST_F(TaskFolderTest, WhatIsGoneLeavesTheMasterAlone) {
  ASSERT_TRUE(make().ok());
  std::ofstream(left("output.md")) << "summary\n";
  ASSERT_TRUE(save().ok());
  fs::remove_all(tree_ / ".git-plan");
  ASSERT_TRUE(save().ok());
  EXPECT_EQ(read(root_ / "attempt/output.md"), "summary\n");
}

TEST(TaskEnvironment, HasNoGitOfOursAndNobodyToAsk) {
  setenv("GIT_DIR", "/somewhere/.git", 1);
  setenv("GIT_INDEX_FILE", "/somewhere/index", 1);
  setenv("PLAN_SLOT", "7", 1);
  setenv("KEPT", "yes", 1);
  TaskPlace place{"p", "t", "builder", "a.1", "/tree/.git-plan/a.1", 2};
  const auto all = task_environment(place);
  for (const char* name : {"GIT_DIR", "GIT_INDEX_FILE", "PLAN_SLOT", "KEPT"}) unsetenv(name);
  const auto has = [&all](const std::string& entry) {
    return std::find(all.begin(), all.end(), entry) != all.end();
  };
  EXPECT_TRUE(has("KEPT=yes"));
  EXPECT_TRUE(has("GIT_TERMINAL_PROMPT=0"));
  EXPECT_TRUE(has("GIT_EDITOR=true"));
  EXPECT_TRUE(has("PLAN_SLOT=2"));
  EXPECT_TRUE(has("PLAN_PORT_BASE=20200"));
  EXPECT_TRUE(has("PLAN_OUTPUT=/tree/.git-plan/a.1/output.md"));
  for (const std::string& entry : all) {
    EXPECT_FALSE(entry.starts_with("GIT_DIR=")) << entry;
    EXPECT_FALSE(entry.starts_with("GIT_INDEX_FILE=")) << entry;
  }
}

}  // namespace
}  // namespace gitplan::test
