// Hooks: one with nothing to do, one with much to say, and a rebase and a fetch with all of them.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

std::string name(const char* folder, int file) {
  return std::string(folder) + "/f" + std::to_string(file) + ".c";
}

void create(const test::TempRepo& repo, int plan, int references, int files) {
  std::string text = "---\ntitle: plan " + std::to_string(plan) + "\n---\n# Plan\n\n";
  for (int i = 0; i < references; ++i)
    text += "See `" + name("src", (plan * references + i) % files) + "`.\n";
  test::RunOptions options;
  options.stdin_text = text;
  if (repo.plan({"create", "-F", "-"}, options).exit_status != 0) std::abort();
}

std::string empty_hook(const test::TempRepo& repo) {
  const std::filesystem::path file = repo.root() / "empty-hook";
  std::ofstream(file) << "#!/bin/sh\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

// The hook as git would call it, against one of sh in which nothing stands.
void bench_one(const char* what, double reach_ms, int plans) {
  constexpr int kFiles = 1000, kReferences = 20;
  test::TempRepo repo;
  for (int i = 0; i < kFiles; ++i) repo.write(name("src", i), "file " + std::to_string(i) + "\n");
  const std::string before = repo.commit("Before");
  for (int plan = 0; plan < plans; ++plan) create(repo, plan, kReferences, kFiles);
  repo.git({"mv", "src", "lib"});
  const std::string after = repo.commit("After");
  repo.plan({"hooks", "install"});
  const auto environment = repo.environment();
  const std::string hook = repo.path() / ".git/hooks/post-checkout", empty = empty_hook(repo);
  compare_more(
      {what, "an empty hook of sh", reach_ms}, 30,
      [&] {
        spawn({hook, before, after, "1"}, repo.path(), environment);
      },
      [&] {
        spawn({empty, before, after, "1"}, repo.path(), environment);
      });
}

void bench_rebase_and_fetch() {
  constexpr int kCommits = 200, kTags = 1000, kPlans = 5;
  test::TempRepo repo;
  for (int i = 0; i < 100; ++i) repo.write(name("src", i), "file\n");
  const std::string start = repo.commit("Start");
  for (int plan = 0; plan < kPlans; ++plan) create(repo, plan, 20, 100);
  repo.git({"checkout", "-q", "-b", "side"});
  for (int i = 0; i < kCommits; ++i) {
    repo.write("side.txt", std::to_string(i) + "\n");
    repo.commit("Side " + std::to_string(i));
  }
  repo.git({"checkout", "-q", "main"});
  repo.write("main.txt", "main\n");
  repo.commit("Main");
  repo.git({"clone", "-q", "--bare", ".", "../far"});
  std::string tags;
  for (int i = 0; i < kTags; ++i)
    tags += "create refs/tags/t" + std::to_string(i) + " " + start + "\n";
  test::RunOptions options;
  options.stdin_text = tags;
  repo.git({"--git-dir=../far", "update-ref", "--stdin"}, options);
  repo.git({"remote", "add", "origin", "../far"});

  const auto environment = repo.environment();
  const auto rebase = [&] {
    spawn({"git", "rebase", "-q", "main", "side^0"}, repo.path(), environment);
  };
  const auto fetch = [&] {
    spawn({"sh", "-c", "git tag -l 't*' | xargs -r git tag -d && git fetch -q --tags origin"},
          repo.path(), environment);
  };
  const auto with_hooks = [&](const auto& work) {
    return [&repo, &work] {
      repo.plan({"hooks", "install"});
      const double taken = milliseconds(work);
      repo.plan({"hooks", "uninstall"});
      return taken;
    };
  };
  const auto both = [&](const char* what, const auto& work) {
    std::vector<double> ours, yardstick;
    for (int round = 0; round < 5; ++round) {
      ours.push_back(with_hooks(work)());
      yardstick.push_back(milliseconds(work));
    }
    print_row({what, "the same without hooks", 1.05}, median(ours), median(yardstick));
  };
  both("rebase of 200 commits, all hooks", rebase);
  both("fetch of 1,000 tags, all hooks", fetch);
}

}  // namespace

void bench_hooks() {
  bench_one("post-checkout where no plan is", 5, 0);
  bench_one("post-checkout, 50 plans of 20 references, 1,000 files move", 15, 50);
  bench_rebase_and_fetch();
}

}  // namespace gitplan::bench
