// One run at work: the engine, and all that carries out its effects. Inside the executor only.
//
// What the engine wants of attempts is in execution_attempts.cc and execution_collect.cc, of waves
// and landing in execution_waves.cc, of decisions in execution_questions.cc, of other plans in
// execution_plans.cc; execution.cc turns the engine. What the engine does not ask for, a look ahead
// at conflicts, is in execution_foretell.cc.
// Everything is called on one thread but the jobs given to Loop::work(), which touch nothing of
// this class but what is made for several threads (repositories_, shell_, tree_memo_,
// open_window_once()).
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/environment.h"
#include "git-plan/executor/executor.h"
#include "git-plan/executor/give_up.h"
#include "git-plan/executor/loop.h"
#include "git-plan/executor/prepare.h"
#include "git-plan/executor/repository_pool.h"
#include "git-plan/executor/run_log.h"
#include "git-plan/executor/shell_run.h"
#include "git-plan/executor/terminal_loan.h"
#include "git-plan/executor/user_tree.h"
#include "git-plan/executor/window.h"
#include "refs/fork/forks.h"
#include "refs/fork/named_locks.h"
#include "refs/fork/slots.h"
#include "refs/wave/foretell.h"
#include "refs/wave/in_place.h"
#include "refs/wave/landing.h"

namespace gitplan {

struct ExecutionSetup {
  std::string plan, identity, plan_dir, text;  // text: of plan.md
  std::string run, actor, shim, integration_branch;
  int jobs = 1, max_forks = 1, default_minutes = 30;
  std::int64_t max_log = 0;
  Millis commit_deadline = 0;
  std::optional<Mode> mode;  // of all tasks
  bool squash = true, enforce_scope = false, interactive = false;
  bool reuse = true;                          // of worktrees
  bool windows = false, inside_tmux = false;  // for each agent, in the session that we are in
  // Also for agents with a command of the user's, which may read the brief on standard input.
  bool windows_for_commands = false;
  std::function<Result<bool>(const PlanView&)> trusted;
  std::vector<PlanOverlap> overlaps;  // of plans at work
  std::vector<StaleReference> stale;
};

class Execution {
 public:
  Execution(Repository& repository, const Settings& settings, Store& store, Observer& observer,
            ExecutionSetup setup, std::unique_ptr<Store::Appender> appender);
  ~Execution();

  // `begun`: the run's first events, appended already. Until the run is over; returns its outcome.
  Result<std::string> drive(Plan plan, Ledger ledger, const std::vector<Event>& begun);
  bool interrupted() const { return interrupts_ > 0; }

 private:
  // An attempt that this process looks after.
  struct Live {
    std::string task, attempt, phase;
    Millis started = 0;
    std::optional<Slot> slot;
    std::optional<NamedLocks> locks;
    pid_t child = 0;       // our own; 0: found alive, or not started
    bool watched = false;  // its end is awaited
    bool lost = false;
    Millis over_since = 0;  // its shim is gone, its log is still being written
    std::string error;      // why it could not be started
    std::optional<TreeSnapshot> before;
    std::string agent;               // that plays it: "run", the task's own, or one of its fallback
    const Preset* preset = nullptr;  // null: what it writes is not for us
    std::unique_ptr<TerminalLoan> loan;
    std::uint64_t log_seen = 0;  // its size when its end event was looked for
    Millis said_end = 0;         // when its end event was seen; 0: not yet
    bool hung = false;           // it did not end after that
  };

  struct ToRelease {
    ForkSpec fork;
    bool for_good = false;      // else it is left for a look, without the branch
    bool if_untouched = false;  // for good where there is nothing to look at
    PrepareJob teardown;
  };

  // ---- execution.cc ----
  void turn();
  void carry_out(Step step);
  void leave_nothing_behind(Step& step, std::string_view outcome);
  bool append(std::vector<EventBody> bodies);
  void take_back_overtaken(const std::vector<Event>& others, std::vector<EventBody>& bodies) const;
  bool sync();
  void journal_failed(Error error);
  void take(const std::vector<Event>& events);
  void note(const Event& event);
  void input(InputBody body);
  void poll_journal();
  void take_definition();
  void take_arrived();
  void interrupt();
  void show_progress();
  void say_wait(std::string_view reason);
  void wind_up();
  void finish_cleaning();
  void attach_leftovers();
  void attach_output(const std::string& task, const std::string& attempt);
  bool in_base(std::string_view commit);

  // ---- execution_attempts.cc ----
  void carry_out(const Fork& effect);
  void carry_out(const Start& effect);
  void carry_out(const Stop& effect);
  // `terminal`: its command gets the terminal of this process; one at a time.
  void begin(Live& live, const Task& task, int minutes, const std::string& tree,
             bool terminal = false);
  Result<AttemptSpec> lay_out(const Live& live, const Task& task, int minutes,
                              const std::string& tree, bool terminal);
  void look_at_processes(bool adopted_too);
  void look_for_last_words();
  void process_ended(Live& live);
  void take_terminal_back(Live& live);
  void process_lost(Live& live);
  void stop_everything();
  Live* live(std::string_view task, std::string_view attempt);
  Live& look_after(const std::string& task, const std::string& attempt, const char* phase);
  // As the journal has it; an empty one where it has none.
  const Attempt& recorded(std::string_view task, std::string_view attempt) const;
  int minutes_of(std::string_view task, std::string_view attempt) const;
  AttemptFiles files_of(std::string_view task, std::string_view attempt) const;
  ForkSpec fork_spec(std::string_view task, std::string_view attempt) const;
  PrepareJob prepare_job(std::string_view task, std::string_view attempt) const;
  TaskPlace place_of(const Task& task, const Live& live, const std::string& tree) const;

  // ---- execution_collect.cc ----
  void carry_out(const Collect& effect);
  void collect_given_up(const Collect& effect);

  // ---- execution_in_place.cc ----
  void begin_in_tree(const Fork& effect);
  InPlaceScope scope_in_place(std::string_view task, std::string_view attempt) const;
  bool release_in_place(const Release& effect);
  void give_tree_back();

  // ---- execution_plans.cc ----
  void carry_out(const Watch& effect);
  std::vector<SoftLock> soft_locks_of_others(const Task& task);
  std::string base_now() const;
  void note_changed_meanwhile(AttemptEnded& ended);

  // ---- execution_foretell.cc ----
  void look_at_branches();
  void tell_conflicts(const std::vector<ForetoldConflict>& conflicts);

  // ---- execution_windows.cc ----
  bool gets_window(const Live& live, const Task& task) const;
  void begin_in_window(Live& live, const Task& task, int minutes, const std::string& tree);
  Status open_window_once(const WindowRequest& request, const LockOffer& offer);
  void without_window(const Error& why, Live& live, const Task& task, int minutes,
                      const std::string& tree);

  // ---- execution_waves.cc ----
  void in_background(std::function<InputBody()> job);
  Result<std::string> verify(const std::vector<std::string>& commands, int wave,
                             const std::string& commit, std::string& command, bool& stopped);
  void carry_out(const Integrate& effect);
  void carry_out(const Commit& effect);
  void carry_out(const Verify& effect);
  void carry_out(const Advance& effect);
  void carry_out(const Land& effect);
  std::string reason_to_wait(const LandAnswer& answer) const;
  void carry_out(const Release& effect);
  void carry_out(const Flush& effect);
  void carry_out(const Wait& effect);
  void release_next();
  bool reuses_trees() const;
  std::optional<ToRelease> take_spare();
  void clean_up(std::string_view outcome);
  Status remove_run_tree(Repository& repository, const std::string& landed) const;

  // ---- execution_questions.cc ----
  void carry_out(const Ask& effect);
  void ask_next();
  void give_up_asking();

  Repository& repository_;
  const Settings& settings_;
  Store& store_;
  Observer& observer_;
  const ExecutionSetup setup_;
  std::unique_ptr<Store::Appender> appender_;
  RunLog log_;
  RepositoryPool repositories_;
  ShellRuns shell_;
  TreeMemo tree_memo_;  // of the user's working tree
  Loop loop_;
  std::unique_ptr<Engine> engine_;

  std::deque<Input> inputs_;
  std::map<std::string, Live, std::less<>> live_;  // by task
  std::deque<ToRelease> to_release_;
  // Trees that the next fork may take instead of a new one: of attempts that are over, which are
  // released at the end if nobody takes them, and of those that wait to be integrated.
  std::deque<ToRelease> spare_;
  std::deque<ForkSpec> finished_;
  std::optional<NamedLocks> tree_lock_;  // of the user's working tree, while tasks work in it
  int releasing_ = 0;
  std::size_t to_clean_ = 0;  // worktrees to remove when the run waited for nothing else
  Millis cleaning_since_ = 0;
  Millis branches_seen_ = 0;  // when their tips were looked at
  std::string tips_;          // of the branches then
  bool foretelling_ = false;
  std::set<std::string, std::less<>> foretold_;  // what was said
  std::deque<std::string> questions_;            // decisions that are not asked yet
  struct Asking {
    std::string decision;
    GiveUp give_up;
  };
  std::unique_ptr<Asking> asking_;
  std::mutex window_mutex_;
  std::optional<Error> window_fault_;     // why the first could not be opened; under the mutex
  std::atomic<bool> no_windows_ = false;  // one could not be opened
  bool no_windows_said_ = false, session_said_ = false;
  bool unsynced_ = false;      // events are written but perhaps not on the disk yet
  std::size_t unflushed_ = 0;  // events that were written since the last flush
  std::map<std::string, std::string> attachments_;  // path to content, for the next flush
  std::map<std::string, bool, std::less<>> base_holds_;
  std::string base_asked_;  // the base that base_holds_ is about
  std::string outcome_, waiting_;
  std::string text_;            // plan.md as it is executed
  std::optional<Error> fatal_;  // nothing can go on
  bool definition_changed_ = false;
  int interrupts_ = 0;
  Millis interrupted_at_ = 0;
};

}  // namespace gitplan
