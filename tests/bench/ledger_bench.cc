// The ledger and the journal of a plan of 10,000 tasks read and written, against the same JSON
// without our structs.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "core/ledger/ledger_codec.h"
#include "tests/bench/ratio.h"

namespace gitplan::bench {
namespace {

constexpr int kTasks = 10000;
constexpr int kTasksInWave = 100;
constexpr char kActor[] = "4b1f0c9e2d3a";
constexpr char kRun[] = "4b1f0c9e2d3a.1";

// 10,000 tasks, each with one attempt that changed two files, in 100 waves.
std::vector<Event> whole_run() {
  std::vector<Event> journal;
  std::string last_id;
  const auto add = [&](EventBody body) {
    const std::uint64_t clock = journal.size() + 1;
    journal.push_back(stamp(std::move(body), kActor, last_id, clock, 1772532000000 + clock));
    last_id = journal.back().id;
  };
  const std::string commit(40, 'c');
  add(PlanCreated{"2026-03-03-large", "Large", std::string(40, 'd'), ""});
  RunStarted run;
  run.run = kRun;
  run.base = commit;
  add(run);
  for (int first = 0; first < kTasks; first += kTasksInWave) {
    const int number = first / kTasksInWave + 1;
    std::vector<std::string> tasks;
    for (int i = first; i < first + kTasksInWave; ++i) {
      const std::string task = "task-" + std::to_string(i);
      tasks.push_back(task);
      AttemptStarted started;
      started.run = kRun;
      started.task = task;
      started.attempt = "4b1f0c9e2d3a.1";
      started.agent = "claude";
      started.role = "builder";
      started.mode = "forked";
      started.base = commit;
      started.branch = "refs/heads/plan/2026-03-03-large/" + task;
      started.text_hash = "9f86d081884c7d65";
      started.minutes = 30;
      add(started);
      AttemptEnded ended;
      ended.run = kRun;
      ended.task = task;
      ended.attempt = started.attempt;
      ended.outcome = "finished";
      ended.commit = commit;
      ended.paths = {"src/module/" + task + ".cc", "src/module/" + task + ".h"};
      ended.output = true;
      add(ended);
    }
    add(WaveStarted{kRun, number, commit, tasks});
    add(WaveMerged{kRun, number, commit, tasks, {}, {}});
    add(WaveCommitted{kRun, number, commit});
    add(WaveCompleted{kRun, number, commit, tasks, "clean", ""});
  }
  return journal;
}

void must(bool good) {
  if (!good) std::abort();
}

}  // namespace

void bench_ledger_codec() {
  const std::vector<Event> journal = whole_run();
  const Ledger ledger = fold(journal);
  const std::string text = ledger_to_json(ledger);
  const nlohmann::json object = nlohmann::json::parse(text);
  std::string segment;
  for (const Event& event : journal) segment += to_line(event) + "\n";

  const auto parse = [&] { must(!nlohmann::json::parse(text).empty()); };
  compare(
      {"ledger from JSON, 10,000 tasks", "parsing it without our structs"}, 9,
      [&] { must(ledger_from_json(text).ok()); }, parse);
  compare(
      {"ledger to JSON, 10,000 tasks", "printing it without our structs"}, 9,
      [&] { must(ledger_to_json(ledger).size() == text.size()); },
      [&] { must(!object.dump().empty()); });
  compare(
      {"journal from its lines, 20,000 events", "parsing its ledger.json once"}, 9,
      [&] { must(parse_segment(segment).ok()); }, parse);
  compare(
      {"fold, 20,000 events", "parsing its ledger.json once"}, 9,
      [&] { must(fold(journal).misfits.empty()); }, parse);
}

}  // namespace gitplan::bench
