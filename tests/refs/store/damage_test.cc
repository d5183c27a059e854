// Objects and files that are not as they should be: clear errors, and what can be read is read.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/refs/store/plan_fixture.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

class Damage : public PlanFixture {
 protected:
  // Puts another content at a path of the plan's tree, as a commit made by plain git.
  void replace(const std::string& id, const std::string& path, const std::string& content) {
    const std::string ref = "refs/plans/" + id;
    const RunOptions index{.env = {{"GIT_INDEX_FILE", (repo.root() / "index").string()}}};
    repo.git({"read-tree", ref}, index);
    RunOptions text = index;
    text.stdin_text = content;
    const std::string blob = repo.git({"hash-object", "-w", "--stdin"}, text);
    repo.git({"update-index", "--add", "--cacheinfo", "100644," + blob + "," + path}, index);
    const std::string tree = repo.git({"write-tree"}, index);
    const std::string message = repo.git({"log", "-1", "--format=%B", ref});
    repo.git({"update-ref", ref, repo.git({"commit-tree", "-p", ref, "-m", message, tree})});
  }
  std::string segment(int number) {
    return "journal/" + store().actor() + "/00/00/00000" + std::to_string(number) + ".jsonl";
  }
  fs::path object(const std::string& oid) const {
    return repo.path() / ".git/objects" / oid.substr(0, 2) / oid.substr(2);
  }
  std::vector<std::string> codes() {
    std::vector<std::string> result;
    for (const Diagnostic& one : good(store().fsck())) result.push_back(one.code);
    return result;
  }
};

TEST_F(Damage, ANewerFormatIsReadAndNotWritten) {
  const PlanView created = create("p");
  replace("p", "format", "2\n");
  reopen();
  const PlanView view = good(store().load("p"));
  EXPECT_EQ(view.format, 2);
  EXPECT_EQ(view.plan.title, "The p");
  const auto change =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(change.ok());
  EXPECT_EQ(change.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(change.error().message,
            "plan 'p' is written in format 2, and this git plan writes format 1");
  EXPECT_EQ(store().appender("p").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(codes(), std::vector<std::string>{"newer-format"});
  replace("p", "format", "two");
  EXPECT_EQ(store().load("p").error().message, "refs/plans/p is not a plan: its format is 'two'");
}

TEST_F(Damage, AForgedLedgerIsIgnoredAndFound) {
  create("p");
  say("p", "one");
  replace("p", "ledger.json", "{\"state\":\"completed\"}");
  reopen();
  const PlanView view = good(store().load("p"));
  EXPECT_EQ(view.ledger.state, PlanState::kActive);
  EXPECT_EQ(view.ledger.remarks, std::vector<std::string>{"one"});
  EXPECT_EQ(codes(), std::vector<std::string>{"stale-ledger"});
  say("p", "two");
  EXPECT_EQ(codes(), std::vector<std::string>{});
}

TEST_F(Damage, ABrokenSegmentIsNamedAndTheRestIsRead) {
  create("p");
  say("p", "one");
  say("p", "two");
  const std::string path = segment(1);
  replace("p", path, "{\"not\":\"an event\"}\n");
  reopen();
  const PlanView view = good(store().load("p"));
  EXPECT_EQ(view.ledger.remarks, std::vector<std::string>{"two"});
  ASSERT_FALSE(view.warnings.empty());
  EXPECT_EQ(view.warnings[0].code, "damaged-segment");
  EXPECT_TRUE(view.warnings[0].message.starts_with(path + ": ")) << view.warnings[0].message;
  EXPECT_NE(view.warnings[0].message.find("line 1"), std::string::npos) << view.warnings[0].message;
  const auto change =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(change.ok());
  EXPECT_TRUE(change.error().message.starts_with("the journal of plan 'p' is damaged: " + path))
      << change.error().message;
  const auto found = codes();
  EXPECT_NE(std::find(found.begin(), found.end(), "rewritten-segment"), found.end());
  EXPECT_NE(std::find(found.begin(), found.end(), "damaged-segment"), found.end());
}

TEST_F(Damage, AnEventChangedAfterwardsIsFound) {
  create("p");
  say("p", "one");
  const std::string path = segment(1);
  std::string text = repo.git({"show", "refs/plans/p:" + path}) + "\n";
  text.replace(text.find("one"), 3, "two");
  replace("p", path, text);
  const auto found = codes();
  EXPECT_NE(std::find(found.begin(), found.end(), "wrong-id"), found.end());
}

TEST_F(Damage, AZeroByteCommitIsAClearError) {  // jj#4423
  create("good");
  const PlanView bad = create("bad");
  fs::permissions(object(bad.tip), fs::perms::owner_all);
  std::ofstream(object(bad.tip), std::ios::trunc).flush();
  reopen();
  const auto load = store().load("bad");
  ASSERT_FALSE(load.ok());
  EXPECT_TRUE(load.error().message.starts_with("refs/plans/bad: cannot read the commit " + bad.tip))
      << load.error().message;
  EXPECT_FALSE(load.error().hint.empty());
  const auto plans = good(store().list());
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_NE(plans[0].fault, "");
  EXPECT_EQ(plans[1].fault, "");
  EXPECT_EQ(codes(), std::vector<std::string>{"unreadable-plan"});
}

TEST_F(Damage, AMissingDefinitionShowsTheRest) {
  const PlanView view = create("p");
  fs::remove(object(view.ledger.heads.at(0)));
  reopen();
  const PlanView read = good(store().load("p"));
  EXPECT_EQ(read.plan.title, "The p");
  EXPECT_EQ(read.ledger.events, 1u);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_EQ(read.warnings[0].code, "missing-definition");
  const auto found = codes();
  EXPECT_NE(std::find(found.begin(), found.end(), "missing-definition"), found.end());
}

TEST_F(Damage, ADefinitionThatDoesNotParseIsShown) {
  create("p");
  const std::string text = "---\ntitle: [\n---\nbody\n";
  good(store().change("p", [&](const PlanView& before) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = {DefinitionChanged{Store::blob_id(text), before.ledger.heads, "", "edit"}};
    change.definitions = {text};
    return change;
  }));
  reopen();
  const PlanView view = good(store().load("p"));
  EXPECT_EQ(view.text, text);
  EXPECT_EQ(view.plan.title, "The p");
  EXPECT_TRUE(has_error(view.warnings));
}

TEST_F(Damage, TheRefGoneUnderAChangeIsAnError) {
  create("p");
  const auto change = store().change("p", [&](const PlanView&) -> Result<Store::Change> {
    repo.git({"update-ref", "-d", "refs/plans/p"});
    return note("x");
  });
  ASSERT_FALSE(change.ok());
  EXPECT_EQ(change.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(change.error().message, "no plan is called 'p'");
}

TEST_F(Damage, TheRefMovedUnderAChangeTakesTheChange) {
  create("p");
  say("p", "one");
  const std::string before = repo.git({"rev-parse", "refs/plans/p^"});
  good(store().change("p", [&](const PlanView&) -> Result<Store::Change> {
    const std::string message = repo.git({"log", "-1", "--format=%B", "refs/plans/p"});
    repo.git(
        {"update-ref", "refs/plans/p",
         repo.git({"commit-tree", "-p", "refs/plans/p", "-m", message, "refs/plans/p^{tree}"})});
    return note("two");
  }));
  EXPECT_EQ(good(store().load("p")).ledger.remarks, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(repo.git({"rev-list", "--count", "refs/plans/p"}), "4");
  EXPECT_TRUE(good(store().fsck()).empty());
}

// Permissions do not stop root, so root becomes somebody else for a while.
class AsSomebody {
 public:
  explicit AsSomebody(const fs::path& theirs) {
    if (geteuid() != 0) return;
    constexpr uid_t kNobody = 65534;
    for (const fs::path& root : {theirs, fs::path(std::getenv("HOME"))}) {  // the tests' own home
      std::vector<fs::path> paths{root};
      for (const auto& entry : fs::recursive_directory_iterator(root)) paths.push_back(entry);
      for (const fs::path& path : paths)
        if (lchown(path.c_str(), kNobody, kNobody) != 0) throw std::runtime_error("lchown");
    }
    if (seteuid(kNobody) != 0) throw std::runtime_error("seteuid");
    changed_ = true;
  }
  ~AsSomebody() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }
  AsSomebody(const AsSomebody&) = delete;
  AsSomebody& operator=(const AsSomebody&) = delete;

 private:
  bool changed_ = false;
};

TEST_F(Damage, AReadOnlyRepositoryIsReadAndTheErrorNamesThePlace) {
  create("p");
  fs::remove_all(repo.path() / ".git/git-plan");
  const AsSomebody somebody(repo.root());
  for (const char* dir : {".git/refs/plans", ".git/objects", ".git"})
    fs::permissions(repo.path() / dir, fs::perms::owner_read | fs::perms::owner_exec);
  reopen();
  EXPECT_EQ(good(store().list()).size(), 1u);
  EXPECT_EQ(good(store().load("p")).id, "p");
  const auto change =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(change.ok());
  EXPECT_EQ(change.error().message, "cannot create the directory " +
                                        (repo.path() / ".git/git-plan").string() +
                                        ": Permission denied");
}

TEST_F(Damage, APlaceOfOursThatIsAFileIsNamed) {
  create("p");
  fs::remove_all(repo.path() / ".git/git-plan");
  repo.write(".git/git-plan", "not a folder");
  reopen();
  EXPECT_EQ(good(store().load("p")).id, "p");
  const auto change =
      store().change("p", [](const PlanView&) -> Result<Store::Change> { return note("x"); });
  ASSERT_FALSE(change.ok());
  EXPECT_NE(change.error().message.find((repo.path() / ".git/git-plan").string()),
            std::string::npos)
      << change.error().message;
}

}  // namespace
}  // namespace gitplan::test
