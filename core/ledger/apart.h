// What two clones that worked apart make of one plan, once their journals are one.
//
// fold.cc asks these. Each writer's own view refuses what does not fit (misfit()), so an event that
// does not fit here, though its writer was careful, was written by somebody who had not heard of
// the other's: it is work, and work is never lost.
#pragma once

#include "core/journal/event.h"
#include "core/ledger/ledger.h"

namespace gitplan {

// It changes the definition or what became of a task. A deletion loses to work that it had not
// seen.
bool is_work(const EventBody& body);

// A deletion with all that it knows of.
PlanStateSet deletion_of(const Ledger& ledger);

// Work by somebody who had not heard that the plan was deleted, a run by one who had not heard that
// it was archived: it is back.
void bring_back(Ledger& ledger, const Event& event);

// An event that misfit() would refuse its writer has its effect all the same: a run on a plan, an
// attempt or a wave of a task that another clone was done with first.
bool worked_apart(const Ledger& ledger, const Event& event);

// A task whose wave is completed though another clone had completed it with another commit: the
// question which of them counts, put by the fold itself, so that every clone has the same.
DecisionAsked ask_which_counts(const Ledger& ledger, const Event& event, const std::string& task);

// "keep:<attempt>" of it.
void take_attempt_of(Ledger& ledger, const std::string& task, std::string_view attempt);

// Until when a task that another clone has is left alone: its lease, or the end of its time; what
// is finished there waits for its wave an hour at most.
Millis held_until(const TaskRecord& task);

}  // namespace gitplan
