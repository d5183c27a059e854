// list and status: few plans, and ten thousand.
#include <string>

#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

const std::string kPlan =
    "---\ntitle: Plan\norchestration:\n  default_mode: forked\n  tasks:\n"
    "    - {name: a, run: 'true'}\n    - {name: b, run: 'true', depends_on: [a]}\n---\n# "
    "Plan\n\nBody.\n";

void create(const test::TempRepo& repo, int count) {
  for (int i = 0; i < count; ++i) {
    test::RunOptions options;
    options.stdin_text = kPlan;
    const auto result =
        repo.plan({"create", "-F", "-", "--title", "Plan number " + std::to_string(i)}, options);
    if (result.exit_status != 0) std::abort();
  }
}

}  // namespace

void bench_listing() {
  const std::string program = std::string(GITPLAN_PROGRAM_DIR) + "/git-plan";
  {
    test::TempRepo repo;
    repo.write("a.txt", "a\n");
    repo.commit("First");
    create(repo, 10);
    const auto environment = repo.environment();
    const std::string where = repo.path();
    const auto refs = [&] { spawn({"git", "for-each-ref"}, where, environment); };
    compare(
        {"list, 10 plans", "git for-each-ref", 3}, 30,
        [&] {
          spawn({program, "list"}, where, environment);
        },
        refs);
    compare(
        {"status, 10 plans", "git for-each-ref", 3}, 30,
        [&] {
          spawn({program, "status"}, where, environment);
        },
        refs);
    const std::string first =
        repo.git({"for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", "refs/plans"});
    compare(
        {"status of one plan, 10 plans", "git for-each-ref", 3}, 30,
        [&] {
          spawn({program, "status", first}, where, environment);
        },
        refs);
  }
  {
    test::TempRepo repo;
    repo.write("a.txt", "a\n");
    repo.commit("First");
    create(repo, 1);
    const std::string ref = repo.git({"for-each-ref", "--format=%(refname)", "refs/plans"});
    const std::string tree = repo.git({"rev-parse", ref + "^{tree}"});
    const std::string message = repo.git({"log", "-1", "--format=%B", ref});
    // The same tree and message under ten thousand names: listing reads nothing else.
    std::string stream;
    for (int i = 0; i < 10000; ++i) {
      const std::string text = message + "\n";
      stream += "commit refs/plans/plan-" + std::to_string(10000 + i) + "\ncommitter A <a@b.c> " +
                std::to_string(1700000000 + i) + " +0000\ndata " + std::to_string(text.size()) +
                "\n" + text + "M 040000 " + tree + " \n\n";
    }
    test::RunOptions options;
    options.stdin_text = stream;
    options.timeout = std::chrono::minutes(5);
    repo.git({"-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"}, options);
    repo.git({"pack-refs", "--all"});
    const auto environment = repo.environment();
    compare(
        {"list, 10,000 plans, packed refs",
         "git for-each-ref --format='%(refname) %(contents)' refs/plans", 1},
        11,
        [&] {
          spawn({program, "list"}, repo.path(), environment);
        },
        [&] {
          spawn({"git", "for-each-ref", "--format=%(refname) %(contents)", "refs/plans"},
                repo.path(), environment);
        });
  }
}

}  // namespace gitplan::bench
