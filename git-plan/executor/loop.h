// libuv's event loop, as much of it as a run needs.
//
// Everything but `job` of work() happens on the thread that calls run_once().
#pragma once

#include <functional>
#include <memory>

#include "core/base/timestamp.h"

namespace gitplan {

class Loop {
 public:
  Loop();
  ~Loop();  // waits for jobs that are at work
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  using Action = std::function<void()>;

  // Runs `job` on a worker thread, then what it returns on this one.
  void work(std::function<Action()> job);
  int jobs() const;
  void every(Millis interval, Action action);
  void on_signal(int signal, Action action);
  void at(Millis time, Action action);  // once

  // Waits for something to happen and does it.
  void run_once();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Millis clock_now();                     // UTC
Millis offset_from_utc(Millis moment);  // of the local time zone

}  // namespace gitplan
