#include "core/journal/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gitplan {
namespace {

// A finding as one line of text: what the tables below compare.
std::string shown(const Finding& f) {
  std::string text = f.reading + " " + f.item_id + " " + (f.status.empty() ? "-" : f.status) + " " +
                     f.confidence + (f.outcome_risk ? " risk" : "");
  for (const auto& path : f.produced) text += " +" + path;
  for (const auto& d : f.dep_discoveries) {
    text += " (" + d.item_id + " " + d.type + " " + d.on + " " + d.confidence;
    for (const auto& resource : d.target_resources) text += " @" + resource;
    text += (d.notes.empty() ? "" : " '" + d.notes + "'") + ")";
  }
  return text + (f.prose_notes.empty() ? "" : " # " + f.prose_notes);
}

std::string reading(const std::string& line) {
  const auto findings = parse_findings(line, "own");
  return findings.size() == 1 ? shown(findings[0]) : std::to_string(findings.size()) + " findings";
}

TEST(Findings, AValidLineIsTakenAsItIs) {
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed"})"), "valid t completed high");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"no_change","confidence":"low"})"),
            "valid t no_change low");
  EXPECT_EQ(
      reading(
          R"({"item_id":"t","status":"partial","produced":["a","b"],"outcome_risk":true,)"
          R"("dep_discoveries":[{"item_id":"u","type":"needs","on":"v","notes":"n","confidence":"high"},)"
          R"({"type":"resource","target_resources":["db"]}],"prose_notes":"half","confidence":"low"})"),
      "valid t partial low risk +a +b (u needs v high 'n') (t resource  low @db) # half");
  // null is a missing key, unknown keys are passed over.
  EXPECT_EQ(reading(R"({"item_id":"t","status":"failed","produced":null,"on":null,"mood":{}})"),
            "valid t failed high");
}

TEST(Findings, ARepairableLineIsNormalisedWithLowConfidence) {
  EXPECT_EQ(reading(R"({"item_id":"t","status":"Completed"})"), "repaired t completed low");
  EXPECT_EQ(reading(R"({"item_id":"t","status":" no change "})"), "repaired t no_change low");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"NO-CHANGE","confidence":"high"})"),
            "repaired t no_change low");
  EXPECT_EQ(reading(R"({"item_id":12,"status":"completed"})"), "repaired 12 completed low");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed","produced":"a.cc"})"),
            "repaired t completed low +a.cc");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed","produced":["a",3]})"),
            "repaired t completed low +a");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed","produced":{"a":1}})"),
            "repaired t completed low");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed","confidence":"medium"})"),
            "repaired t completed low");
  EXPECT_EQ(reading(R"({"item_id":"t","status":"completed","prose_notes":["a","b"]})"),
            "repaired t completed low # a\nb");
}

TEST(Findings, WhatDoesNotClearlySayNoIsARisk) {
  const auto risk = [](const std::string& value) {
    return reading(R"({"item_id":"t","status":"completed","outcome_risk":)" + value + "}");
  };
  EXPECT_EQ(risk("false"), "valid t completed high");
  EXPECT_EQ(risk("null"), "valid t completed high");
  EXPECT_EQ(risk("true"), "valid t completed high risk");
  for (const char* no : {"\"No\"", "\"false\"", "\"none\"", "\"\"", "0"})
    EXPECT_EQ(risk(no), "repaired t completed low");
  for (const char* yes : {"\"yes\"", "\"maybe\"", "1", "{}", "[]"})
    EXPECT_EQ(risk(yes), "repaired t completed low risk");
}

TEST(Findings, DiscoveriesWithoutAUsableTypeAreNotes) {
  const auto discoveries = [](const std::string& value) {
    return reading(R"({"item_id":"t","status":"completed","dep_discoveries":)" + value + "}");
  };
  EXPECT_EQ(discoveries(R"([{"type":"new_item","notes":"n"},{"type":"drop_dependency","on":"x"}])"),
            "valid t completed high (t new_item  high 'n') (t drop_dependency x high)");
  EXPECT_EQ(discoveries(R"([{"type":"note","notes":"n"}])"),
            "valid t completed high (t note  high 'n')");
  EXPECT_EQ(discoveries(R"([{"type":"Needs","on":"x"}])"),
            "repaired t completed low (t needs x low)");
  EXPECT_EQ(discoveries(R"([{"type":"wants","on":"x"}])"),
            "repaired t completed low (t note x low)");
  EXPECT_EQ(discoveries(R"([{"type":"needs"}])"), "repaired t completed low (t note  low)");
  EXPECT_EQ(discoveries(R"([{"type":"resource"}])"), "repaired t completed low (t note  low)");
  EXPECT_EQ(discoveries(R"({"type":"needs","on":"x"})"),
            "repaired t completed low (t needs x low)");
  EXPECT_EQ(discoveries(R"(["see the log",7])"),
            "repaired t completed low (t note  low 'see the log')");
  EXPECT_EQ(discoveries("7"), "repaired t completed low");
}

TEST(Findings, ALineThatCannotBeReadIsRejectedAndARisk) {
  const auto rejected = [](const std::string& why, const std::string& item = "own") {
    return "rejected " + item + " - low risk # " + why;
  };
  EXPECT_EQ(reading("done!"), rejected("line 1 is not valid JSON at byte 1"));
  EXPECT_EQ(reading("{\"item_id\":\"t\""), rejected("line 1 is not valid JSON at byte 15"));
  EXPECT_EQ(reading("{\"item_id\":\"\xff\"}"), rejected("line 1 is not valid JSON at byte 13"));
  EXPECT_EQ(reading(std::string("{\0}", 3)), rejected("line 1 is not valid JSON at byte 2"));
  EXPECT_EQ(reading("[1]"), rejected("line 1 is not a JSON object"));
  EXPECT_EQ(reading("{}"), rejected("line 1 has no item_id"));
  EXPECT_EQ(reading(R"({"status":"completed"})"), rejected("line 1 has no item_id"));
  EXPECT_EQ(reading(R"({"item_id":"  ","status":"completed"})"), rejected("line 1 has no item_id"));
  EXPECT_EQ(reading(R"({"item_id":"t"})"), rejected("line 1 has no status", "t"));
  const std::string none =
      "line 1 has a status that is none of completed, partial, failed, no_change";
  EXPECT_EQ(reading(R"({"item_id":"t","status":"great"})"), rejected(none, "t"));
  EXPECT_EQ(reading(R"({"item_id":"t","status":true})"), rejected(none, "t"));
  EXPECT_EQ(reading(R"({"x":1e999})"), rejected("line 1 holds a number that is out of range"));
  EXPECT_EQ(reading(std::string(100000, '[')), rejected("line 1 is longer than 65536 bytes"));
  EXPECT_EQ(reading(std::string(17, '[')), rejected("line 1 nests deeper than 16 levels"));
}

TEST(Findings, BlankLinesAreNoFindings) {
  EXPECT_EQ(reading(""), "0 findings");
  EXPECT_EQ(reading("\n \t\r\n\n"), "0 findings");
  const auto findings =
      parse_findings("\n{\"item_id\":\"a\",\"status\":\"completed\"}\r\n\n  oops\n", "own");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(shown(findings[0]), "valid a completed high");
  EXPECT_EQ(shown(findings[1]), "rejected own - low risk # line 4 is not valid JSON at byte 1");
}

TEST(Findings, WhatIsTooMuchIsCounted) {
  std::string text;
  for (int i = 0; i < 1003; ++i) text += "{\"item_id\":\"t\",\"status\":\"completed\"}\n\n";
  auto findings = parse_findings(text, "own");
  ASSERT_EQ(findings.size(), kMaxFindings + 1);
  EXPECT_EQ(shown(findings[kMaxFindings - 1]), "valid t completed high");
  EXPECT_EQ(shown(findings.back()),
            "rejected own - low risk # 3 more lines were not read: an attempt may leave 1000 lines "
            "and 1048576 bytes of findings");

  text.clear();
  const std::string notes(60000, 'n');
  for (int i = 0; i < 20; ++i)
    text += R"({"item_id":"t","status":"completed","prose_notes":")" + notes + "\"}\n";
  findings = parse_findings(text, "own");
  ASSERT_EQ(findings.size(), 18u);
  EXPECT_EQ(findings[16].reading, "valid");
  EXPECT_THAT(findings[17].prose_notes, testing::StartsWith("3 more lines were not read"));
}

}  // namespace
}  // namespace gitplan
