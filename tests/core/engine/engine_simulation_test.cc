// The engine in a made-up world, thousands of times: graphs, failures, overlaps, answers, crashes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/journal/event_codec.h"
#include "tests/core/engine/simulation.h"

namespace gitplan::simulation {
namespace {

constexpr std::uint64_t kParts = 8;  // that run beside each other

// With sanitizers a seed takes ten times as long.
std::uint64_t seeds(std::uint64_t usual, std::uint64_t thorough) {
#ifdef GITPLAN_SANITIZED
  usual /= 4;
#endif
  return std::getenv("GITPLAN_LONG") != nullptr ? thorough : usual;
}

class Simulated : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Simulated, ::testing::Range(std::uint64_t{0}, kParts));

Settings calm(std::uint64_t seed) {
  Settings settings;
  settings.tasks = 5 + static_cast<int>(seed % 61 == 60 ? seed * 31 % 196 : seed * 31 % 30);
  settings.edges = 0.05 + static_cast<double>(seed % 7) * 0.05;
  settings.jobs = 1 + static_cast<int>(seed % 5);
  settings.slots = 1 + static_cast<int>(seed % 4);
  settings.land = seed % 3 == 0 ? "wave" : "end";
  settings.eager = seed % 4 == 1;
  settings.in_place = seed % 3 == 2 ? 0.3 : seed % 11 == 0 ? 1 : 0;
  return settings;
}

TEST_P(Simulated, CompletesEveryGraphUndisturbed) {
  for (std::uint64_t seed = GetParam(); seed < seeds(200, 10000); seed += kParts) {
    const Settings settings = calm(seed);
    World world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(world.run_to_completion()) << "seed " << seed << ": " << world.fault();
    EXPECT_EQ(1, world.runs()) << "seed " << seed;
  }
}

// The final tree does not depend on where the executor is killed.
TEST_P(Simulated, KilledAnywhereItEndsInTheSameTree) {
  int crashes = 0;
  for (std::uint64_t seed = GetParam(); seed < seeds(1000, 30000); seed += kParts) {
    Settings settings = calm(seed);
    World calm_world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(calm_world.run_to_completion()) << "seed " << seed << ": " << calm_world.fault();
    settings.crashes = 0.02 + static_cast<double>(seed % 10) * 0.01;
    World world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(world.run_to_completion()) << "seed " << seed << ": " << world.fault();
    EXPECT_EQ(calm_world.final_tree(), world.final_tree()) << "seed " << seed;
    crashes += world.crashes();
  }
  EXPECT_GT(crashes, 25);
}

TEST_P(Simulated, EverythingAtOnceComesToAGoodEnd) {
  int crashes = 0;
  for (std::uint64_t seed = GetParam(); seed < seeds(1000, 40000); seed += kParts) {
    Settings settings = calm(seed);
    settings.failures = 0.1;
    settings.transients = 0.1;
    settings.timeouts = 0.05;
    settings.overlaps = seed % 2 == 0 ? 0.3 : 0;
    settings.refusals = 0.1;
    settings.crashes = 0.02;
    settings.interrupts = 0.005;
    settings.user = 0.02;
    settings.gates = seed % 3 == 0 ? 0.2 : 0;
    settings.locks = seed % 5 == 0 ? 0.5 : 0;
    settings.limits = seed % 3 == 1 ? 0.3 : 0;
    settings.waits = seed % 7 == 0;
    settings.near = seed % 5 == 0;
    settings.stale = seed % 7 == 0;
    World world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(world.run_to_completion()) << "seed " << seed << ": " << world.fault();
    crashes += world.crashes();
  }
  EXPECT_GT(crashes, 25);
}

Settings by_hand(std::uint64_t seed) {
  Settings settings = calm(seed);
  settings.hands = 0.05 + static_cast<double>(seed % 4) * 0.1;
  settings.failures = seed % 2 == 0 ? 0.1 : 0;
  settings.overlaps = seed % 3 == 0 ? 0.3 : 0;
  settings.crashes = seed % 5 == 0 ? 0 : 0.03;
  settings.interrupts = seed % 4 == 0 ? 0.01 : 0;
  settings.gates = seed % 6 == 0 ? 0.2 : 0;
  settings.locks = seed % 7 == 0 ? 0.5 : 0;
  return settings;
}

// Tasks that are taken by hand meanwhile: done, given up, renewed, or left until the lease is over.
TEST_P(Simulated, WhatIsWorkedOnByHandIsLeftAloneUntilItsLeaseIsOver) {
  int taken = 0, lost = 0, crashes = 0;
  for (std::uint64_t seed = GetParam(); seed < seeds(1000, 20000); seed += kParts) {
    const Settings settings = by_hand(seed);
    World world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(world.run_to_completion()) << "seed " << seed << ": " << world.fault();
    taken += world.taken();
    crashes += world.crashes();
    for (const auto& [name, record] : world.ledger().tasks)
      lost += static_cast<int>(
          std::count_if(record.attempts.begin(), record.attempts.end(),
                        [](const Attempt& a) { return a.by_hand() && a.outcome == "lost"; }));
  }
  EXPECT_GT(taken, 50);
  EXPECT_GT(lost, 10);
  EXPECT_GT(crashes, 25);
}

// Of an eager plan: a task in the working tree was to begin, and a wave came that the tree does not
// show.
TEST(EngineSimulation, WhatWasDoneByHandLandsBeforeATaskThatWaitsForTheWorkingTree) {
  const Settings settings = by_hand(12929);
  World world(12929, settings, random_plan(12929, settings));
  EXPECT_TRUE(world.run_to_completion()) << world.fault();
}

// The engine knows an end before it has come: the run pauses and says whom it leaves at work.
TEST(EngineSimulation, ARunDoesNotWaitForWhatIsWorkedOnByHand) {
  Plan plan = random_plan(1, {.tasks = 1});
  Ledger ledger;
  std::uint64_t clock = 0;
  const auto happens = [&](EventBody body) {
    const Event event = stamp(std::move(body), "a1b2c3d4e5f6", "", ++clock, 1000);
    EXPECT_EQ("", misfit(ledger, event.body));
    apply(ledger, event);
    return event;
  };
  happens(PlanCreated{"sim", "Simulated", "d0", ""});
  AttemptStarted taken;
  taken.task = "t0";
  taken.attempt = "a1b2c3d4e5f6.1";
  taken.lease = 3600000;
  happens(taken);
  RunStarted run;
  run.run = "r1";
  happens(run);
  EngineOptions options;
  options.run = "r1";
  Engine engine(options, plan, ledger, {});
  const Step step = engine.poll(2000, 0);
  ASSERT_EQ(1u, step.events.size());
  const auto* ended = std::get_if<RunEnded>(&step.events[0]);
  ASSERT_NE(nullptr, ended);
  EXPECT_EQ("paused", ended->outcome);
  EXPECT_EQ("'t0' is worked on by hand until 01:00:00", ended->reason);
}

// One crash at each single point of a run, one after the other.
TEST(EngineSimulation, KilledAtEachSinglePointItEndsInTheSameTree) {
  int points = 0;
  for (std::uint64_t seed = 0; seed < seeds(20, 100); ++seed) {
    Settings settings = calm(seed);
    settings.tasks = 6;
    World calm_world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(calm_world.run_to_completion()) << "seed " << seed << ": " << calm_world.fault();
    for (int point = 0; point < calm_world.crash_points(); ++point, ++points) {
      settings.crash_at = point;
      World world(seed, settings, random_plan(seed, settings));
      ASSERT_TRUE(world.run_to_completion())
          << "seed " << seed << ", point " << point << ": " << world.fault();
      EXPECT_EQ(calm_world.final_tree(), world.final_tree())
          << "seed " << seed << ", point " << point;
      EXPECT_EQ(1, world.crashes());
    }
  }
  EXPECT_GT(points, 200);
}

TEST(EngineSimulation, TheJournalFoldsToTheSameLedgerHoweverItIsRead) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Settings settings = calm(seed);
    settings.failures = 0.1;
    settings.overlaps = 0.2;
    World world(seed, settings, random_plan(seed, settings));
    ASSERT_TRUE(world.run_to_completion()) << "seed " << seed << ": " << world.fault();
    std::vector<Event> read_back;
    for (const auto& event : world.journal()) {
      auto parsed = from_line(to_line(event));
      ASSERT_TRUE(parsed.ok());
      read_back.push_back(std::move(*parsed));
    }
    const Ledger folded = fold(read_back);
    EXPECT_EQ(world.ledger().state, folded.state);
    EXPECT_EQ(world.ledger().events, folded.events);
    EXPECT_TRUE(folded.misfits.empty());
    for (const auto& [name, task] : world.ledger().tasks)
      EXPECT_EQ(task.status, folded.task(name).status) << name;
  }
}

}  // namespace
}  // namespace gitplan::simulation
