// Attempts in a window of tmux: opened on a worker thread, and where that fails begun as any other.
#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "git-plan/executor/execution.h"
#include "git-plan/executor/window.h"

namespace gitplan {

// One in the user's working tree has it and, where it is inline, the terminal of this process.
bool Execution::gets_window(const Live& live, const Task& task) const {
  if (!setup_.windows || no_windows_ || engine_->plan().in_place(task)) return false;
  const auto agent = agent_command(task, settings_, live.agent);
  if (!agent || !task.run.empty()) return false;
  return setup_.windows_for_commands || agent->preset != nullptr;
}

void Execution::begin_in_window(Live& live, const Task& task, int minutes,
                                const std::string& tree) {
  const AttemptFiles files = files_of(live.task, live.attempt);
  WindowRequest request;
  request.shim = setup_.shim;
  request.attempt_dir = files.dir();
  request.task = live.task;
  request.log_limit = setup_.max_log;
  if (!setup_.inside_tmux) request.session = window_session(setup_.plan);
  std::shared_ptr<LockOffer> offer;
  const auto lay = [&]() -> Status {
    GITPLAN_TRY_ASSIGN(LockOffer made, LockOffer::make());
    GITPLAN_TRY_ASSIGN(AttemptSpec spec, lay_out(live, task, minutes, tree, true));
    spec.window = made.address();
    GITPLAN_TRY(files.write_spec(spec));
    GITPLAN_TRY_ASSIGN(request.locks.attempt, files.take_lock());
    offer = std::make_shared<LockOffer>(std::move(made));
    return {};
  };
  if (const Status laid = lay(); !laid)
    return without_window(laid.error(), live, task, minutes, tree);
  request.locks.slot = live.slot ? live.slot->fd() : -1;
  request.locks.named = live.locks ? live.locks->fd() : -1;
  // The lock is ours until the shim has it: meanwhile the attempt counts as alive.
  loop_.work([this, request, offer, task, minutes, tree, id = live.attempt]() -> Loop::Action {
    const Status opened = open_window_once(request, *offer);
    return [this, request, task, minutes, tree, id, opened] {
      ::close(request.locks.attempt);
      Live* there = this->live(task.name, id);
      if (there == nullptr) return;
      if (!opened) return without_window(opened.error(), *there, task, minutes, tree);
      there->preset = nullptr;
      there->watched = true;
      if (!request.session.empty() && !std::exchange(session_said_, true))
        observer_.on_note("agents have windows in tmux: tmux attach -t " + request.session);
    };
  });
}

// On any thread, one at a time: two would both make the session. After one that failed nobody
// waits for another.
Status Execution::open_window_once(const WindowRequest& request, const LockOffer& offer) {
  const std::lock_guard guard(window_mutex_);
  if (window_fault_) return *window_fault_;  // whoever says it first says why
  if (no_windows_) return failed("another one could not be opened");
  Status opened = open_window(request, offer);
  if (!opened) {
    window_fault_ = opened.error();
    no_windows_ = true;
  }
  return opened;
}

void Execution::without_window(const Error& why, Live& live, const Task& task, int minutes,
                               const std::string& tree) {
  no_windows_ = true;
  if (!std::exchange(no_windows_said_, true))
    observer_.on_warning("no window can be opened for '" + live.task + "': " + why.message +
                         "; agents work without one");
  begin(live, task, minutes, tree);
  if (!live.error.empty()) input(ProcessEnded{live.task, live.attempt, 126, "", live.error});
}

}  // namespace gitplan
