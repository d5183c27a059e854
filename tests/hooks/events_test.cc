// What our hooks say in each situation in which git runs hooks: the table of what is said, and that
// git's own result, index and work tree are the same as without them.
#include "tests/hooks/situations.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;

// `theirs`: somebody's scripts stand there already, and note how they are called.
class SituationRepo : public HookRepo {
 public:
  SituationRepo(bool hooks, bool theirs) {
    if (!hooks || theirs) plan({"hooks", "uninstall"});
    if (theirs)
      for (const char* hook :
           {"pre-commit", "commit-msg", "post-checkout", "post-merge", "post-rewrite"})
        script(this->hooks() / hook, std::string("{ echo ") + hook + " \"$*\"; test " + hook +
                                         " != post-rewrite || cat; } >>'" +
                                         (root() / "theirs").string() + "'\n");
    if (hooks && theirs) plan({"hooks", "install"});
    make_branches(*this);
  }
};

class Situations : public ::testing::TestWithParam<Situation> {};

TEST_P(Situations, SaysWhatItShouldAndChangesNothing) {
  struct Outcome {
    std::string state, theirs;
  };
  // Without ours, with ours alone, and with ours before which theirs run.
  std::vector<Outcome> outcomes;
  const bool strict = std::string_view(GetParam().name).ends_with("Strict");
  for (const auto& [hooks, theirs] : {std::pair(false, true), {true, false}, {true, true}}) {
    const SituationRepo repo(hooks, theirs);
    const Words words{"sh", "-c", GetParam().script};
    fs::remove(repo.root() / "theirs");  // of what came before
    const HookRepo::Said said = repo.say(words);
    EXPECT_EQ(said.ours, hooks ? GetParam().said : "") << said.all;
    if (hooks || !strict) {
      EXPECT_EQ(said.status, 0) << said.all;
    }
    std::string called =
        repo.exists(repo.root() / "theirs") ? repo.read(repo.root() / "theirs") : "";
    const std::string root = repo.root();
    for (std::size_t at = 0; (at = called.find(root)) != std::string::npos;)
      called.erase(at, root.size());
    // Dates are pinned, so equal ids say that history is equal.
    outcomes.push_back(
        {repo.git({"ls-files", "-s"}) + "\n" + repo.git({"status", "--porcelain=v2", "--branch"}),
         called});
    EXPECT_FALSE(repo.exists(".git/index.lock"));
  }
  if (strict) return;
  EXPECT_EQ(outcomes[1].state, outcomes[0].state);
  EXPECT_EQ(outcomes[2].state, outcomes[0].state);
  EXPECT_EQ(outcomes[2].theirs, outcomes[0].theirs) << "theirs are called as without ours";
}

INSTANTIATE_TEST_SUITE_P(Git, Situations, ::testing::ValuesIn(situations()),
                         [](const auto& kind) { return std::string(kind.param.name); });

struct Message {
  const char* name;
  const char* text;
  const char* error;  // "": it passes
};
void PrintTo(const Message& message, std::ostream* out) { *out << message.name; }

const Message kMessages[] = {
    {"Number", "a\n\nPlan: x\nWave: 1", ""},
    {"Many", "a\n\nPlan: x\nWave: 001\nWave: 002\nTask: a\nSigned-off-by: A <a@b.c>", ""},
    {"Word", "a\n\nPlan: x\nWave: 3rd",
     "error: 'Wave: 3rd' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 003', or leave the line out\n"},
    {"Nothing", "a\n\nPlan: x\nWave:",
     "error: 'Wave: ' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"Zero", "a\n\nPlan: x\nWave: 000",
     "error: 'Wave: 000' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"LowerCase", "a\n\nplan: x\nwave: two",
     "error: 'wave: two' has no number of a wave; waves of plans alone carry this line\n"
     "hint: write 'Wave: 001', or leave the line out\n"},
    {"WithoutPlan", "a\n\nWave: 3",
     "error: 'Wave: 003' does not say of which plan it is\n"
     "hint: write 'Plan: <id>' in the line above it, or leave it out\n"},
};

class Messages : public ::testing::TestWithParam<Message> {};

TEST_P(Messages, AreJudgedByTheirTrailer) {
  const HookRepo repo;
  const auto said =
      repo.say_git({"commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", GetParam().text});
  EXPECT_EQ(said.all, GetParam().error);
  EXPECT_EQ(said.status, *GetParam().error == '\0' ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(Wave, Messages, ::testing::ValuesIn(kMessages),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(Messages, AreLetThroughInTheMiddleOfARebase) {
  const SituationRepo repo(true, false);
  RunOptions quiet;
  quiet.env["GIT_PLAN_HOOKS"] = "0";
  repo.git({"checkout", "-q", "beside"}, quiet);
  repo.git({"commit", "-q", "--allow-empty", "-m", "a\n\nPlan: x\nWave: bad"}, quiet);
  RunOptions reword;
  reword.env["GIT_SEQUENCE_EDITOR"] = "sed -i s/^pick/reword/";
  reword.env["GIT_EDITOR"] = "true";
  EXPECT_EQ(repo.say_git({"rebase", "-q", "-i", "moved"}, reword).status, 0);
  EXPECT_EQ(repo.say_git({"commit", "-q", "--amend", "--no-edit"}).status, 1);
}

// There nobody but plans' own commits would be meant, and there are none.
TEST(Messages, AreNotLookedAtWhereNoPlanIs) {
  const HookRepo repo(false);
  EXPECT_EQ(repo.plan({"hooks", "install"}).exit_status, 0);
  const auto said =
      repo.say_git({"commit", "-q", "--allow-empty", "-m", "a\n\nPlan: x\nWave: 3rd"});
  EXPECT_EQ(said.all, "");
  EXPECT_EQ(said.status, 0);
}

// Also where no plan refers to anything, and before the first commit of a branch.
TEST(PlanFiles, AreLookedAtWhereverAPlanIs) {
  const HookRepo repo(false);
  RunOptions text;
  text.stdin_text = "---\ntitle: Empty\n---\n# Empty\n\nNothing is named.\n";
  EXPECT_EQ(repo.plan({"create", "-F", "-"}, text).exit_status, 0);
  EXPECT_EQ(repo.plan({"hooks", "install"}).exit_status, 0);
  repo.write("docs/y.md", "---\ntitle: y\norchestration:\n  tasks: 3\n---\n# Y\n");
  repo.git({"add", "-A"});
  const std::string words =
      "git plan: this commit has a plan that is not valid:\n  docs/y.md:4:10: error: 'tasks' is "
      "the text '3', not a list (write a list: '- name: first-task')\n";
  EXPECT_EQ(repo.say_git({"commit", "-qm", "One"}).ours, words);
  repo.git({"checkout", "-q", "--orphan", "other"});
  EXPECT_EQ(repo.say_git({"commit", "-qm", "Two"}).ours, words);
  repo.write("docs/y.md", "---\r\ntitle: y\r\norchestration:\r\n  tasks: 3\r\n---\r\n# Y\r\n");
  EXPECT_EQ(repo.say_git({"commit", "-qam", "Three"}).ours, words) << "lines end as on Windows";
}

TEST(HookLines, AreBounded) {
  const HookRepo repo(false);
  std::string changes;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "many/f" + std::to_string(100 + i) + ".txt";
    repo.write(name, "f\n");
    changes += "- [modify] " + name + " — f\n";
  }
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "Many"});
  RunOptions options;
  options.stdin_text = "---\ntitle: M\n---\n# M\n\n## Changes\n" + changes;
  repo.plan({"create", "-F", "-", "--naming", "many"}, options);
  repo.plan({"hooks", "install"});
  repo.git({"rm", "-qr", "many"});
  const auto said = repo.say_git({"commit", "-qm", "None"});
  EXPECT_EQ(std::count(said.ours.begin(), said.ours.end(), '\n'), 12);
  EXPECT_TRUE(
      said.ours.ends_with("  many/f109.txt is gone: 'many'\n"
                          "  and 20 more: git plan check\n"))
      << said.ours;
}

}  // namespace
}  // namespace gitplan::test
