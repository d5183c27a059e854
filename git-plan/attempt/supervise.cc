#include "git-plan/attempt/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>

#include "git-plan/attempt/bounded_log.h"
#include "git-plan/attempt/command.h"
#include "git-plan/attempt/descendants.h"
#include "git-plan/attempt/files.h"
#include "git-plan/attempt/signal_source.h"
#include "git-plan/attempt/terminal.h"

namespace gitplan {
namespace {

constexpr std::int64_t kNever = INT64_MAX;
constexpr std::int64_t kStopLook = 1000;  // for whoever can write `stop` but not send a signal
constexpr std::int64_t kSettle = 200;     // children that are about to end by themselves
constexpr std::int64_t kTermAgain = 100;  // what was born meanwhile gets its TERM too
constexpr std::int64_t kKillAgain = 20;
constexpr std::int64_t kKillLimit =
    10000;  // not even KILL ends it: another user's, or stuck in a disk

class Supervisor {
 public:
  Supervisor(const std::string& attempt_dir, const AttemptSpec& spec)
      : dir_(attempt_dir), spec_(spec) {
    if (spec.window.empty()) log_.emplace(attempt_dir + "/log", spec.log_limit);
  }

  int run();

 private:
  enum class Phase { kRunning, kSettling, kTerminating, kKilling };

  void start();
  int open_streams();
  void look_for_stop();
  void look_for_idleness(std::int64_t now);
  void stop(const char* by, std::int64_t now);
  void enter(Phase phase, std::int64_t now);
  void advance(std::int64_t now);
  std::int64_t next_wakeup() const;
  void drain(bool all);
  bool reap();  // true: no child is left
  void ended(int status);
  void stopped(int signal);
  void signal_all(int signal);
  // In a window of its own nobody means the others.
  const char* by_a_person() const { return spec_.window.empty() ? "interrupt" : "closed"; }

  const std::string& dir_;
  const AttemptSpec& spec_;
  std::optional<BoundedLog> log_;  // in a window tmux sees to it
  SignalSource signals_;
  Terminal terminal_;
  int output_ = -1;  // read end of what the command writes to
  pid_t command_ = -1;
  bool command_ended_ = false;
  Phase phase_ = Phase::kRunning;
  std::int64_t phase_since_ = 0, next_round_ = 0, next_stop_look_ = 0;
  std::int64_t wall_end_ = kNever, next_idle_look_ = kNever;
  std::int64_t last_active_ = 0, last_cpu_ = 0, last_look_ = 0;
  std::int64_t last_size_ = 0;  // of the log that tmux sees to
  std::vector<pid_t> terminated_;
  Exit exit_;
};

// What the command writes to, unless that is the terminal; the other end is read here.
int Supervisor::open_streams() {
  if (spec_.terminal) {
    if (!terminal_.remember()) exit_.error = "it has no terminal";
    return -1;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    exit_.error = "no pipe for its output";
    return -1;
  }
  output_ = ends[0];
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  return ends[1];
}

void Supervisor::start() {
  const int output = open_streams();
  if (exit_.error.empty()) command_ = start_command(spec_, output, &exit_.error);
  if (output >= 0) ::close(output);
  if (command_ < 0) exit_.exit_code = 126;
  const std::int64_t now = monotonic_ms();
  last_active_ = last_look_ = now;
  next_stop_look_ = now + kStopLook;
  if (spec_.wall_ms > 0) wall_end_ = now + spec_.wall_ms;
  if (spec_.idle_ms > 0) next_idle_look_ = now + std::max<std::int64_t>(spec_.idle_ms / 4, 50);
}

// Reads what is there; `all`: until nothing comes any more, since nobody is left to write.
void Supervisor::drain(bool all) {
  char buffer[65536];
  for (int round = 0; output_ >= 0 && (all || round < 16); ++round) {
    const ssize_t n = ::read(output_, buffer, sizeof buffer);
    if (n > 0) {
      log_->append(buffer, static_cast<std::size_t>(n));
      last_active_ = monotonic_ms();
    } else if (n == 0 || errno != EINTR) {
      if (n == 0 || errno != EAGAIN) {  // they closed it, which does not mean that they ended
        ::close(output_);
        output_ = -1;
      }
      return;
    }
  }
}

bool Supervisor::reap() {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG | (spec_.terminal ? WUNTRACED : 0));
    if (pid == 0) return false;
    if (pid < 0) {
      if (errno == EINTR) continue;
      return true;
    }
    if (pid != command_) continue;
    if (WIFSTOPPED(status))
      stopped(WSTOPSIG(status));
    else
      ended(status);
  }
}

void Supervisor::ended(int status) {
  command_ended_ = true;
  exit_.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  // A shell passes on as its status what ended the program it ran.
  const bool by_hand = exit_.exit_code == 128 + SIGINT || exit_.exit_code == 128 + SIGHUP;
  if (spec_.terminal && phase_ == Phase::kRunning && by_hand) exit_.stopped_by = by_a_person();
}

// A task cannot be suspended: nobody would be there to continue it. One that was stopped because
// somebody else has the terminal by now will not get it back.
void Supervisor::stopped(int signal) {
  if (phase_ != Phase::kRunning) return;  // TERM comes with CONT
  const bool in_background = signal == SIGTTIN || signal == SIGTTOU;
  if (!in_background && signal != SIGTSTP) return;
  if (in_background && !terminal_.lend_again(command_)) return stop(by_a_person(), monotonic_ms());
  ::kill(-command_, SIGCONT);
}

void Supervisor::signal_all(int signal) {
  for (const pid_t pid : descendants().pids) {
    if (signal == SIGTERM) {
      if (std::find(terminated_.begin(), terminated_.end(), pid) != terminated_.end()) continue;
      terminated_.push_back(pid);
    }
    ::kill(pid, signal);
    if (signal == SIGTERM) ::kill(pid, SIGCONT);  // a stopped process would not see it
  }
}

void Supervisor::enter(Phase phase, std::int64_t now) {
  phase_ = phase;
  phase_since_ = now;
  next_round_ = phase == Phase::kSettling ? now + kSettle : now;
}

void Supervisor::stop(const char* by, std::int64_t now) {
  exit_.stopped_by = by;
  enter(Phase::kTerminating, now);
}

// `stop` says how: "end" to one that hangs after its last word, "cancel", or "abort", which leaves
// no grace, also where another came before.
void Supervisor::look_for_stop() {
  const std::int64_t now = monotonic_ms();
  next_stop_look_ = now + kStopLook;
  std::string how;
  if (!read_small_file(dir_ + "/stop", &how)) return;
  if (how.rfind("abort", 0) == 0) {
    if (phase_ == Phase::kKilling) return;
    exit_.stopped_by = "abort";
    enter(Phase::kKilling, now);
  } else if (phase_ == Phase::kRunning) {
    stop(how.rfind("end", 0) == 0 ? "end" : "cancel", now);
  }
}

// Idle is: for so long no output, and less than a hundredth of one processor.
void Supervisor::look_for_idleness(std::int64_t now) {
  if (!log_)
    if (const std::int64_t size = file_size(dir_ + "/log"); size != last_size_) {
      last_active_ = now;
      last_size_ = size;
    }
  const std::int64_t cpu = descendants().cpu_ms;
  const std::int64_t used = cpu > last_cpu_ ? cpu - last_cpu_ : last_cpu_ - cpu;
  if (used * 100 > now - last_look_) last_active_ = now;
  last_cpu_ = cpu;
  last_look_ = now;
  next_idle_look_ = now + std::max<std::int64_t>(spec_.idle_ms / 4, 50);
  if (now - last_active_ >= spec_.idle_ms) stop("idle", now);
}

void Supervisor::advance(std::int64_t now) {
  if (phase_ == Phase::kRunning) {
    if (command_ended_)
      enter(Phase::kSettling, now);
    else if (now >= wall_end_)
      stop("wall", now);
    else if (now >= next_idle_look_)
      look_for_idleness(now);
  }
  if (phase_ == Phase::kSettling && now >= next_round_) enter(Phase::kTerminating, now);
  if (phase_ == Phase::kTerminating && now >= next_round_) {
    if (now - phase_since_ >= spec_.grace_ms) {
      enter(Phase::kKilling, now);
    } else {
      signal_all(SIGTERM);
      next_round_ = std::min(now + kTermAgain, phase_since_ + spec_.grace_ms);
    }
  }
  if (phase_ == Phase::kKilling && now >= next_round_) {
    signal_all(SIGKILL);
    next_round_ = now + kKillAgain;
  }
}

std::int64_t Supervisor::next_wakeup() const {
  if (phase_ == Phase::kRunning) return std::min({wall_end_, next_idle_look_, next_stop_look_});
  return next_round_;
}

int Supervisor::run() {
  exit_.started = utc_ms();
  const std::string process = "{\"pid\":" + std::to_string(::getpid()) +
                              ",\"start_time\":" + std::to_string(own_start_time()) +
                              (spec_.terminal ? ",\"terminal\":true" : "") + "}\n";
  if ((log_ && !log_->open()) || !signals_.open() ||
      !write_by_rename(dir_ + "/process.json", process, false))
    return give_up(dir_, "its directory cannot be written");
  look_for_stop();
  if (phase_ == Phase::kRunning)
    start();
  else
    exit_.exit_code = 128 + SIGTERM;  // stopped before it began

  bool left = !reap();
  while (left) {
    std::int64_t now = monotonic_ms();
    advance(now);
    if (phase_ == Phase::kKilling && now - phase_since_ > kKillLimit) break;
    const std::int64_t pause = std::clamp<std::int64_t>(next_wakeup() - now, 0, 3600 * 1000);
    // In a window this process leads the session: nobody else hears that it was closed.
    const bool window = !spec_.window.empty() && phase_ == Phase::kRunning;
    pollfd wait[3] = {
        {signals_.fd(), POLLIN, 0}, {output_, POLLIN, 0}, {window ? terminal_.fd() : -1, 0, 0}};
    if (::poll(wait, 3, static_cast<int>(pause)) < 0 && errno != EINTR) break;
    if (wait[1].revents != 0) drain(false);
    now = monotonic_ms();
    if (window && wait[2].revents != 0) stop("closed", now);
    const bool asked = wait[0].revents != 0 && signals_.take_terminate();
    if (asked || now >= next_stop_look_) look_for_stop();
    if (asked && phase_ == Phase::kRunning) stop("cancel", now);
    left = !reap();
  }
  drain(true);
  terminal_.give_back(command_);
  exit_.ended = utc_ms();
  return write_exit(dir_, exit_) ? 0 : 1;
}

}  // namespace

int supervise(const std::string& attempt_dir, const AttemptSpec& spec) {
  return Supervisor(attempt_dir, spec).run();
}

int give_up(const std::string& attempt_dir, const std::string& error) {
  Exit exit;
  exit.exit_code = 126;
  exit.started = exit.ended = utc_ms();
  exit.error = error;
  write_exit(attempt_dir, exit);
  return 1;
}

}  // namespace gitplan
