// The parts of views that need no repository: tables, live lines, words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git-plan/view/event_lines.h"
#include "git-plan/view/live_lines.h"
#include "git-plan/view/run_lines.h"
#include "git-plan/view/table.h"
#include "git-plan/view/words.h"

namespace gitplan::test {
namespace {

TEST(Table, AlignsAndLeavesEmptyColumnsOut) {
  Output out;
  Table table({"task", "wave", "why"});
  table.row({{"parser"}, {}, {"ready"}});
  table.row({{"größe"}, {}, {"waits\tfor \x1b[31mred"}});
  EXPECT_EQ(table.render(out, 1),
            " task    why\n"
            " parser  ready\n"
            " größe   waits for red\n");
  EXPECT_EQ(Table({"a", "b"}).render(out), "");
}

TEST(LiveLines, CutByColumnsNotByColourSequences) {
  EXPECT_EQ(styled_width("\x1b[1mbold\x1b[m x"), 6);
  EXPECT_EQ(cut_styled("plain", 5), "plain");
  EXPECT_EQ(styled_width(cut_styled("\x1b[1mlong words\x1b[m here", 8)), 8);
  EXPECT_TRUE(cut_styled("\x1b[1mlong words\x1b[m here", 8).ends_with("\x1b[m"));
}

TEST(Words, PlacesOfMergesReadAsInTheManual) {
  const AutoMerge merge{"src/a.cc", {{"parser", {{45, 62}}}, {"lexer", {{120, 135}, {140, 140}}}}};
  EXPECT_EQ(auto_merge_text(merge), "src/a.cc: lines 45-62 (parser), 120-135, 140 (lexer)");
  EXPECT_EQ(counted(1, "task"), "1 task");
  EXPECT_EQ(counted(2, "task"), "2 tasks");
  EXPECT_EQ(size_text(2100), "2.1 KB");
  EXPECT_EQ(first_line("changed lines:\nsrc/a"), "changed lines");
  EXPECT_EQ(moment(0, 1000), "00:00:00");
  EXPECT_EQ(moment(0, 200'000'000), "1970-01-01 00:00:00");
}

std::string told(EventBody body) {
  Event event;
  event.time = 5000;
  event.body = std::move(body);
  std::string text;
  for (const EventLine& line : event_lines(event, Ledger())) text += line.text + "\n";
  return text;
}

TEST(EventLines, SayWhatAPipeWantsToKnow) {
  EXPECT_EQ(told(WaveMerged{"r", 2, "t", {"a", "b"}, {"c"}, {{"x", {{"a", {{1, 1}}}}}}}),
            "wave 2: auto-merged x: lines 1 (a)\n"
            "wave 2: merged 2 tasks\n"
            "wave 2: c left out, the changes overlap\n");
  EXPECT_EQ(told(WaveVerified{"r", 2, false, false, "make test"}),
            "wave 2: verify failed: make test\n");
  EXPECT_EQ(told(Landed{"r", "refs/heads/main", "0123456789"}), "landed on main: 0123456\n");
  EXPECT_EQ(told(Remark{"a", "left a merge\x1b[2J half done"}), "a: left a merge half done\n");
  EXPECT_EQ(told(SnapshotTaken{}), "");
}

TEST(Estimate, GoesByWhatTasksTook) {
  Plan plan;
  plan.orchestration.emplace();
  for (const char* name : {"a", "b", "c", "d"}) {
    plan.orchestration->tasks.emplace_back();
    plan.orchestration->tasks.back().name = name;
  }
  Ledger ledger;
  EXPECT_EQ(estimate(plan, ledger, 0), std::nullopt);
  gitplan::Run run;
  run.jobs = 2;
  ledger.runs.push_back(run);
  Attempt done;
  done.started = 0;
  done.ended = 10'000;
  done.outcome = "finished";
  ledger.tasks["a"] = {.status = TaskStatus::kCompleted, .attempts = {done}};
  Attempt running;
  running.started = 10'000;
  ledger.tasks["b"] = {.status = TaskStatus::kRunning, .attempts = {running}};
  // Three times ten seconds, less the four that b has run, by two at once.
  EXPECT_EQ(estimate(plan, ledger, 14'000), 13'000);
}

}  // namespace
}  // namespace gitplan::test
