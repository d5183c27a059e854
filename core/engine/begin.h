// The first events of a run: whether it goes on with one whose executor died, or is a new one.
//
// `execute` calls this while it holds the plan's run lock, appends the events, and makes the
// engine.
#pragma once

#include <string>
#include <vector>

#include "core/journal/event.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

struct RunRequest {
  std::string run;                 // the id a new run gets
  std::string target;              // refs/heads/…; empty: detached HEAD
  std::string target_tip;          // commit ids
  std::string base;                // the integration branch where it exists, else the target's tip
  std::string land;                // end, wave, never
  std::vector<std::string> tasks;  // the subset asked for; empty: all
  int jobs = 0;
  bool resume = false;  // start failed, cancelled and timed-out tasks afresh
};

struct Beginning {
  std::string run;  // of the run that goes on
  std::vector<EventBody> events;
};

// Where a run that starts now would land, with `head` checked out: work that has not landed goes
// where it was meant to go, also when another branch is checked out now.
std::string target_of_next_run(const Ledger& ledger, const std::string& head);

Beginning begin_run(const Plan& plan, const Ledger& ledger, const RunRequest& request);

}  // namespace gitplan
