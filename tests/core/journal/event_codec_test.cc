#include "core/journal/event_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "core/base/sha256.h"
#include "tests/core/journal/random_fields.h"

namespace gitplan {
namespace {

using testing_fields::field_count;
using testing_fields::kKnownTypes;
using testing_fields::member_count;
using testing_fields::random_body;
using testing_fields::RandomFields;

constexpr char kActor[] = "4b1f0c9e2d3a";

std::string fault(std::string_view line) {
  const auto event = from_line(line);
  return event ? "" : event.error().message;
}

// A line that is good but for what `rest` adds or replaces: the last of equal keys counts.
std::string line_with(const std::string& rest) {
  return R"({"id":"0123456789abcdef0123","actor":"4b1f0c9e2d3a","clock":1,"time":2,"type":"remark")" +
         rest + "}";
}

TEST(EventCodec, WritesOneCanonicalLine) {
  AttemptEnded ended;
  ended.run = "4b1f0c9e2d3a.1";
  ended.task = "parser";
  ended.outcome = "finished";
  ended.findings.push_back({.item_id = "parser", .status = "completed"});
  const Event event = stamp(ended, kActor, "", 7, 1772532000000);
  EXPECT_EQ(
      to_line(event),
      R"({"actor":"4b1f0c9e2d3a","clock":7,"findings":[{"item_id":"parser","status":"completed"}],)"
      R"("id":")" +
          event.id +
          R"(","outcome":"finished","run":"4b1f0c9e2d3a.1",)"
          R"("task":"parser","time":1772532000000,"type":"attempt_ended"})");
}

TEST(EventCodec, EveryTypeComesBackAsItWas) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomFields random(seed);
    for (std::size_t type = 0; type < kKnownTypes; ++type) {
      const Event event = stamp(random_body(random, type), kActor, "", seed + 1, seed);
      const std::string line = to_line(event);
      SCOPED_TRACE(line);
      const auto read = from_line(line);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ(read->body.index(), type);
      EXPECT_EQ(read->as_read, "");
      EXPECT_EQ(to_line(*read), line);
      EXPECT_TRUE(id_fits(line, ""));
    }
  }
}

template <std::size_t Type>
void expect_all_members_stored() {
  using Body = std::variant_alternative_t<Type, EventBody>;
  EXPECT_EQ(field_count<Body>(), member_count<Body>()) << type_of(Body{});
  // Defaults are left out: actor, clock, id, time and type stay.
  const std::string line = to_line(stamp(Body{}, kActor, "", 1, 1));
  EXPECT_EQ(std::count(line.begin(), line.end(), ':'), 5) << line;
  if constexpr (Type + 1 < kKnownTypes) expect_all_members_stored<Type + 1>();
}

TEST(EventCodec, EveryMemberIsStoredAndLeftOutAtItsDefault) {
  expect_all_members_stored<0>();
  EXPECT_EQ(field_count<LineRange>(), member_count<LineRange>());
  EXPECT_EQ(field_count<Side>(), member_count<Side>());
  EXPECT_EQ(field_count<AutoMerge>(), member_count<AutoMerge>());
  EXPECT_EQ(field_count<Conflict>(), member_count<Conflict>());
  EXPECT_EQ(field_count<DecisionOption>(), member_count<DecisionOption>());
  EXPECT_EQ(field_count<DepDiscovery>(), member_count<DepDiscovery>());
  EXPECT_EQ(field_count<Finding>(), member_count<Finding>());
}

TEST(EventCodec, IdsAreAChain) {
  const Event first = stamp(Remark{"", "one"}, kActor, "", 1, 1);
  const Event second = stamp(Remark{"", "one"}, kActor, first.id, 1, 1);
  EXPECT_THAT(first.id, testing::MatchesRegex("[0-9a-f]{20}"));
  EXPECT_NE(first.id, second.id);
  EXPECT_TRUE(id_fits(to_line(second), first.id));
  EXPECT_FALSE(id_fits(to_line(second), ""));
  EXPECT_FALSE(id_fits(to_line(second), second.id));
}

TEST(EventCodec, IdIsTheHashOfPreviousIdAndContent) {
  // printf '%s' 'aaaaaaaaaaaaaaaaaaaa{"actor":…,"type":"remark"}' | sha256sum | cut -c1-20
  const Event event = stamp(Remark{"", "hello"}, kActor, "aaaaaaaaaaaaaaaaaaaa", 3, 4);
  EXPECT_EQ(event.id, "4f59d3a12653d4ec14fe");
}

TEST(EventCodec, AnyOtherByteBreaksTheId) {
  const std::string line = to_line(stamp(Remark{"parser", "na\xc3\xafve"}, kActor, "", 12, 34));
  ASSERT_TRUE(id_fits(line, ""));
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (const char other : {' ', '0', 'x', '"', '\t', '\xff'}) {
      std::string bent = line;
      if (bent[at] == other) continue;
      bent[at] = other;
      EXPECT_FALSE(id_fits(bent, "")) << bent;
    }
    std::string longer = line;
    longer.insert(at, " ");
    EXPECT_FALSE(id_fits(longer, "")) << longer;
  }
  EXPECT_FALSE(id_fits(line + " ", ""));
  EXPECT_FALSE(id_fits("", ""));
  EXPECT_FALSE(id_fits("[]", ""));
  EXPECT_FALSE(id_fits(R"({"id":7})", ""));
}

TEST(EventCodec, AnUnknownTypeIsKeptAsItIs) {
  const std::string line =
      R"({"actor":"4b1f0c9e2d3a","clock":1,"id":"0123456789abcdef0123","sky":{"a":[1,2.5]},"time":2,"type":"comet_seen"})";
  const auto event = from_line(line);
  ASSERT_TRUE(event.ok());
  EXPECT_TRUE(std::holds_alternative<UnknownEvent>(event->body));
  EXPECT_EQ(type_of(event->body), "comet_seen");
  EXPECT_EQ(to_line(*event), line);
}

TEST(EventCodec, UnknownKeysAreKeptAndPassedOver) {
  for (const std::string rest : {R"(,"text":"hello","weight":3)", R"(,"text":"hello","task":"")",
                                 R"(,"text":"hello","task":7)", R"(,"text":"hello","task":null)"}) {
    const auto event = from_line(line_with(rest));
    ASSERT_TRUE(event.ok());
    const auto& remark = std::get<Remark>(event->body);
    EXPECT_EQ(remark.text, "hello");
    EXPECT_EQ(remark.task, "");
    const auto again = from_line(to_line(*event));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(to_line(*again), to_line(*event));
    EXPECT_EQ(again->as_read, event->as_read);
    EXPECT_NE(event->as_read, "") << rest;
  }
}

TEST(EventCodec, AnUnknownKeyOfANewerVersionDoesNotBreakTheId) {
  // What a later writer stamps, with a key inside a list that this version passes over.
  const std::string rest =
      R"(,"auto_merged":[{"colour":"red","path":"a"}],"clock":2,"time":3,"type":"wave_merged","wave":1})";
  const std::string without_id = R"({"actor":"4b1f0c9e2d3a")" + rest;
  const std::string id = sha256_hex("aaaaaaaaaaaaaaaaaaaa" + without_id).substr(0, 20);
  std::string line = without_id;
  line.insert(line.find(R"("time")"), R"("id":")" + id + R"(",)");
  ASSERT_TRUE(id_fits(line, "aaaaaaaaaaaaaaaaaaaa"));
  const auto event = from_line(line);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(std::get<WaveMerged>(event->body).auto_merged.at(0).path, "a");
  EXPECT_TRUE(id_fits(to_line(*event), "aaaaaaaaaaaaaaaaaaaa"));
}

TEST(EventCodec, ValuesOfAnotherTypeTakeTheDefault) {
  const auto event = from_line(line_with(
      R"(,"type":"attempt_ended","task":["x"],"exit_code":99999999999,"tokens":-5,"output":"yes",)"
      R"("paths":["a",7,null,"b"],"findings":[{"item_id":"i","confidence":5},"no"],"cost_usd":3,)"
      R"("remarks":"one")"));
  ASSERT_TRUE(event.ok());
  const auto& ended = std::get<AttemptEnded>(event->body);
  EXPECT_EQ(ended.task, "");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.tokens, -5);
  EXPECT_FALSE(ended.output);
  EXPECT_THAT(ended.paths, testing::ElementsAre("a", "b"));
  ASSERT_EQ(ended.findings.size(), 1u);
  EXPECT_EQ(ended.findings[0].confidence, "high");
  EXPECT_EQ(ended.cost_usd, 3);
  EXPECT_THAT(ended.remarks, testing::IsEmpty());
}

TEST(EventCodec, SaysWhatIsWrongWithALine) {
  const std::string no_clock =
      "an event needs \"clock\": a whole number from 0 to 9007199254740992";
  const std::string no_time = "an event needs \"time\": milliseconds from 0 to 253402300799999";
  const std::string no_id = "an event needs \"id\": 20 lower-case hex digits";
  const std::string no_actor = "an event needs \"actor\": 12 lower-case hex digits";
  EXPECT_EQ(fault(line_with("")), "");
  EXPECT_EQ(fault(""), "an event is not valid JSON at byte 1");
  EXPECT_EQ(fault("nonsense"), "an event is not valid JSON at byte 2");
  EXPECT_EQ(fault("{\"id\":"), "an event is not valid JSON at byte 7");
  EXPECT_EQ(fault(line_with("") + "{}"), "an event is not valid JSON at byte 88");
  EXPECT_EQ(fault(line_with(",\"text\":\"\xff\"")), "an event is not valid JSON at byte 96");
  EXPECT_EQ(fault(line_with(std::string(",\"text\":\"\0\"", 11))),
            "an event is not valid JSON at byte 96");
  EXPECT_EQ(fault("[]"), "an event must be a JSON object");
  EXPECT_EQ(fault("null"), "an event must be a JSON object");
  EXPECT_EQ(fault("{}"), no_id);
  EXPECT_EQ(fault(line_with(R"(,"id":"0123456789ABCDEF0123")")), no_id);
  EXPECT_EQ(fault(line_with(R"(,"id":"0123456789abcdef012")")), no_id);
  EXPECT_EQ(fault(line_with(R"(,"actor":"../../passwd")")), no_actor);
  EXPECT_EQ(fault(line_with(R"(,"actor":5)")), no_actor);
  EXPECT_EQ(fault(line_with(R"(,"clock":-1)")), no_clock);
  EXPECT_EQ(fault(line_with(R"(,"clock":1.5)")), no_clock);
  EXPECT_EQ(fault(line_with(R"(,"clock":9007199254740993)")), no_clock);
  EXPECT_EQ(fault(line_with(R"(,"clock":99999999999999999999999)")), no_clock);
  EXPECT_EQ(fault(line_with(R"(,"time":-1)")), no_time);
  EXPECT_EQ(fault(line_with(R"(,"time":253402300800000)")), no_time);
  EXPECT_EQ(fault(line_with(R"(,"time":18446744073709551615)")), no_time);
  EXPECT_EQ(fault(line_with(R"(,"type":"")")), "an event needs \"type\": a word");
  EXPECT_EQ(fault(line_with(R"(,"text":1e999)")), "an event holds a number that is out of range");
}

TEST(EventCodec, BoundsSizeAndDepth) {
  const std::string long_line = line_with(R"(,"text":")" + std::string(5u << 20, 'x') + "\"");
  EXPECT_EQ(fault(long_line), "an event of " + std::to_string(long_line.size()) +
                                  " bytes is longer than the 4194304 that are read");
  EXPECT_FALSE(id_fits(long_line, ""));
  const auto nested = [](std::size_t depth) {
    return line_with(",\"x\":" + std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_EQ(fault(nested(63)), "");
  EXPECT_EQ(fault(nested(64)), "the JSON of an event nests deeper than 64 levels");
  EXPECT_EQ(fault(nested(1000000)), "the JSON of an event nests deeper than 64 levels");
  EXPECT_FALSE(id_fits(nested(1000000), ""));
  // Brackets in texts are no nesting.
  EXPECT_EQ(fault(line_with(R"(,"x":"\"[)" + std::string(1000, '{') + "\"")), "");
}

TEST(EventCodec, BytesThatAreNoUtf8AreReplacedBeforeTheIdIsMade) {
  SnapshotTaken snapshot;
  snapshot.references = {{"caf\xe9", "one"}, {"caf\xe8", "two"}, {"\xf0\x9f", ""}};
  const Event event = stamp(snapshot, kActor, "", 1, 1);
  const std::string line = to_line(event);
  EXPECT_TRUE(id_fits(line, "")) << line;
  const auto read = from_line(line);
  ASSERT_TRUE(read.ok());
  const auto& references = std::get<SnapshotTaken>(read->body).references;
  EXPECT_THAT(references, testing::SizeIs(2));  // two became the same
  EXPECT_EQ(references, std::get<SnapshotTaken>(event.body).references);
}

TEST(EventCodec, ABodyTooLargeForALineIsShortened) {
  AttemptEnded ended;
  ended.task = "vendor";
  ended.paths.assign(100000, "third_party/library/include/" + std::string(40, 'x') + ".h");
  ended.error = std::string(3u << 20, 'e');
  ended.error.insert(0, "\xe2\x82\xac");
  const Event event = stamp(ended, kActor, "", 1, 1);
  const std::string line = to_line(event);
  EXPECT_LE(line.size(), kMaxEventBytes);
  EXPECT_TRUE(id_fits(line, ""));
  const auto& kept = std::get<AttemptEnded>(event.body);
  EXPECT_EQ(kept.task, "vendor");
  EXPECT_THAT(kept.remarks, testing::ElementsAre("left more than its record holds"));
  EXPECT_GT(kept.paths.size(), 10000u);
  EXPECT_EQ(to_line(*from_line(line)), line);
}

TEST(EventCodec, HostileClocksAndTimesAreClampedWhenStamped) {
  const Event event = stamp(Remark{}, kActor, "", ~0ull, -5);
  EXPECT_EQ(event.clock, kMaxClock);
  EXPECT_EQ(event.time, 0);
  EXPECT_TRUE(from_line(to_line(event)).ok());
}

TEST(EventCodec, ASegmentIsItsLinesInOrder) {
  const std::string one = to_line(stamp(Remark{"", "one"}, kActor, "", 1, 1));
  const std::string two = to_line(stamp(Remark{"", "two"}, kActor, "", 1, 1));
  for (const std::string& text : {one + "\n" + two + "\n", one + "\n" + two}) {
    const auto events = parse_segment(text);
    ASSERT_TRUE(events.ok());
    ASSERT_EQ(events->size(), 2u);
    EXPECT_EQ(to_line((*events)[0]), one);
    EXPECT_EQ(to_line((*events)[1]), two);
  }
  EXPECT_THAT(*parse_segment(""), testing::IsEmpty());
  EXPECT_EQ(parse_segment(one + "\n\n" + two).error().message,
            "line 2: an event is not valid JSON at byte 1");
  EXPECT_EQ(parse_segment(one + "\n" + two.substr(0, 30)).error().message,
            "line 2: an event is not valid JSON at byte 31");
  EXPECT_EQ(parse_segment(one + "\n" + two + "\n[]\n").error().message,
            "line 3: an event must be a JSON object");
  EXPECT_EQ(parse_segment("{}").error().code, ErrorCode::kInvalid);
}

TEST(EventCodec, OrderIsClockThenId) {
  const Event a{"a", "", 1, 9, {}, {}}, b{"b", "", 1, 0, {}, {}}, c{"0", "", 2, 0, {}, {}};
  EXPECT_TRUE(before(a, b));
  EXPECT_FALSE(before(b, a));
  EXPECT_TRUE(before(b, c));
  EXPECT_FALSE(before(a, a));
}

TEST(EventCodec, ExamplesOfTheFormatDocumentAreOneChainOfEveryType) {
  std::ifstream document(std::string(GITPLAN_SOURCE_DIR) + "/core/journal/FORMAT.md");
  std::string previous, line;
  std::set<std::string> types;
  while (std::getline(document, line)) {
    if (line.rfind("{\"actor\"", 0) != 0) continue;
    SCOPED_TRACE(line);
    const auto event = from_line(line);
    ASSERT_TRUE(event.ok()) << event.error().message;
    EXPECT_EQ(event->as_read, "");
    EXPECT_EQ(to_line(*event), line);
    EXPECT_TRUE(id_fits(line, previous));
    previous = event->id;
    types.emplace(type_of(event->body));
  }
  EXPECT_EQ(types.size(), kKnownTypes);
}

}  // namespace
}  // namespace gitplan
