// Events to ledger: pure and total. An event that does not fit is kept as a misfit, without effect.
//
// The store folds a whole journal, or goes on from a ledger that it folded before. Writers ask
// misfit() first and refuse what does not fit their view. Consequences of a decision are part of
// the fold (core/ledger/resolution.h), so that an answer takes effect in the moment it is recorded.
#pragma once

#include <string>
#include <vector>

#include "core/journal/event.h"
#include "core/ledger/ledger.h"

namespace gitplan {

// The transition table: why this event does not fit the ledger; empty: it fits.
std::string misfit(const Ledger& ledger, const EventBody& body);

// Takes one event. Events come in the order of before() (event_codec.h).
void apply(Ledger& ledger, const Event& event);

// Sorts and takes them all.
Ledger fold(std::vector<Event> events);

}  // namespace gitplan
