// What happened, one line an event: how `execute` reports into a pipe, and above its live lines.
#pragma once

#include <string>
#include <vector>

#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "git-plan/terminal/output.h"

namespace gitplan {

struct EventLine {
  std::string text;  // printable
  Style style = Style::kPlain;
};

// `ledger` already contains the event. Events that tell a reader nothing new give no line.
std::vector<EventLine> event_lines(const Event& event, const Ledger& ledger);

}  // namespace gitplan
