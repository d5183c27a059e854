// What the engine wants done. Every effect says "make sure that", never "do once":
//
// after a crash the same effect comes again, and whoever carries it out first looks (probes)
// whether it is done, not done or half done, then finishes it and answers. So a killed executor
// needs no other way back.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/timestamp.h"
#include "core/ledger/ledger.h"
#include "core/plan/definition.h"

namespace gitplan {

// What tasks of earlier waves did: a wave's commit names its tasks, not who changed what.
struct TaskWork {
  std::string base, commit;
  std::vector<std::string> paths;
  bool in_place = false;  // in the user's own working tree, where its files still are
};
using WorkOfTasks = std::map<std::string, TaskWork>;

// A slot and a tree for the attempt; without a branch: the user's own working tree, as it is.
// Answers: ForkReady, ForkFailed, SlotRefused
struct Fork {
  std::string task, attempt, base, branch;
  // In the working tree, while a wave is being made on the run's base: found again where it has
  // begun, SlotRefused where it has not.
  bool only_if_begun = false;
};
struct Start {  // its process under the shim. Answer: ProcessEnded (also when it ended while nobody
                // looked)
  std::string task, attempt;
  int minutes = 0;
};
struct Stop {  // end its process. Answer: ProcessEnded, also where it had ended before or was never
               // started
  std::string task, attempt, why;  // cancel, abort
};
struct Collect {  // commit what it left, keep it alive, prove it done. Answer: Collected
  std::string task, attempt;
  int exit_code = 0;
  // "lease": worked on by hand, and its time is over. Nothing is proved then; the answer has no
  // outcome where somebody else takes it in at the moment.
  std::string stopped_by;
};
struct Integrate {  // merge the branches onto base, in order. Answer: Merged
  int wave = 0;
  std::string base;
  struct Part {
    std::string task, base, commit;
    MergeChoice choice;
  };
  std::vector<Part> parts;
  WorkOfTasks done;
};
struct Commit {  // `git commit` of the merged tree. Answers: Committed, CommitRefused
  int wave = 0;
  std::string base, tree;
  std::string subject;  // further lines: the body
  std::string message;  // whole, replaces subject and body; trailers are added to either
  std::string run;
  std::vector<std::string> tasks;
  bool no_hooks = false, unsigned_commit = false;
};
struct Verify {  // the plan's verify commands on exactly that commit. Answer: Verified
  int wave = 0;
  std::string commit;
};
// The integration branch, by compare-and-swap; made where it is not there, since the new commit
// holds all that it held. Answers: Advanced, AdvanceRefused
struct Advance {
  int wave = 0;
  std::string from, to;
  // The wave before, where the branch still stands if `from` is what a task found in the working
  // tree: the user's commits on top of it. Empty: there is none.
  std::string last;
};
struct Land {  // Answers: LandDone, LandWaits, LandConflict, LandRefused
  std::string branch, commit;
  LandAnswers answers;
  WorkOfTasks done;
  // Of the merge commit, where one is needed.
  std::string message;  // whole, replaces subject and body; trailers are added to either
  bool no_hooks = false, unsigned_commit = false;
};
struct Release {  // the attempt's tree and branch are not needed any more; its work is kept alive.
                  // No answer
  std::string task, attempt;
};
struct Watch {  // how far the plan of waits_for is; without a plan: the wait is over, where does
                // the work stand now. Answer: OtherPlan
  WaitsFor plan;
};
struct Flush {};  // the journal into git: at a wave, a decision, the end. No answer
struct Ask {      // on a terminal: show it and take the answer. Answer: AskDone, after the event
  std::string decision;
};
struct Wait {  // wake the engine then. Answer: TimerFired
  Millis until = 0;
};

using Effect = std::variant<Fork, Start, Stop, Collect, Integrate, Commit, Verify, Advance, Land,
                            Release, Watch, Flush, Ask, Wait>;

}  // namespace gitplan
