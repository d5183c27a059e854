// What an agent that prints JSON says about its own work: its result, whether it came to an end,
// and what it used.
//
// The executor reads an attempt's log with it when the attempt has ended, and asks ended() while it
// runs: some agents hang after their last word. Nothing of the log is stored but what is here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/agent/preset.h"

namespace gitplan {

struct AgentReport {
  bool ended = false;       // its end event came
  std::string failure;      // what the end event, or an error after which nothing came, says
  std::string result;       // its last answer, for people
  std::string session;      // by which it can be resumed
  std::int64_t tokens = 0;  // input and output together
  std::optional<double> cost_usd;
};

// `log`: lines of whatever it printed; lines that are no JSON object are passed over, and of those
// cut at 1 MiB. A text dialect gives an empty report.
AgentReport read_report(Dialect dialect, std::string_view log);

}  // namespace gitplan
