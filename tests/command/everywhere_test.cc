// Every command from every place that git calls a repository: its exit status, what it says on
// standard error, and that its JSON is JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/command/work_repo.h"

namespace gitplan::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* kPlan = R"(---
title: x
orchestration:
  default_mode: forked
  tasks:
    - {name: a, description: Make a, run: echo a >a.txt}
    - {name: bad, description: Fail, run: exit 3}
---
# x
)";

enum Json { kNone, kAlso, kOnly };  // what --json is tried with: a change is made once

struct Step {
  const char* words;
  int status;
  const char* error;  // a regular expression for all of standard error, scrubbed
  Json json = kNone;
};

// One after the other: from an empty repository to a plan that is over and deleted.
constexpr Step kSteps[] = {
    {"list", 0, "No plans\\. 'git plan create' makes one\\.\n", kAlso},
    {"create -F - --naming {title}", 0, "Created with 2 tasks\\. Next: git plan execute x\n"},
    {"create -F - --naming other", 0, "", kOnly},
    {"list", 0, "", kAlso},
    {"list --tree", 0, "", kAlso},
    {"show x", 0, "", kAlso},
    {"show x --ledger", 0, "", kAlso},
    {"show x --task a", 0, "", kAlso},
    {"status", 0, "No plan runs, waits or has a decision.*\n", kAlso},
    {"status x", 0, "", kAlso},
    {"why x", 0, "", kAlso},
    {"why x a", 0, "", kAlso},
    {"diff x", 0, "The definition of 'x' has not changed since it was created\\.\n", kAlso},
    {"log x", 0, "", kAlso},
    {"edit x --yes", 0, "Changed 'x'\\.\n"},
    {"update x --title New --yes", 0, "Changed 'x'\\.\n"},
    {"update x --title Newer --yes", 0, "", kOnly},
    {"diff x", 0, "", kAlso},
    {"undo x", 0, "Took back the last update of 'x'\\.\n"},
    {"trust x --revoke", 0, "'x' is no longer trusted here\\.\n"},
    {"trust x --revoke", 0, "", kOnly},
    {"trust x", 7, "error: trusting 'x' needs a terminal.*\nhint: .*\n", kAlso},
    {"-c plan.allowHeadlessApproval=true trust x", 0, "'x' is trusted here, as it is now\\.\n"},
    {"trust x", 0, "'x' is trusted here already\\.\n", kAlso},
    {"trust --list", 0, "", kAlso},
    {"check", 0, "(No plan refers to anything\\.\n)?", kAlso},
    {"check x", 0, "(No plan refers to anything\\.\n)?", kAlso},
    {"execute x --dry-run", 0, "", kAlso},
    {"output x a", 2, "error: task 'a' has not started yet\nhint: 'git plan why x a'.*\n", kAlso},
    {"execute x --yes", 4, ""},
    {"status", 0, "", kAlso},
    {"status x", 0, "", kAlso},
    {"output x a", 0, "", kAlso},
    {"attempts x", 0, "", kAlso},
    {"resolve x", 4, "", kAlso},
    {"pause x", 2, "error: no run of plan 'x' is at work: there is nothing to pause\nhint: .*\n"},
    {"cancel x", 2, "error: no run of plan 'x' is at work: there is nothing to cancel\nhint: .*\n"},
    {"resolve x skip", 0, "Go on: git plan execute x\n"},
    {"execute x --yes", 0, "(.*\n)*landed on (main|linked): .*\n", kOnly},
    {"blame HEAD", 0, "", kAlso},
    {"abort other", 2, "error: no run of plan 'other' is at work.*\nhint: .*\n"},
    {"gc --dry-run", 0, "Nothing to remove\\.\n"},
    {"gc", 0, "Nothing to remove\\.\n"},
    {"delete x --yes", 0, "Deleted 'x'\\. 'git plan undo x' takes it back\\.\n"},
    {"undo x", 0, "'x' is @state again\\.\n"},
    {"hooks status", 0, "", kAlso},
    {"doctor --fsck", 0, "", kAlso},
    {"version", 0, "", kAlso},
};

struct Place {
  const char* name;
  const char* before;   // between `git` and `plan`; @ is the folder around the repository
  const char* cwd;      // below that folder
  const char* git_dir;  // GIT_DIR; "": unset
  const char* index;    // GIT_INDEX_FILE
  bool guess = false;   // nothing says where the work tree is
};
void PrintTo(const Place& place, std::ostream* out) { *out << place.name; }

const Place kPlaces[] = {
    {"Top", "", "repo", "", ""},
    {"Subdirectory", "", "repo/src", "", ""},
    {"InsideOfGit", "", "repo/.git", "", ""},
    {"LinkedWorktree", "", "linked", "", ""},
    {"Bare", "", "bare.git", "", ""},
    {"BareByGitDir", "--git-dir=@/bare.git", "elsewhere", "", ""},
    {"GitDirAndWorkTree", "--git-dir=@/repo/.git --work-tree=@/repo", "elsewhere", "", ""},
    {"WorkTreeWithoutGitFile", "--git-dir=@/apart.git --work-tree=@/apart", "elsewhere", "", ""},
    {"Configuration", "-c plan.maxForks=1", "repo", "", ""},
    {"GitDirSet", "", "repo", "@/repo/.git", ""},
    {"Hook", "", "repo", ".git", ".git/next-index-1.lock"},
    {"HookOfALinkedWorktree", "", "linked", "@/repo/.git/worktrees/linked",
     "@/repo/.git/worktrees/linked/next-index-1.lock"},
    {"GitDirElsewhere", "--git-dir=@/repo/.git", "elsewhere", "", "", true},
    {"GitDirInASubdirectory", "--git-dir=../.git", "repo/src", "", "", true},
};

Words split(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class Everywhere : public ::testing::TestWithParam<Place> {
 protected:
  Everywhere() {
    const Place& place = GetParam();
    std::filesystem::create_directories(repo_.root() / "elsewhere");
    repo_.git({"worktree", "add", "-q", "../linked"});
    repo_.git({"clone", "-q", "--bare", ".", "../bare.git"});
    repo_.git({"clone", "-q", "--separate-git-dir=../apart.git", ".", "../apart"});
    std::filesystem::remove(repo_.root() / "apart/.git");
    for (const char* clone : {"--git-dir=../bare.git", "--git-dir=../apart.git"})
      repo_.git({clone, "remote", "remove", "origin"});
    options_.cwd = repo_.root() / place.cwd;
    options_.stdin_text = kPlan;
    options_.env["GIT_EDITOR"] = "sed -i s/Fail/Fails/";
    if (*place.git_dir != '\0') options_.env["GIT_DIR"] = at(place.git_dir);
    if (*place.index != '\0') {
      options_.env["GIT_INDEX_FILE"] = at(place.index);
      options_.env["GIT_PREFIX"] = "";
    }
  }

  std::string at(std::string text) const {
    for (std::size_t i = text.find('@'); i != std::string::npos; i = text.find('@', i))
      text.replace(i, 1, repo_.root().string());
    return text;
  }

  ProcessResult run(const Step& step, bool json) const {
    Words argv{"git"};
    for (std::string& word : split(at(GetParam().before))) argv.push_back(word);
    Words words = split(step.words);
    if (words[0] == "-c") {
      argv.insert(argv.end(), words.begin(), words.begin() + 2);
      words.erase(words.begin(), words.begin() + 2);
    }
    argv.emplace_back("plan");
    argv.insert(argv.end(), words.begin(), words.end());
    if (json) argv.emplace_back("--json");
    return repo_.run(argv, options_);
  }

  void check(const Step& step, bool json) const {
    SCOPED_TRACE(std::string(step.words) + (json ? " --json" : ""));
    const ProcessResult result = run(step, json);
    const std::string error = scrubbed(result.err);
    const bool executes = std::string_view(step.words).starts_with("execute");
    if (executes && GetParam().guess) {
      EXPECT_EQ(result.exit_status, 2);
      if (std::string_view(step.words).ends_with("--dry-run")) {
        EXPECT_THAT(result.out, HasSubstr("(--git-dir without --work-tree)"));
      } else {
        EXPECT_THAT(error, MatchesRegex("error: nothing says where the work tree of '<root>/repo/"
                                        "\\.git' is \\(--git-dir without --work-tree\\), and git "
                                        "takes the current directory for it\n"
                                        "hint: start it in the work tree, or name that: git "
                                        "--git-dir='<root>/repo/\\.git' --work-tree=<directory> "
                                        "plan execute x\n"));
      }
    } else {
      EXPECT_EQ(result.exit_status, step.status) << result.out << result.err;
      // With --json only errors and the events of a run are said there.
      const bool silent = json && step.status == 0 && !executes;
      std::string expected = silent ? "" : step.error;
      // What the plan was before its deletion: where no run could start, it is as it was made.
      if (const std::size_t at = expected.find("@state"); at != std::string::npos)
        expected.replace(at, 6, GetParam().guess ? "active" : "completed");
      EXPECT_TRUE(std::regex_match(error, std::regex(expected))) << error;
    }
    if (json) {
      EXPECT_TRUE(nlohmann::json::accept(result.out)) << result.out;
    }
  }

  WorkRepo repo_;
  RunOptions options_;
};

// What a run leaves behind is needed by these.
bool needs_a_run(std::string_view words) {
  for (const std::string_view start : {"output", "attempts", "resolve", "status"})
    if (words.starts_with(start)) return true;
  return false;
}

TEST_P(Everywhere, EveryCommandSaysTheSame) {
  bool ran = false;
  for (const Step& step : kSteps) {
    const bool executes = std::string_view(step.words).starts_with("execute x --yes");
    ran = ran || executes;
    if (GetParam().guess && ran && needs_a_run(step.words)) continue;
    if (step.json != kOnly) check(step, false);
    if (step.json != kNone) check(step, true);
  }
  EXPECT_EQ(std::filesystem::is_empty(repo_.root() / "elsewhere"), true);
}

// Each place is 44 processes, which start slowly with the sanitizers; what differs between places
// is asked of git and libgit2, so four of them show the sanitizers all of our code.
std::vector<Place> places() {
  std::vector<Place> result(std::begin(kPlaces), std::end(kPlaces));
#ifdef GITPLAN_SANITIZED
  std::erase_if(result, [](const Place& place) {
    const std::string_view name = place.name;
    return name != "Top" && name != "Bare" && name != "Hook" && name != "GitDirElsewhere";
  });
#endif
  return result;
}

INSTANTIATE_TEST_SUITE_P(Places, Everywhere, ::testing::ValuesIn(places()),
                         [](const auto& place) { return std::string(place.param.name); });

}  // namespace
}  // namespace gitplan::test
