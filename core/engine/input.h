// What the world tells the engine. Each answer belongs to one effect (effect.h).
//
// The executor makes these from processes, git and timers; the simulation makes them up.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/timestamp.h"
#include "core/journal/event.h"

namespace gitplan {

struct ForkReady {
  std::string task, attempt;
  std::string base = {};  // in the working tree: the commit that it stands at
};
struct ForkFailed {
  std::string task, attempt, failure, error;
};  // failure: fork, setup
struct SlotRefused {
  std::string task, attempt;
};                     // all slots of the clone are taken
struct ProcessEnded {  // of a Start
  std::string task, attempt;
  int exit_code = 0;       // 128 + signal
  std::string stopped_by;  // "", wall, idle, cancel, abort
  std::string error;       // could not be started at all
};
struct Collected {
  AttemptEnded ended;
  Millis until = 0;  // of a transient failure: when its agent may be tried again; 0: not told
  // In the working tree: paths that it changed and that cannot be told apart from the user's own
  // changes. They are not in ended.commit; `with_mixed` is the commit that has them too.
  std::vector<Conflict> mixed = {};
  std::string with_mixed = {};
};               // of a Collect: all fields but run; outcome finished, failed or lost
struct Merged {  // of an Integrate
  int wave = 0;
  std::string tree;                // empty: nothing changed against the base
  std::string error;               // git itself failed
  std::vector<std::string> tasks;  // merged, declaration order
  struct Overlap {
    std::string task;
    std::vector<Conflict> conflicts;
  };
  std::vector<Overlap> overlaps;  // dropped, each with what it met
  std::vector<AutoMerge> auto_merged;
};
struct Committed {
  int wave = 0;
  std::string commit;
};  // of a Commit
struct CommitRefused {
  int wave = 0;
  std::string by, output;
};                 // by: hook, signer, timeout, git
struct Verified {  // of a Verify
  int wave = 0;
  bool passed = false;
  std::string command, output;
  bool stopped = false;  // by a person: it says nothing
};
struct Advanced {
  int wave = 0;
};  // of an Advance
struct AdvanceRefused {
  int wave = 0;
  std::string found;        // the tip that is there; empty: none
  std::string checked_out;  // the worktree that stands on the branch, if that is why
};
struct LandDone {
  std::string branch, commit;
};  // of a Land
struct LandWaits {
  std::string branch, reason;
};                     // try again later
struct LandConflict {  // with commits or edits of the user
  std::string branch;
  bool dirty = false;  // edits: nothing committed
  std::vector<Conflict> conflicts;
};
struct LandRefused {
  std::string branch, reason, output;
  bool gone = false;
  std::string by;  // hook, signer, timeout, git: who refused its merge commit; empty: not that
};
struct OtherPlan {  // of a Watch; of one without a plan only `base` counts
  enum class State { kDone, kPending, kFailed, kGone };
  State state = State::kPending;
  std::string why;        // a clause: "its task 'cleanup' is running"
  std::string plan = {};  // as the Watch named it
  std::string base = {};  // where a run that started now would start; empty: not known
};
struct AskDone {
  std::string decision;
};                         // of an Ask: shown; an answer has come as an event
struct JournalChanged {};  // events of other processes have been applied
struct JournalFailed {
  std::string error;
};
struct TimerFired {};
struct InterruptPressed {
  int times = 1;
};

using InputBody = std::variant<ForkReady, ForkFailed, SlotRefused, ProcessEnded, Collected, Merged,
                               Committed, CommitRefused, Verified, Advanced, AdvanceRefused,
                               LandDone, LandWaits, LandConflict, LandRefused, OtherPlan, AskDone,
                               JournalChanged, JournalFailed, TimerFired, InterruptPressed>;

struct Input {
  Millis now = 0;
  std::uint64_t random = 0;
  InputBody body;
};

}  // namespace gitplan
