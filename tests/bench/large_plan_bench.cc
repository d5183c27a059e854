// why and status on a plan of 10,000 tasks, against reading its ledger.json once.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "refs/git/repository.h"
#include "refs/store/store.h"
#include "tests/bench/ratio.h"
#include "tests/support/temp_repo.h"

namespace gitplan::bench {
namespace {

std::string large_plan(int tasks) {
  std::string text = "---\ntitle: Large\norchestration:\n  default_mode: forked\n  tasks:\n";
  for (int i = 0; i < tasks; ++i) {
    text += "    - name: t" + std::to_string(i) + "\n      description: Task number " +
            std::to_string(i) + "\n      run: 'true'\n";
    if (i >= 10)
      text +=
          "      depends_on: [t" + std::to_string(i - 10) + ", t" + std::to_string(i - 7) + "]\n";
  }
  return text + "---\n# Large\n\nBody.\n";
}

// Half of the tasks done, in waves of ten.
std::vector<EventBody> half_done(int tasks, const std::string& commit) {
  std::vector<EventBody> bodies;
  RunStarted run;
  run.run = "r1";
  run.target = "refs/heads/main";
  run.base = run.target_tip = commit;
  bodies.push_back(run);
  for (int first = 0, wave = 1; first < tasks / 2; first += 10, ++wave) {
    std::vector<std::string> names;
    for (int i = first; i < first + 10; ++i) {
      const std::string name = "t" + std::to_string(i);
      names.push_back(name);
      AttemptStarted started;
      started.run = "r1";
      started.task = name;
      started.attempt = "x.1";
      started.agent = "run";
      started.base = commit;
      started.branch = "refs/heads/plan/large/" + name;
      bodies.push_back(started);
      AttemptEnded ended;
      ended.run = "r1";
      ended.task = name;
      ended.attempt = "x.1";
      ended.outcome = "finished";
      ended.commit = commit;
      ended.paths = {"src/file" + std::to_string(i) + ".cc"};
      bodies.push_back(ended);
    }
    bodies.push_back(WaveStarted{"r1", wave, commit, names});
    bodies.push_back(WaveMerged{"r1", wave, "", names, {}, {}});
    bodies.push_back(WaveCompleted{"r1", wave, "", names, "clean", ""});
  }
  bodies.push_back(RunEnded{"r1", "paused", "for the bench"});
  return bodies;
}

}  // namespace

void bench_large_plan() {
  const std::string program = std::string(GITPLAN_PROGRAM_DIR) + "/git-plan";
  constexpr int kTasks = 10000;
  test::TempRepo repo;
  repo.write("a.txt", "a\n");
  const std::string commit = repo.commit("First");
  test::RunOptions options;
  options.stdin_text = large_plan(kTasks);
  options.timeout = std::chrono::minutes(5);
  if (repo.plan({"create", "-F", "-", "--naming", "large"}, options).exit_status != 0) std::abort();
  auto repository = Repository::open_at(repo.path());
  if (!repository.ok()) std::abort();
  auto store = Store::open(*repository);
  if (!store.ok()) std::abort();
  const auto changed = store->change("large", [&](const PlanView&) -> Result<Store::Change> {
    Store::Change change;
    change.bodies = half_done(kTasks, commit);
    return change;
  });
  if (!changed.ok()) {
    std::fprintf(stderr, "bench: %s\n", changed.error().message.c_str());
    std::abort();
  }
  const auto ledger = store->file("large", "ledger.json");
  if (!ledger.ok() || !ledger->has_value()) std::abort();
  const std::string text = **ledger;
  const auto environment = repo.environment();
  const auto parse = [&] {
    const auto json = nlohmann::json::parse(text);
    if (json.empty()) std::abort();
  };
  compare(
      {"status <plan>, 10,000 tasks", "parsing its ledger.json once", 1.5}, 9,
      [&] {
        spawn({program, "status", "large"}, repo.path(), environment);
      },
      parse);
  compare(
      {"why <plan> <task>, 10,000 tasks", "parsing its ledger.json once", 1.5}, 9,
      [&] {
        spawn({program, "why", "large", "t9000"}, repo.path(), environment);
      },
      parse);
}

}  // namespace gitplan::bench
