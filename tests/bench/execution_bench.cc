// Five thousand tasks that do nothing, against ninja with the same graph.
#include <chrono>
#include <string>
#include <thread>

#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

// Scopes that do not meet: such tasks may run beside each other in one working tree.
std::string plan_of(int tasks) {
  std::string text =
      "---\ntitle: many\norchestration:\n  default_mode: forked\n  isolation: optimistic\n"
      "  max_forks: 2\n  tasks:\n";
  for (int i = 0; i < tasks; ++i) {
    const std::string n = std::to_string(i);
    text += "    - {name: t" + n + ", run: 'true', files: [f" + n + "]}\n";
  }
  return text + "---\nNothing.\n";
}

std::string ninja_of(int tasks) {
  std::string text = "rule run\n  command = sh -c true\n";
  for (int i = 0; i < tasks; ++i) text += "build t" + std::to_string(i) + ": run\n";
  return text;
}

}  // namespace

void bench_execution() {
  constexpr int kTasks = 5000, kRounds = 3;
  test::TempRepo repo;
  for (int i = 0; i < 50; ++i) repo.write("f" + std::to_string(i), "f\n");
  repo.commit("start");
  repo.write(repo.root() / "ninja" / "build.ninja", ninja_of(kTasks));
  const auto environment = repo.environment();
  test::RunOptions with_plan;
  with_plan.stdin_text = plan_of(kTasks);
  std::this_thread::sleep_for(std::chrono::seconds(3));  // a tree as nobody has just made it
  std::vector<double> ours, yardstick;
  for (int round = 0; round < kRounds; ++round) {
    const std::string id = "many" + std::to_string(round);
    repo.plan({"create", "-F", "-", "--naming", id}, with_plan);
    ours.push_back(milliseconds([&] {
      spawn({std::string(GITPLAN_PROGRAM_DIR) + "/git-plan", "execute", id}, repo.path(),
            environment);
    }));
    yardstick.push_back(milliseconds([&] {
      spawn({"ninja", "-j2"}, repo.root() / "ninja", environment);
    }));
  }
  print_row({"5,000 tasks that run true, optimistic, two at once", "ninja -j2", 2}, median(ours),
            median(yardstick));
}

}  // namespace gitplan::bench
