// Installing and taking away: where git runs hooks, beside whatever is there, and byte for byte
// back.
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/hooks/hook_repo.h"

namespace gitplan::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string states(const HookRepo& repo, const RunOptions& options = {}) {
  const ProcessResult result = repo.plan({"hooks", "status", "--json"}, options);
  EXPECT_EQ(result.exit_status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  std::string text;
  for (const auto& hook : json["hooks"])
    text += hook["hook"].get<std::string>() + ":" + hook["state"].get<std::string>() + " ";
  return text;
}

std::string five(const std::string& state) {
  std::string text;
  for (const char* hook :
       {"pre-commit", "commit-msg", "post-checkout", "post-merge", "post-rewrite"})
    text += std::string(hook) + ":" + state + " ";
  return text;
}

TEST(HooksInstall, TwiceIsOnceAndAwayIsAway) {
  const HookRepo repo(false);
  const auto before = repo.listing(repo.hooks());
  EXPECT_EQ(states(repo), five("missing"));
  const ProcessResult first = repo.plan({"hooks", "install"});
  EXPECT_EQ(first.exit_status, 0);
  EXPECT_EQ(first.out,
            "installed pre-commit\ninstalled commit-msg\ninstalled post-checkout\n"
            "installed post-merge\ninstalled post-rewrite\n");
  EXPECT_EQ(first.err, "");
  const auto installed = repo.listing(repo.hooks());
  EXPECT_EQ(installed.size(), before.size() + 5);
  for (const auto& [name, text] : installed)
    EXPECT_TRUE(text.starts_with(std::to_string(S_IFREG | 0755) + " #!/bin/sh\n")) << text;
  EXPECT_THAT(repo.plan({"hooks", "install"}).out, HasSubstr("unchanged post-merge\n"));
  EXPECT_EQ(repo.listing(repo.hooks()), installed);
  EXPECT_EQ(states(repo), five("active"));
  const ProcessResult gone = repo.plan({"hooks", "uninstall"});
  EXPECT_EQ(gone.exit_status, 0);
  EXPECT_THAT(gone.out, HasSubstr("removed pre-commit\n"));
  EXPECT_EQ(repo.listing(repo.hooks()), before);
  EXPECT_EQ(repo.plan({"hooks", "uninstall"}).err, "No hook of git plan is here.\n");
}

TEST(HooksInstall, WhatIsNotAsWeWroteItIsRenewed) {
  const HookRepo repo(false);
  repo.plan({"hooks", "install"});
  const auto installed = repo.listing(repo.hooks());
  fs::permissions(repo.hooks() / "pre-commit", fs::perms(0644));
  repo.script(repo.hooks() / "post-merge", "# git-plan hook, version 0: an old one\nexit 0\n");
  std::string text = repo.read(".git/hooks/commit-msg");
  repo.write(".git/hooks/commit-msg", text + "# changed\n");
  EXPECT_EQ(states(repo),
            "pre-commit:not executable commit-msg:outdated post-checkout:active "
            "post-merge:foreign post-rewrite:active ")
      << "version 0 never was";
  fs::remove(repo.hooks() / "post-merge");
  const ProcessResult again = repo.plan({"hooks", "install"});
  EXPECT_EQ(again.out,
            "renewed pre-commit\nrenewed commit-msg\nunchanged post-checkout\n"
            "installed post-merge\nunchanged post-rewrite\n");
  EXPECT_EQ(repo.listing(repo.hooks()), installed);
}

// Anything that can lie there, by what is done and that all of it comes back.
struct Foreign {
  const char* name;
  std::function<void(const HookRepo&, const fs::path&)> put;
  bool chains;           // without --chain
  bool chains_asked;     // with it
  const char* why = "";  // where it does not
};
void PrintTo(const Foreign& foreign, std::ostream* out) { *out << foreign.name; }

const std::vector<Foreign>& foreigners() {
  static const std::vector<Foreign> all{
      {"Script",
       [](const HookRepo& repo, const fs::path& path) { repo.script(path, "echo old >&2\n"); },
       true, true},
      {"NoInterpreterLine",
       [](const HookRepo& repo, const fs::path& path) {
         repo.write(path, "echo old >&2\n");
         fs::permissions(path, fs::perms(0755));
       },
       true, true},
      {"Python",
       [](const HookRepo& repo, const fs::path& path) {
         repo.write(path, "#!/usr/bin/env python3\nprint('old')\n");
         fs::permissions(path, fs::perms(0700));
       },
       true, true},
      {"NotExecutable",
       [](const HookRepo& repo, const fs::path& path) {
         repo.write(path, "#!/bin/sh\nexit 1\n");
         fs::permissions(path, fs::perms(0640));
       },
       true, true},
      {"Link",
       [](const HookRepo& repo, const fs::path& path) {
         repo.script("tools/hook", "echo old >&2\n");
         fs::create_symlink("../../tools/hook", path);
       },
       false, true, "is a link, perhaps to a file that git tracks"},
      {"DanglingLink",
       [](const HookRepo&, const fs::path& path) { fs::create_symlink("nowhere", path); }, false,
       true, "is a link, perhaps to a file that git tracks"},
      {"Program", [](const HookRepo&, const fs::path& path) { fs::copy_file("/bin/true", path); },
       false, true, "is a program and no script"},
      {"Folder", [](const HookRepo&, const fs::path& path) { fs::create_directory(path); }, false,
       false, "is a folder, and git fails when it runs it"},
      {"CrLf",
       [](const HookRepo& repo, const fs::path& path) {
         repo.write(path, "#!/bin/sh\r\nexit 0\r\n");
         fs::permissions(path, fs::perms(0755));
       },
       false, false, "ends its first line with CR LF, so git cannot run it and fails"},
  };
  return all;
}

class ForeignHook : public ::testing::TestWithParam<Foreign> {};

TEST_P(ForeignHook, ComesBackByteForByte) {
  const HookRepo repo(false);
  GetParam().put(repo, repo.hooks() / "pre-commit");
  const auto before = repo.listing(repo.hooks());
  for (const bool asked : {false, true}) {
    SCOPED_TRACE(asked ? "--chain" : "");
    const bool chains = asked ? GetParam().chains_asked : GetParam().chains;
    const ProcessResult result =
        asked ? repo.plan({"hooks", "install", "--chain"}) : repo.plan({"hooks", "install"});
    EXPECT_EQ(result.exit_status, chains ? 0 : 1);
    auto now = repo.listing(repo.hooks());
    if (chains) {
      EXPECT_THAT(result.out,
                  HasSubstr("installed pre-commit, runs pre-commit.before-git-plan first\n"));
      EXPECT_EQ(now["pre-commit.before-git-plan"], before.at("pre-commit"));
      EXPECT_THAT(states(repo), HasSubstr("pre-commit:chained "));
    } else {
      EXPECT_THAT(result.err, HasSubstr("warning: '" + (repo.hooks() / "pre-commit").string() +
                                        "' " + GetParam().why + "\n    "));
      EXPECT_EQ(now["pre-commit"], before.at("pre-commit"));
      EXPECT_THAT(states(repo), HasSubstr("pre-commit:foreign commit-msg:active "));
    }
    repo.plan({"hooks", "install", asked ? "--chain" : "--json"});  // once more changes nothing
    EXPECT_EQ(repo.listing(repo.hooks()), now);
    EXPECT_EQ(repo.plan({"hooks", "uninstall"}).exit_status, 0);
    EXPECT_EQ(repo.listing(repo.hooks()), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ForeignHook, ::testing::ValuesIn(foreigners()),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(HooksChain, ArgumentsInputAndStatusAreKept) {
  const HookRepo repo;
  repo.plan({"hooks", "uninstall"});
  for (const char* hook : {"pre-commit", "commit-msg", "post-checkout", "post-rewrite"})
    repo.script(repo.hooks() / hook,
                std::string("echo ") + hook + " \"$#:$*\" >>\"" + (repo.root() / "log").string() +
                    "\"; cat >>\"" + (repo.root() / "log").string() + "\"; exit ${" +
                    (std::string(hook) == "pre-commit" ? "PRE" : "POST") + ":-0}\n");
  ASSERT_EQ(repo.plan({"hooks", "install"}).exit_status, 0);
  const std::string old = repo.git({"rev-parse", "HEAD"});
  EXPECT_EQ(repo.say_git({"commit", "-q", "--amend", "-m", "Again"}).status, 0);
  const std::string now = repo.git({"rev-parse", "HEAD"});
  EXPECT_EQ(repo.read("../log"),
            "pre-commit 0:\ncommit-msg 1:.git/COMMIT_EDITMSG\n"
            "post-rewrite 1:amend\n" +
                old + " " + now + "\n");
  RunOptions refused;
  refused.env["PRE"] = "7";
  EXPECT_EQ(repo.say_git({"commit", "--allow-empty", "-qm", "No"}, refused).status, 1);
  EXPECT_EQ(repo.git({"rev-parse", "HEAD"}), now);
  RunOptions failing;
  failing.env["POST"] = "3";
  EXPECT_EQ(repo.say_git({"checkout", "-q", "-b", "other"}, failing).status, 1)
      << "post-checkout's status is git's, as it was before us";
}

TEST(HooksChain, ACopyOfOursIsNotRunForEver) {
  const HookRepo repo;
  fs::copy_file(repo.hooks() / "pre-commit", repo.hooks() / "pre-commit.before-git-plan");
  RunOptions soon;
  soon.timeout = std::chrono::seconds(30);
  EXPECT_EQ(repo.say_git({"commit", "--allow-empty", "-qm", "Once"}, soon).status, 0);
  // Also where there is no program that would know it.
  repo.write(".git/hooks/pre-commit", [&] {
    std::string text = repo.read(".git/hooks/pre-commit");
    return text.replace(text.find("program='"), 10, "program='/nowhere");
  }());
  soon.env["PATH"] = "/usr/bin:/bin";
  const auto said = repo.say_git({"commit", "--allow-empty", "-qm", "Twice"}, soon);
  EXPECT_EQ(said.status, 0) << said.all;
  // A hook that calls itself by git stops in the end.
  repo.script(repo.hooks() / "post-checkout.before-git-plan", "git checkout -q --detach\n");
  EXPECT_EQ(repo.say_git({"checkout", "-q", "--detach"}, soon).status, 0);
}

TEST(HooksChain, WhatIsNotExecutableIsNotRunAsBefore) {
  const HookRepo repo(false);
  repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
  repo.plan({"hooks", "install"});
  EXPECT_EQ(repo.say_git({"commit", "--allow-empty", "-qm", "Fine"}).status, 0);
  EXPECT_THAT(repo.plan({"hooks", "status"}).out, HasSubstr("is not executable, and is not run"));
}

TEST(HooksChain, ReplacedBySomebodyElseStaysAndIsSaid) {
  const HookRepo repo(false);
  repo.script(repo.hooks() / "pre-commit", "echo first\n");
  repo.plan({"hooks", "install"});
  repo.script(repo.hooks() / "pre-commit", "echo second\n");
  auto now = repo.listing(repo.hooks());
  const ProcessResult again = repo.plan({"hooks", "install"});
  EXPECT_EQ(again.exit_status, 1);
  EXPECT_THAT(again.err, HasSubstr("is not ours, and what was there before ours is still kept as"));
  EXPECT_EQ(repo.listing(repo.hooks()), now);
  const ProcessResult result = repo.plan({"hooks", "uninstall"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.err, HasSubstr("is not ours any more"));
  const auto left = repo.listing(repo.hooks());
  EXPECT_EQ(left.size(), 2u);
  EXPECT_EQ(left.at("pre-commit"), now.at("pre-commit"));
  EXPECT_EQ(left.at("pre-commit.before-git-plan"), now.at("pre-commit.before-git-plan"));
}

TEST(HooksInstall, WithoutTheProgramNothingFails) {
  const HookRepo repo;
  for (const auto& [name, text] : repo.listing(repo.hooks())) {
    std::string changed = text.substr(text.find(' ') + 1);
    repo.write(".git/hooks/" + name,
               changed.replace(changed.find("program='"), 10, "program='/nowhere"));
  }
  RunOptions bare;
  bare.env["PATH"] = "/usr/bin:/bin";
  repo.write("src/a.txt", "2\n");
  const auto committed = repo.say_git({"commit", "-qam", "Change"}, bare);
  EXPECT_EQ(committed.status, 0);
  EXPECT_EQ(committed.ours,
            "git-plan is not found: what this commit means for plans is not looked at\n");
  const auto moved = repo.say_git({"checkout", "-q", "HEAD~1"}, bare);
  EXPECT_EQ(moved.status, 0);
  EXPECT_EQ(moved.all, "");
}

TEST(HooksInstall, UsageIsSaid) {
  const HookRepo repo(false);
  EXPECT_EQ(repo.plan({"hooks", "start"}).exit_status, 129);
  EXPECT_EQ(repo.plan({"hooks", "status", "--chain"}).exit_status, 129);
  EXPECT_EQ(repo.plan({"hooks", "status", "pre-commit"}).exit_status, 129);
  EXPECT_EQ(repo.plan({"hooks", "run"}).exit_status, 129);
}

}  // namespace
}  // namespace gitplan::test
