#include "core/agent/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gitplan {
namespace {

TEST(Report, OfClaude) {
  const auto report = read_report(Dialect::kClaude,
                                  R"({"type":"system","subtype":"init","session_id":"s1"}
{"type":"assistant","message":{"content":[{"type":"text","text":"Working"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Did it.","session_id":"s1",)"
                                  R"("total_cost_usd":0.25,"usage":{"input_tokens":10,)"
                                  R"("cache_read_input_tokens":100,"output_tokens":5}}
)");
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.failure, "");
  EXPECT_EQ(report.result, "Did it.");
  EXPECT_EQ(report.session, "s1");
  EXPECT_EQ(report.tokens, 115);
  EXPECT_EQ(report.cost_usd, 0.25);
}

TEST(Report, OfClaudeThatFailed) {
  const auto told =
      read_report(Dialect::kClaude,
                  R"({"type":"result","subtype":"success","is_error":true,"result":"API Error"})");
  EXPECT_TRUE(told.ended);
  EXPECT_EQ(told.failure, "API Error");
  const auto turns =
      read_report(Dialect::kClaude, R"({"type":"result","subtype":"error_max_turns"})");
  EXPECT_EQ(turns.failure, "error_max_turns");
}

TEST(Report, OfCodex) {
  const auto report = read_report(Dialect::kCodex, R"({"type":"thread.started","thread_id":"t7"}
{"type":"turn.started"}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"type":"reasoning","text":"Hm"}}
{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":7,"cached_input_tokens":3,"output_tokens":2}}
)");
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.failure, "") << "an error that it got over is none";
  EXPECT_EQ(report.result, "Done.");
  EXPECT_EQ(report.session, "t7");
  EXPECT_EQ(report.tokens, 9);
  EXPECT_EQ(report.cost_usd, std::nullopt);
}

TEST(Report, OfCodexThatFailedOrWasCutOff) {
  const auto failed =
      read_report(Dialect::kCodex,
                  R"({"type":"turn.failed","error":{"message":"You've hit your usage limit"}})");
  EXPECT_TRUE(failed.ended);
  EXPECT_EQ(failed.failure, "You've hit your usage limit");
  const auto cut = read_report(Dialect::kCodex,
                               R"({"type":"turn.completed"}
{"type":"turn.started"}
{"type":"error","message":"stream disconnected"}
)");
  EXPECT_FALSE(cut.ended) << "the second turn has no end";
  EXPECT_EQ(cut.failure, "stream disconnected");
}

TEST(Report, OfGemini) {
  const auto report = read_report(Dialect::kGemini, R"({"type":"init","session_id":"g1","model":"m"}
{"type":"message","role":"user","content":"Do it"}
{"type":"message","role":"assistant","content":"First ","delta":true}
{"type":"message","role":"assistant","content":"words","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":42}}
)");
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.result, "First words");
  EXPECT_EQ(report.session, "g1");
  EXPECT_EQ(report.tokens, 42);
  EXPECT_EQ(read_report(Dialect::kGemini,
                        R"({"type":"result","status":"error","error":{"message":"No quota"}})")
                .failure,
            "No quota");
}

TEST(Report, OfOpencode) {
  const auto report =
      read_report(Dialect::kOpencode, R"({"type":"step_start","sessionID":"o1","part":{}}
{"type":"step_finish","sessionID":"o1","part":{"reason":"tool-calls","cost":0.5,"tokens":{"input":1,"output":2}}}
{"type":"step_start","sessionID":"o1","part":{}}
{"type":"text","sessionID":"o1","part":{"text":"Finished."}}
{"type":"step_finish","sessionID":"o1","part":{"reason":"stop","cost":0.25,"tokens":{"input":3,"output":4,"reasoning":5}}}
)");
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.result, "Finished.");
  EXPECT_EQ(report.session, "o1");
  EXPECT_EQ(report.tokens, 15);
  EXPECT_EQ(report.cost_usd, 0.75);
  const auto failed = read_report(
      Dialect::kOpencode,
      R"({"type":"error","error":{"name":"ProviderAuthError","data":{"message":"no key"}}})");
  EXPECT_TRUE(failed.ended);
  EXPECT_EQ(failed.failure, "no key");
}

TEST(Report, OfOpencodeThatCallsATool) {
  EXPECT_FALSE(
      read_report(Dialect::kOpencode, R"({"type":"step_finish","part":{"reason":"tool-calls"}})")
          .ended);
}

TEST(Report, OfWhatIsNoReport) {
  const std::string nested(100000, '[');
  for (const Dialect dialect :
       {Dialect::kText, Dialect::kClaude, Dialect::kCodex, Dialect::kGemini, Dialect::kOpencode})
    for (const std::string& log :
         {std::string(), std::string("plain\nwords\n"), std::string("{\"type\":\n"),
          std::string("[1]\n\"result\"\nnull\n"), std::string("{\"type\":{\"a\":1}}\n"),
          std::string("{\"type\":\"result\xff\"}\n"), "{\"type\":" + nested,
          std::string("{\"type\":\"result\",\"usage\":7,\"total_cost_usd\":\"x\",\"stats\":[]}"),
          std::string("{\"type\":\"step_finish\",\"part\":null}")}) {
      const auto report = read_report(dialect, log);
      EXPECT_EQ(report.result, "");
      EXPECT_EQ(report.tokens, 0);
      EXPECT_EQ(report.cost_usd, std::nullopt);
    }
}

TEST(Report, OfALogWhoseFirstLineIsCutOff) {
  EXPECT_TRUE(read_report(Dialect::kClaude,
                          "sult\":\"x\"}\n  {\"type\":\"result\",\"result\":\"ok\"}\r\nbye\n")
                  .ended);
}

TEST(Presets, AreInOrderAndWhole) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) {
    names.push_back(preset.name);
    EXPECT_TRUE(preset.command.starts_with(preset.program)) << preset.name;
    EXPECT_TRUE(preset.interactive.starts_with(preset.program)) << preset.name;
    EXPECT_EQ(preset.end_event, preset.dialect != Dialect::kText) << preset.name;
    EXPECT_EQ(find_preset(preset.name), &preset);
  }
  EXPECT_THAT(names, testing::ElementsAre("aider", "claude", "codex", "gemini", "opencode"));
  EXPECT_EQ(find_preset("run"), nullptr);
}

}  // namespace
}  // namespace gitplan
