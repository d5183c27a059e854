#include "git-plan/executor/loop.h"

#include <uv.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace gitplan {
namespace {

struct Job {
  uv_work_t request;
  std::function<Loop::Action()> job;
  Loop::Action done;
  int* running;
};

struct Timer {
  uv_timer_t handle;
  Loop::Action action;
};

struct Signal {
  uv_signal_t handle;
  Loop::Action action;
};

}  // namespace

struct Loop::State {
  uv_loop_t loop;
  int running = 0;
  std::vector<std::unique_ptr<Signal>> signals;
};

Loop::Loop() : state_(std::make_unique<State>()) { uv_loop_init(&state_->loop); }

Loop::~Loop() {
  while (state_->running > 0) uv_run(&state_->loop, UV_RUN_ONCE);
  uv_walk(
      &state_->loop,
      [](uv_handle_t* handle, void*) {
        if (uv_is_closing(handle)) return;
        const uv_close_cb forget = [](uv_handle_t* closed) {
          delete static_cast<Timer*>(closed->data);
        };
        uv_close(handle, handle->type == UV_TIMER ? forget : nullptr);
      },
      nullptr);
  uv_run(&state_->loop, UV_RUN_DEFAULT);
  uv_loop_close(&state_->loop);
}

void Loop::work(std::function<Action()> job) {
  auto* request = new Job{{}, std::move(job), {}, &state_->running};
  request->request.data = request;
  ++state_->running;
  uv_queue_work(
      &state_->loop, &request->request,
      [](uv_work_t* work) {
        auto* self = static_cast<Job*>(work->data);
        self->done = self->job();
      },
      [](uv_work_t* work, int) {
        const std::unique_ptr<Job> self(static_cast<Job*>(work->data));
        --*self->running;
        if (self->done) self->done();
      });
}

int Loop::jobs() const { return state_->running; }

void Loop::every(Millis interval, Action action) {
  auto* timer = new Timer{{}, std::move(action)};
  uv_timer_init(&state_->loop, &timer->handle);
  timer->handle.data = timer;
  const auto period = static_cast<std::uint64_t>(interval);
  uv_timer_start(
      &timer->handle, [](uv_timer_t* handle) { static_cast<Timer*>(handle->data)->action(); },
      period, period);
}

void Loop::at(Millis time, Action action) {
  auto* timer = new Timer{{}, std::move(action)};
  uv_timer_init(&state_->loop, &timer->handle);
  timer->handle.data = timer;
  uv_update_time(&state_->loop);
  uv_timer_start(
      &timer->handle,
      [](uv_timer_t* handle) {
        auto* self = static_cast<Timer*>(handle->data);
        self->action();
        uv_close(reinterpret_cast<uv_handle_t*>(handle),
                 [](uv_handle_t* closed) { delete static_cast<Timer*>(closed->data); });
      },
      static_cast<std::uint64_t>(std::max<Millis>(time - clock_now(), 0)), 0);
}

void Loop::on_signal(int signal, Action action) {
  auto watcher = std::make_unique<Signal>();
  watcher->action = std::move(action);
  uv_signal_init(&state_->loop, &watcher->handle);
  watcher->handle.data = watcher.get();
  uv_signal_start(
      &watcher->handle,
      [](uv_signal_t* handle, int) { static_cast<Signal*>(handle->data)->action(); }, signal);
  state_->signals.push_back(std::move(watcher));
}

void Loop::run_once() { uv_run(&state_->loop, UV_RUN_ONCE); }

Millis clock_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Millis offset_from_utc(Millis moment) {
  const std::time_t seconds = moment / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  return static_cast<Millis>(local.tm_gmtoff) * 1000;
}

}  // namespace gitplan
