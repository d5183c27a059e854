// A new fork against `git worktree add`, integrating twenty branches against twenty merges.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "refs/fork/forks.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"
#include "refs/wave/foretell.h"
#include "refs/wave/integrate.h"
#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

// `files` files in folders of a hundred, in one commit.
std::string fill(const test::TempRepo& repo, int files) {
  std::string stream =
      "commit refs/heads/main\ncommitter A <a@b.c> 1700000000 +0000\ndata 5\nFirst\n";
  for (int i = 0; i < files; ++i) {
    std::string text;
    for (int line = 0; line < 20; ++line)
      text += "file " + std::to_string(i) + " line " + std::to_string(line) + "\n";
    stream += "M 100644 inline d" + std::to_string(i / 100) + "/f" + std::to_string(i) +
              ".txt\ndata " + std::to_string(text.size()) + "\n" + text + "\n";
  }
  test::RunOptions options;
  options.stdin_text = stream;
  options.timeout = std::chrono::minutes(5);
  repo.git({"-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"}, options);
  repo.git({"reset", "-q", "--hard", "main"}, options);
  return repo.git({"rev-parse", "main"});
}

template <typename T>
T must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
  std::abort();
}

ForkSpec fork_number(const Repository& repository, const std::string& base, int number) {
  ForkSpec spec;
  spec.plan = spec.identity = "bench";
  spec.task = "t" + std::to_string(number);
  spec.attempt = "0123456789ab.1";
  spec.base = base;
  spec.branch = "refs/heads/plan/bench/" + spec.task;
  spec.attempt_dir =
      repository.local_dir() + "/plans/bench/attempts/" + spec.task + "/" + spec.attempt;
  std::filesystem::create_directories(spec.attempt_dir);
  return spec;
}

}  // namespace

void bench_forks() {
  constexpr int kFiles = 20000, kRounds = 7, kChanged = 50;
  test::TempRepo repo;
  const std::string base = fill(repo, kFiles);
  const Repository first = must(Repository::open_at(repo.path()));
  const Settings settings = must(Settings::read(first));
  Repository repository = must(Repository::open_at(repo.path()));
  Forks forks(repository, settings, "0123456789ab");
  const auto environment = repo.environment();
  int number = 0;
  const auto git_adds = [&] {
    const std::string name = "w" + std::to_string(++number);
    spawn({"git", "worktree", "add", "-q", "-b", name, (repo.root() / name).string(), base},
          repo.path(), environment);
  };
  compare(
      {"a new fork, 20,000 files", "git worktree add", 1.1}, kRounds,
      [&] { must(forks.ensure(fork_number(repository, base, ++number))); }, git_adds);

  // Each task changes some files, and its worktree is the next one's.
  ForkSpec over = fork_number(repository, base, ++number);
  must(forks.ensure(over));
  std::vector<double> reused, added;
  for (int round = 0; round < kRounds; ++round) {
    const std::string tree = *forks.tree_of(over);
    for (int i = 0; i < kChanged; ++i)
      repo.write(std::filesystem::path(tree) / ("d" + std::to_string(i)) / "f.txt", over.task);
    must(forks.collect(over, "Work"));
    const ForkSpec next = fork_number(repository, base, ++number);
    std::string path;
    reused.push_back(milliseconds([&] { path = must(forks.ensure(next, over)); }));
    if (path != tree) std::abort();
    added.push_back(milliseconds(git_adds));
    over = next;
  }
  print_row({"a reused fork, 20,000 files", "git worktree add", 0.3}, median(reused),
            median(added));
}

namespace {

constexpr int kBranches = 20;

// Each branch changes fifty files, some of them in common with its neighbour, on other lines.
std::vector<std::string> make_branches(const test::TempRepo& repo, const std::string& base) {
  std::vector<std::string> tips;
  for (int branch = 0; branch < kBranches; ++branch) {
    std::string stream = "commit refs/heads/b" + std::to_string(branch) +
                         "\ncommitter A <a@b.c> 1700000001 +0000\ndata 6\nChange\nfrom " + base +
                         "\n";
    for (int i = 0; i < 50; ++i) {
      const int file = branch * 40 + i;
      std::string text;
      const int changed = branch % 2 == 0 ? 2 : 17;
      for (int line = 0; line < 20; ++line)
        text += "file " + std::to_string(file) + " line " + std::to_string(line) +
                (line == changed ? " changed by " + std::to_string(branch) : "") + "\n";
      stream += "M 100644 inline d" + std::to_string(file / 100) + "/f" + std::to_string(file) +
                ".txt\ndata " + std::to_string(text.size()) + "\n" + text + "\n";
    }
    test::RunOptions options;
    options.stdin_text = stream;
    repo.git({"fast-import", "--quiet"}, options);
    tips.push_back(repo.git({"rev-parse", "b" + std::to_string(branch)}));
  }
  return tips;
}

}  // namespace

void bench_integration() {
  test::TempRepo repo;
  const std::string base = fill(repo, 20000);
  const std::vector<std::string> tips = make_branches(repo, base);
  const auto environment = repo.environment();
  const std::string tree = repo.root() / "integration";
  repo.git({"worktree", "add", "-q", "--detach", tree, base});
  auto repository = Repository::open_at(repo.path());
  if (!repository.ok()) std::abort();
  Integrate effect;
  effect.wave = 1;
  effect.base = base;
  for (int branch = 0; branch < kBranches; ++branch)
    effect.parts.push_back({"t" + std::to_string(branch), base, tips[branch], {}});
  const auto merges = [&] {
    repo.git({"reset", "-q", "--hard", base});
    for (const auto& tip : tips)
      spawn({"git", "merge", "-q", "--no-edit", tip}, repo.path(), environment);
  };
  compare(
      {"integration of 20 branches, 20,000 files", "20 x git merge", 0.2}, 5,
      [&] {
        auto merged = integrate(*repository, effect, tree);
        if (!merged.ok() || merged->tasks.size() != kBranches) std::abort();
      },
      merges);

  // One more, on the lines of every other branch: ten of the thirty pairs that meet conflict.
  std::vector<GrowingBranch> growing;
  for (int branch = 0; branch < kBranches; ++branch)
    growing.push_back({"t" + std::to_string(branch), base, tips[branch]});
  std::string stream =
      "commit refs/heads/all\ncommitter A <a@b.c> 1700000001 +0000\ndata 6\n"
      "Change\nfrom " +
      base + "\n";
  for (int branch = 0; branch < kBranches; ++branch) {
    const int file = branch * 40 + 20;  // which no neighbour changes
    std::string text;
    for (int line = 0; line < 20; ++line)
      text += "file " + std::to_string(file) + " line " + std::to_string(line) +
              (line == 2 ? " changed by all" : "") + "\n";
    stream += "M 100644 inline d" + std::to_string(file / 100) + "/f" + std::to_string(file) +
              ".txt\ndata " + std::to_string(text.size()) + "\n" + text + "\n";
  }
  test::RunOptions options;
  options.stdin_text = stream;
  repo.git({"fast-import", "--quiet"}, options);
  growing.front() = {"all", base, repo.git({"rev-parse", "all"})};
  const std::string directory = repo.root() / "foretell";
  compare(
      {"conflicts foretold among 20 branches", "20 x git merge", 0.2}, 5,
      [&] {
        auto found = foretell(*repository, growing, directory);
        if (!found.ok() || found->size() != kBranches / 2 - 1) std::abort();
      },
      merges);
}

}  // namespace gitplan::bench
