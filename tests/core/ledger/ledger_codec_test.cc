#include "core/ledger/ledger_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "core/journal/event_codec.h"
#include "core/ledger/fold.h"
#include "tests/core/journal/random_fields.h"

namespace gitplan {
namespace {

using testing_fields::field_count;
using testing_fields::kKnownTypes;
using testing_fields::member_count;
using testing_fields::random_body;
using testing_fields::RandomFields;

std::string fault(std::string_view text) {
  const auto ledger = ledger_from_json(text);
  return ledger ? "" : ledger.error().message;
}

TEST(LedgerCodec, EveryMemberIsStored) {
  EXPECT_EQ(field_count<Attempt>(), member_count<Attempt>());
  EXPECT_EQ(field_count<MergeChoice>(), member_count<MergeChoice>());
  EXPECT_EQ(field_count<TaskRecord>(), member_count<TaskRecord>());
  EXPECT_EQ(field_count<Wave>(), member_count<Wave>());
  EXPECT_EQ(field_count<gitplan::Run>(), member_count<gitplan::Run>());
  EXPECT_EQ(field_count<Decision>(), member_count<Decision>());
  EXPECT_EQ(field_count<ActorRecord>(), member_count<ActorRecord>());
  EXPECT_EQ(field_count<Misfit>(), member_count<Misfit>());
  EXPECT_EQ(field_count<Ledger>() + 1, member_count<Ledger>());  // but `self`: it is no fact
}

TEST(LedgerCodec, AnyLedgerComesBackAsItWas) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomFields random(seed);
    const Ledger ledger = random.make<Ledger>();
    const std::string text = ledger_to_json(ledger);
    SCOPED_TRACE(text);
    const auto read = ledger_from_json(text);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(ledger_to_json(*read), text);
    for (const auto& [name, task] : ledger.tasks) {
      EXPECT_EQ(read->task(name).status, task.status);
      EXPECT_EQ(read->task(name).merge.has_value(), task.merge.has_value());
      EXPECT_EQ(read->task(name).attempts.size(), task.attempts.size());
    }
  }
}

// Events that speak about the same few runs, tasks and decisions, so that many of them fit.
class LikelyEvents : public RandomFields {
 public:
  explicit LikelyEvents(unsigned seed) : RandomFields(seed) { small_waves_ = true; }

  // One that fits, or after many tries one that does not.
  EventBody next(const Ledger& ledger) {
    for (int left = 300;; --left) {
      EventBody body = random_body(*this, below(kKnownTypes));
      if (left == 0 || below(50) == 0 || misfit(ledger, body).empty()) return body;
    }
  }

 protected:
  std::string text(std::string_view key) override {
    static const std::map<std::string_view, std::vector<std::string>> kWords{
        {"run", {"r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"}},
        {"commit", {"c1", "c2", "c3"}},
        {"from", {"c1", "c2", "c3"}},
        {"to", {"c1", "c2", "c3"}},
        {"task", {"a", "b", "c"}},
        {"tasks", {"a", "b", "c"}},
        {"attempt", {"x.1", "x.2", "x.3", "x.4"}},
        {"decision", {"d1", "d2", "d3", "d4", "d5", "d6"}},
        {"kind",
         {"failed", "merge_conflict", "commit_refused", "verify_failed", "branch_moved",
          "approval_gate", "checkpoint", "budget", "other_plan"}},
        {"key",
         {"retry", "skip", "keep:a", "hand", "accept", "message", "leave", "longer", "drop:b",
          "approve", "reject", "more", "run"}},
        {"option",
         {"retry", "skip", "keep:a", "hand", "accept", "message", "leave", "longer", "drop:b",
          "approve", "reject", "more", "run"}},
        {"disabled", {""}},
        {"outcome",
         {"finished", "failed", "timed_out", "cancelled", "completed", "paused", "aborted"}},
        {"status", {"pending", "skipped"}},
        {"what", {"pause", "cancel", "abort"}},
        {"state", {"draft", "active", "archived", "deleted"}},
    };
    const auto words = kWords.find(key);
    if (words == kWords.end()) return RandomFields::text(key);
    return words->second[below(words->second.size())];
  }
};

TEST(LedgerCodec, AReadLedgerFoldsOnAsTheOriginal) {
  std::set<std::string> types;  // that had an effect
  for (unsigned seed = 0; seed < 160; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LikelyEvents random(seed);
    Ledger folded, resumed;
    for (int step = 0; step < 120; ++step) {
      const std::string actor = random.below(3) == 0 ? "bbbbbbbbbbbb" : "aaaaaaaaaaaa";
      const auto known = folded.actors.find(actor);
      const std::string last_id = known == folded.actors.end() ? "" : known->second.last_id;
      EventBody body = step == 0 ? EventBody(PlanCreated{"p", "P", "d0", ""}) : random.next(folded);
      const Event event = stamp(std::move(body), actor, last_id, folded.clock + 1, 1000 + step);
      const std::size_t misfits = folded.misfits.size();
      apply(folded, event);
      if (folded.misfits.size() == misfits) types.insert(std::string(type_of(event.body)));
      apply(resumed, event);
      if (random.below(10) != 0) continue;
      const std::string text = ledger_to_json(resumed);
      ASSERT_EQ(text, ledger_to_json(folded));
      auto read = ledger_from_json(text);
      ASSERT_TRUE(read.ok()) << read.error().message;
      resumed = std::move(read).value();
    }
    ASSERT_EQ(ledger_to_json(resumed), ledger_to_json(folded));
  }
  EXPECT_EQ(types.size(), kKnownTypes);
}

TEST(LedgerCodec, WritesAnEntryALineAndLeavesDefaultsOut) {
  Ledger ledger;
  ledger.plan = "p";
  ledger.heads = {"d0"};
  ledger.tasks["a"].status = TaskStatus::kCompleted;
  ledger.tasks["b \"q\""].minutes = 5;
  EXPECT_EQ(ledger_to_json(ledger),
            "{\"format\":1,\n"
            "\"note\":\"folded from the journal; changes made here have no effect\",\n"
            "\"plan\":\"p\",\n"
            "\"state\":\"active\",\n"
            "\"heads\":[\n\"d0\"\n],\n"
            "\"tasks\":{\n"
            "\"a\":{\"status\":\"completed\"},\n"
            "\"b \\\"q\\\"\":{\"status\":\"pending\",\"minutes\":5}\n"
            "},\n"
            "\"snapshot\":{}\n"
            "}\n");
}

TEST(LedgerCodec, AnEmptyMergeChoiceIsNotNone) {
  Ledger ledger;
  ledger.tasks["a"].merge.emplace();
  const auto read = ledger_from_json(ledger_to_json(ledger));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->task("a").merge.has_value());
}

TEST(LedgerCodec, ReadingIsTotalButForShape) {
  const auto read = ledger_from_json(
      R"({"format":1,"state":"dancing","clock":-4,"heads":["a",5],"tasks":{"t":{"status":"odd",)"
      R"("attempts":[7,{"id":"x","minutes":"many"}],"merge":3},"u":[]},"comet":{},"created":1e9})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->state, PlanState::kActive);
  EXPECT_EQ(read->clock, 0u);
  EXPECT_EQ(read->created, 0);
  EXPECT_THAT(read->heads, testing::ElementsAre("a"));
  EXPECT_THAT(read->tasks, testing::SizeIs(1));
  EXPECT_EQ(read->task("t").status, TaskStatus::kPending);
  EXPECT_FALSE(read->task("t").merge.has_value());
  ASSERT_THAT(read->task("t").attempts, testing::SizeIs(1));
  EXPECT_EQ(read->task("t").attempts[0].id, "x");
  EXPECT_EQ(read->task("t").attempts[0].minutes, 0);
}

TEST(LedgerCodec, SaysWhatIsWrong) {
  EXPECT_EQ(fault(R"({"format":1})"), "");
  EXPECT_EQ(fault(""), "the ledger is not valid JSON at byte 1");
  EXPECT_EQ(fault(R"({"format":1,"plan":"p)"), "the ledger is not valid JSON at byte 22");
  EXPECT_EQ(fault("{\"format\":1,\"plan\":\"\xff\"}"), "the ledger is not valid JSON at byte 21");
  EXPECT_EQ(fault("[]"), "the ledger is not a JSON object");
  EXPECT_EQ(fault("{}"), "the ledger has no format");
  EXPECT_EQ(fault(R"({"format":"1"})"), "the ledger has no format");
  EXPECT_EQ(fault(R"({"format":2})"), "the ledger has format 2, this version reads 1");
  EXPECT_EQ(fault(R"({"format":1,"clock":1e999})"),
            "the ledger holds a number that is out of range");
  EXPECT_EQ(fault(std::string(1000000, '[')), "the ledger nests deeper than 64 levels");
  EXPECT_EQ(ledger_from_json("{}").error().hint, "it can be folded again from the journal");
}

TEST(LedgerCodec, TheExampleOfTheFormatDocumentIsWhatIsWritten) {
  std::ifstream document(std::string(GITPLAN_SOURCE_DIR) + "/core/ledger/FORMAT.md");
  std::string example, line;
  while (std::getline(document, line) && line != "```json") continue;
  while (std::getline(document, line) && line != "```") example += line + "\n";
  const auto read = ledger_from_json(example);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(ledger_to_json(*read), example);
}

TEST(LedgerNames, AreThoseOnDisk) {
  std::string states, statuses, phases;
  for (int i = 0; i < 13; ++i) {
    const auto state = static_cast<PlanState>(i);
    EXPECT_EQ(plan_state(name(state)), state);
    states += std::string(name(state)) + " ";
  }
  for (int i = 0; i < 9; ++i) {
    const auto status = static_cast<TaskStatus>(i);
    EXPECT_EQ(task_status(name(status)), status);
    statuses += std::string(name(status)) + " ";
  }
  for (int i = 0; i < 6; ++i) {
    const auto phase = static_cast<WavePhase>(i);
    EXPECT_EQ(wave_phase(name(phase)), phase);
    phases += std::string(name(phase)) + " ";
  }
  EXPECT_EQ(states,
            "draft in_review pending_approval active queued running paused completed failed "
            "aborted conflicted archived deleted ");
  EXPECT_EQ(statuses,
            "pending queued running finished completed failed cancelled timed_out skipped ");
  EXPECT_EQ(phases, "started merged committed verified completed abandoned ");
  EXPECT_EQ(plan_state("Active"), std::nullopt);
  EXPECT_EQ(task_status(""), std::nullopt);
}

TEST(LedgerLookups, FindTheLatest) {
  Ledger ledger;
  EXPECT_EQ(ledger.task("a").status, TaskStatus::kPending);
  EXPECT_EQ(ledger.held_wave(), nullptr);
  EXPECT_EQ(ledger.wave(1), nullptr);
  EXPECT_EQ(ledger.decision("d1"), nullptr);
  ledger.waves.resize(3);
  ledger.waves[0].number = ledger.waves[2].number = 1;
  ledger.waves[0].run = ledger.waves[1].run = "r1";
  ledger.waves[2].run = "r2";
  ledger.waves[1].number = 2;
  ledger.waves[2].phase = WavePhase::kCompleted;
  EXPECT_EQ(ledger.wave(1), &ledger.waves[2]);
  EXPECT_EQ(ledger.wave("r1", 1), &ledger.waves[0]);
  EXPECT_EQ(ledger.wave("r2", 2), nullptr);
  EXPECT_EQ(ledger.held_wave(), &ledger.waves[1]);
  ledger.decisions.resize(2);
  ledger.decisions[0].asked.decision = "d1";
  ledger.decisions[0].asked.task = "a";
  ledger.decisions[1].asked.decision = "d2";
  ledger.decisions[1].asked.task = "b";
  ledger.decisions[1].option = "retry";
  EXPECT_EQ(ledger.decision("d2"), &ledger.decisions[1]);
  EXPECT_TRUE(ledger.has_open_decision("a"));
  EXPECT_FALSE(ledger.has_open_decision("b"));
}

}  // namespace
}  // namespace gitplan
