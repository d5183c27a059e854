#include "refs/git/repository.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/refs/git/scoped_environment.h"
#include "tests/support/temp_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

Repository open_good(const fs::path& directory) {
  auto opened = Repository::open_at(directory);
  if (!opened.ok()) throw std::runtime_error(opened.error().message);
  return std::move(opened).value();
}

TEST(Repository, Plain) {
  TempRepo repo;
  repo.write("a/b/file", "x");
  const std::string head = repo.commit("one");
  const Repository found = open_good(repo.path() / "a/b");
  EXPECT_EQ(found.git_dir(), repo.path() / ".git");
  EXPECT_EQ(found.common_dir(), repo.path() / ".git");
  EXPECT_EQ(found.work_tree(), repo.path());
  EXPECT_EQ(found.prefix(), "a/b/");
  EXPECT_EQ(found.local_dir(), repo.path() / ".git/git-plan");
  EXPECT_FALSE(found.bare());
  EXPECT_EQ(*found.head_branch(), "refs/heads/main");
  EXPECT_EQ(*found.head_commit(), head);
  EXPECT_TRUE(found.path_at(head, "a/b/file"));
  EXPECT_TRUE(found.path_at(head, "a/b"));
  EXPECT_FALSE(found.path_at(head, "a/c"));
}

TEST(Repository, UnbornAndDetached) {
  TempRepo repo;
  const Repository found = open_good(repo.path());
  EXPECT_EQ(*found.head_branch(), "refs/heads/main");
  EXPECT_EQ(*found.head_commit(), std::nullopt);
  const std::string head = repo.commit("one");
  repo.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(*found.head_branch(), std::nullopt);
  EXPECT_EQ(*found.head_commit(), head);
}

TEST(Repository, LinkedWorktree) {
  TempRepo repo;
  repo.commit("one");
  repo.git({"worktree", "add", "-q", "../linked"});
  const Repository found = open_good(repo.root() / "linked");
  EXPECT_EQ(found.git_dir(), repo.path() / ".git/worktrees/linked");
  EXPECT_EQ(found.common_dir(), repo.path() / ".git");
  EXPECT_EQ(found.work_tree(), repo.root() / "linked");
  EXPECT_EQ(*found.head_branch(), "refs/heads/linked");
  EXPECT_EQ(*found.git().read({"rev-parse", "--abbrev-ref", "HEAD"}), "linked");
  EXPECT_EQ(*found.git().in(repo.path()).read({"rev-parse", "--abbrev-ref", "HEAD"}), "main");
}

TEST(Repository, BareAndAWorktreeOfIt) {
  TempRepo bare({"--bare"});
  const Repository found = open_good(bare.path());
  EXPECT_TRUE(found.bare());
  EXPECT_EQ(found.git_dir(), bare.path());
  EXPECT_EQ(*found.git().read({"rev-parse", "--is-bare-repository"}), "true");

  TempRepo source;
  source.commit("one");
  source.git({"push", "-q", bare.path(), "main"});
  bare.git({"worktree", "add", "-q", "../tree", "main"});
  const Repository tree = open_good(bare.root() / "tree");
  EXPECT_FALSE(tree.bare());
  EXPECT_EQ(tree.common_dir(), bare.path());
}

TEST(Repository, BareIsAskedByNameWhereGitMayNotLook) {
  TempRepo bare({"--bare"});
  std::ofstream(bare.root() / "config") << "[safe]\n\tbareRepository = explicit\n";
  const ScopedVariable global("GIT_CONFIG_GLOBAL", bare.root() / "config");
  const Repository found = open_good(bare.path());
  EXPECT_EQ(*found.git().read({"rev-parse", "--is-bare-repository"}), "true");
}

TEST(Repository, Submodule) {
  TempRepo inner;
  inner.write("file", "x");
  inner.commit("inner");
  TempRepo outer;
  outer.git({"submodule", "--quiet", "add", inner.path(), "sub"});
  const Repository found = open_good(outer.path() / "sub");
  EXPECT_EQ(found.git_dir(), outer.path() / ".git/modules/sub");
  EXPECT_EQ(found.work_tree(), outer.path() / "sub");
  EXPECT_EQ(*found.git().read({"rev-parse", "--show-toplevel"}), outer.path() / "sub");
}

TEST(Repository, VersionOneWithWorktreeConfig) {  // libgit2#6044
  TempRepo repo;
  repo.write("a/file", "x");
  repo.commit("one");
  repo.git({"sparse-checkout", "set", "a"});
  repo.git({"config", "core.repositoryformatversion", "1"});
  repo.git({"worktree", "add", "-q", "../linked"});
  EXPECT_EQ(open_good(repo.path()).work_tree(), repo.path());
  EXPECT_EQ(open_good(repo.root() / "linked").work_tree(), repo.root() / "linked");
}

TEST(Repository, PartialCloneReadsWhatIsMissingThroughGit) {  // libgit2#5564
  TempRepo source;
  source.write("file", "text");
  const std::string head = source.commit("one");
  source.git({"config", "uploadpack.allowFilter", "true"});
  source.git({"clone", "-q", "--bare", "--filter=tree:0", "file://" + source.path().string(),
              "../partial"});
  source.git({"-C", "../partial", "config", "extensions.partialClone", "origin"});
  const Repository found = open_good(source.root() / "partial");
  EXPECT_TRUE(found.path_at(head, "file"));
  EXPECT_FALSE(found.path_at(head, "other"));
}

TEST(Repository, Shallow) {
  TempRepo source;
  source.commit("one");
  const std::string two = source.commit("two");
  const std::string three = source.commit("three");
  source.git({"clone", "-q", "--depth", "2", "file://" + source.path().string(), "../shallow"});
  const Repository found = open_good(source.root() / "shallow");
  EXPECT_TRUE(found.is_ancestor(two, three));
  EXPECT_FALSE(found.is_ancestor(three, two));
}

TEST(Repository, NoRepository) {
  TempRepo repo;
  const auto opened = Repository::open_at(repo.root());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(opened.error().message,
            "not a git repository (or any of the parent directories): .git");
  EXPECT_EQ(opened.error().hint, "'git init' makes one here");
}

TEST(Repository, Sha256IsRefusedClearly) {  // git-branchless#1628
  TempRepo repo({"--object-format=sha256"});
  const auto opened = Repository::open_at(repo.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(opened.error().message,
            "this repository names its objects by sha256, and git plan reads only SHA-1 "
            "repositories: " +
                (repo.path() / ".git").string());
  EXPECT_NE(opened.error().hint.find("--object-format=sha1"), std::string::npos);
}

TEST(Repository, ReftableIsRefusedClearly) {  // cocogitto#571
  TempRepo repo;
  repo.git({"config", "core.repositoryformatversion", "1"});
  repo.git({"config", "extensions.refstorage", "reftable"});
  const auto opened = Repository::open_at(repo.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(opened.error().message,
            "this repository keeps its refs in the format 'reftable', and git plan reads only "
            "files: " +
                (repo.path() / ".git").string());
  EXPECT_EQ(opened.error().hint, "'git refs migrate --ref-format=files' converts it");
}

TEST(Repository, AnotherOwnersIsAsGitSays) {  // libgit2sharp#2039
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a repository away";
  TempRepo repo;
  repo.commit("one");
  repo.git({"config", "core.bare", "false"});
  ASSERT_EQ(repo.run({"chown", "-R", "12345", repo.path()}).exit_status, 0);
  const auto refused = Repository::open_at(repo.path());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "detected dubious ownership in repository at '" + repo.path().string() + "'");
  EXPECT_NE(refused.error().hint.find("safe.directory"), std::string::npos);

  std::ofstream(repo.root() / "config") << "[safe]\n\tdirectory = *\n";
  const ScopedVariable global("GIT_CONFIG_GLOBAL", repo.root() / "config");
  EXPECT_EQ(open_good(repo.path()).work_tree(), repo.path());
}

TEST(Repository, TheEnvironmentNamesIt) {
  TempRepo repo;
  repo.commit("one");
  TempRepo other;
  fs::create_directories(other.path() / "tree/sub");
  const ScopedDirectory here(other.path() / "tree/sub");
  {
    const ScopedVariable dir("GIT_DIR", repo.path() / ".git");
    const ScopedVariable tree("GIT_WORK_TREE", other.path() / "tree");
    const auto found = Repository::open();
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->git_dir(), repo.path() / ".git");
    EXPECT_EQ(found->work_tree(), other.path() / "tree");
    EXPECT_EQ(found->prefix(), "sub/");
    EXPECT_EQ(*found->git().read({"rev-parse", "--absolute-git-dir"}), repo.path() / ".git");
    EXPECT_EQ(*found->git().read({"rev-parse", "--show-toplevel"}), other.path() / "tree");
  }
  const auto found = Repository::open();
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->git_dir(), other.path() / ".git");
}

TEST(Repository, GitCommonDirFromTheEnvironment) {
  TempRepo repo;
  const std::string head = repo.commit("one");
  repo.git({"worktree", "add", "-q", "--detach", "../linked"});
  TempRepo other;
  other.git({"fetch", "-q", repo.path(), "main"});
  const ScopedDirectory here(repo.root() / "linked");
  const ScopedVariable dir("GIT_DIR", repo.path() / ".git/worktrees/linked");
  const ScopedVariable common("GIT_COMMON_DIR", other.path() / ".git");
  const auto found = Repository::open();
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->common_dir(), other.path() / ".git");
  EXPECT_EQ(*found->head_commit(), head);
  EXPECT_EQ(*found->head_branch(), std::nullopt);
  EXPECT_EQ(*found->git().read({"rev-parse", "--git-common-dir"}), other.path() / ".git");
}

TEST(Repository, AnAliasSaysWhereTheUserStood) {
  TempRepo repo;
  fs::create_directories(repo.path() / "a/b");
  const ScopedDirectory here(repo.path());
  const ScopedVariable prefix("GIT_PREFIX", "a/b/");
  EXPECT_EQ(Repository::open()->prefix(), "a/b/");
  const ScopedVariable gone("GIT_PREFIX", "a/c/");
  EXPECT_EQ(Repository::open()->prefix(), "");
}

TEST(Repository, TheIndexOfAHookReachesNoGitOfOurs) {  // prek#2505
  TempRepo repo;
  repo.write("file", "x");
  repo.commit("one");
  const Repository found = open_good(repo.path());
  const ScopedVariable index("GIT_INDEX_FILE", repo.root() / "other-index");
  EXPECT_TRUE(found.git().check({"add", "file"}).ok());
  EXPECT_FALSE(fs::exists(repo.root() / "other-index"));
}

TEST(Repository, CommandLineConfigurationIsHandedOn) {
  TempRepo repo;
  const Repository found = open_good(repo.path());
  const ScopedVariable parameters("GIT_CONFIG_PARAMETERS", "'user.name'='From C'");
  EXPECT_EQ(*found.git().read({"config", "user.name"}), "From C");
}

TEST(Repository, OperationsInProgress) {
  TempRepo repo;
  repo.write("file", "1\n");
  repo.commit("base");
  repo.git({"checkout", "-q", "-b", "side"});
  repo.write("file", "2\n");
  repo.commit("side");
  repo.git({"checkout", "-q", "main"});
  repo.write("file", "3\n");
  repo.commit("main");
  const Repository found = open_good(repo.path());
  EXPECT_EQ(found.operation_in_progress(), std::nullopt);
  for (const std::string what : {"merge", "cherry-pick", "revert", "rebase"}) {
    const std::string commit = what == "revert" ? "HEAD~1" : "side";
    if (what == "revert") repo.git({"checkout", "-q", "main"});
    EXPECT_NE(repo.run({"git", what, commit}).exit_status, 0) << what;
    EXPECT_EQ(found.operation_in_progress(), what);
    repo.git({what, "--abort"});
    EXPECT_EQ(found.operation_in_progress(), std::nullopt);
  }
  repo.git({"bisect", "start"});
  EXPECT_EQ(found.operation_in_progress(), "bisect");
}

TEST(Repository, RefsByName) {
  TempRepo repo;
  const std::string head = repo.commit("one");
  repo.git({"tag", "-a", "-m", "tag", "v1"});
  const Repository found = open_good(repo.path());
  EXPECT_EQ(*found.ref("refs/heads/main"), head);
  EXPECT_EQ(*found.ref("refs/tags/v1"), head);
  EXPECT_EQ(*found.ref("refs/heads/none"), std::nullopt);
  EXPECT_EQ(found.ref("refs/heads/..").error().code, ErrorCode::kInvalid);
}

TEST(Git, AFailureCarriesGitsWords) {
  TempRepo repo;
  const Repository found = open_good(repo.path());
  const auto failure = found.git().read({"-c", "a.b=c", "worktree", "add", "x", "no-such-thing"});
  ASSERT_FALSE(failure.ok());
  EXPECT_EQ(failure.error().message, "git worktree add: fatal: invalid reference: no-such-thing");
  const auto silent = found.git().check({"rev-parse", "-q", "--verify", "no-such-thing"});
  EXPECT_EQ(silent.error().message, "git rev-parse: exit status 1");
}

TEST(Git, LocalNamesAreThoseThatGitLists) {
  TempRepo repo;
  std::string listed = "\n" + repo.git({"rev-parse", "--local-env-vars"}) + "\n";
  for (std::size_t at = 1; at < listed.size();) {
    const std::size_t end = listed.find('\n', at);
    const std::string name = listed.substr(at, end - at);
    const auto& names = local_environment_names();
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    at = end + 1;
  }
}

}  // namespace
}  // namespace gitplan::test
