// A made-up world in which the engine runs: virtual clock, scripted agents, a toy git, crashes.
//
// Everything follows from the seed. The world keeps what a machine would keep when the executor is
// killed (journal, processes, commits, refs) and forgets what an executor holds in memory. Effects
// are carried out with the same "make sure that" rule as the real executor's: they look first.
#pragma once

#include <cstdint>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/engine/begin.h"
#include "core/engine/engine.h"

namespace gitplan::simulation {

struct Settings {
  int tasks = 12;
  double edges = 0.2;     // chance of a dependency on each earlier task
  double failures = 0;    // chance that an attempt fails, at most twice a task
  double transients = 0;  // chance that it fails for a reason that passes, at most once a task
  double timeouts = 0;    // chance that it runs out of time, at most once a task
  double overlaps = 0;    // chance that a task changes the line that others change too
  double refusals = 0;    // chance that a hook, verify or the user is in the way, at most once each
  double crashes = 0;     // chance of a crash at each point where one can happen
  int crash_at = -1;      // one crash, at exactly the n-th point where one can happen
  double interrupts = 0;  // chance of Ctrl+C at each step
  double gates = 0;       // chance that a person is asked before a task, or after it
  double locks = 0;       // chance that a task needs one of two locks
  double limits = 0;      // chance that an agent meets a limit that ends at a known time
  double in_place = 0;    // chance that a task works in the user's own working tree
  bool eager = false;
  bool waits = false;  // for another plan, which takes its time and fails once
  bool stale = false;  // some tasks name files that are not there any more
  bool near = false;   // another plan is at work on the same files
  double hands = 0;    // chance that somebody takes a task by hand at each step
  double user = 0;     // chance that the user commits to the target at each step
  int jobs = 3;
  int slots = 3;
  std::string land = "end";
};

Plan random_plan(std::uint64_t seed, const Settings& settings);

class World {
 public:
  World(std::uint64_t seed, const Settings& settings, Plan plan);

  // Executes until the plan is completed, answering decisions and going on after every stop, as a
  // patient user does. Returns false (see fault()) when an invariant breaks or it does not come to
  // an end.
  bool run_to_completion();

  const std::string& fault() const { return fault_; }
  const Ledger& ledger() const { return ledger_; }
  std::string final_tree() const;  // what the target holds: sorted task names and whose line won
  int crashes() const { return crash_count_; }
  int crash_points() const { return crash_points_; }
  int runs() const { return run_count_; }
  int taken() const { return taken_count_; }  // by hand
  const std::vector<Event>& journal() const { return journal_; }

 private:
  struct Process {
    bool forked = false, started = false, exited = false, collected = false;
    Millis ends = 0;
    int exit_code = 0;
    std::string stopped_by, failure;
    std::string commit, base;
    bool by_hand = false;
  };
  struct ToyCommit {
    std::set<std::string> tasks;  // whose change is in it
    std::string hot;              // whose version of the contended line
    std::vector<std::string> parents;
    std::string wave_key;  // of wave commits
  };
  struct Answer {
    Millis at;
    std::uint64_t order;
    InputBody body;
    bool operator>(const Answer& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  struct Crash {};

  void execute_once(bool resume);
  void drive(Engine& engine, Step step);
  void commit_events(Engine& engine, std::vector<EventBody> bodies);
  Event append(EventBody body);
  void check(const Event& event);
  void check_working_tree(const AttemptStarted& started);
  void carry_out(const Effect& effect);
  void answer(Millis delay, InputBody body);
  void maybe_crash();
  bool chance(double probability);
  void resolve_decisions();
  void maybe_disturb(Engine& engine);
  void hands_at_work(Engine* engine);
  void take_by_hand();
  void go_on_by_hand(const std::string& task, const Attempt& attempt);
  void left_alone(const std::string& task, const std::string& attempt);
  void fail(std::string why);
  bool is_ancestor(const std::string& ancestor, const std::string& of) const;
  std::string new_commit(ToyCommit commit);

  void effect(const Fork& e);
  void fork_in_place(const Fork& e);
  void effect(const Start& e);
  void effect(const Stop& e);
  void effect(const Collect& e);
  void effect(const Integrate& e);
  void effect(const Commit& e);
  void effect(const Verify& e);
  void effect(const Advance& e);
  void effect(const Land& e);
  void effect(const Release& e);
  void effect(const Watch& e);
  void effect(const Flush&) {}
  void effect(const Ask&) {}
  void effect(const Wait& e);

  std::mt19937_64 random_;
  Settings settings_;
  Plan plan_;
  TaskGraph graph_;
  std::string actor_ = "a1b2c3d4e5f6";

  // What survives a crash.
  std::vector<Event> journal_;
  Ledger ledger_;
  Millis now_ = 1000000;
  std::map<std::string, Process> processes_;  // by task/attempt
  std::map<std::string, ToyCommit> commits_;
  std::map<std::string, std::string> wave_commits_;  // by run/wave/base/tree
  std::set<std::string> kept_;                       // commits in the keep-alive chain
  std::string integration_, target_;
  std::string by_other_;  // what the plan that was waited for landed, before anything was done here
  std::map<std::string, int> looked_at_other_;  // by plan
  std::map<std::string, int> limited_;
  std::map<std::string, int> failed_, timed_out_, passed_by_;
  std::set<std::string> refused_;  // things that were in the way once
  std::set<std::string> hot_tasks_;
  std::set<std::string> released_;

  // What does not.
  std::priority_queue<Answer, std::vector<Answer>, std::greater<>> answers_;
  std::uint64_t order_ = 0;

  std::string fault_;
  bool crashing_ = true;
  int crash_count_ = 0, crash_points_ = 0, run_count_ = 0, run_number_ = 0, commit_count_ = 0,
      taken_count_ = 0, steps_ = 0;
};

}  // namespace gitplan::simulation
