#include "refs/git/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <string_view>

#include "refs/git/errno_error.h"

extern char** environ;

namespace gitplan {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGrace{2000};  // between TERM and KILL
constexpr milliseconds kQuiet{100};   // silence after which a dead child's pipes are given up

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

bool make_pipe(Descriptor& reader, Descriptor& writer) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  reader.reset(ends[0]);
  writer.reset(ends[1]);
  return true;
}

// A child that does not read its input must not end us, and the caller's disposition stays as it
// is.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before_);
  }
  ~PipeSignalHeld() {
    if (!was_pending_) {
      sigset_t pipe_only;
      sigemptyset(&pipe_only);
      sigaddset(&pipe_only, SIGPIPE);
      const timespec now{0, 0};
      while (sigtimedwait(&pipe_only, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
  bool was_pending_ = false;
};

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const auto replaced = [name](const auto& change) { return change.first == name; };
    if (std::none_of(command.environment.begin(), command.environment.end(), replaced))
      result.emplace_back(text);
  }
  for (auto change = command.environment.begin(); change != command.environment.end(); ++change) {
    const auto again = [change](const auto& later) { return later.first == change->first; };
    if (change->second && std::none_of(change + 1, command.environment.end(), again))
      result.push_back(change->first + "=" + *change->second);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

struct Pipes {
  Descriptor in_reader, in_writer, out_reader, out_writer, err_reader, err_writer;
};

Error cannot_start(const Command& command, int number) {
  struct stat info;
  if (!command.directory.empty() && (number == ENOENT || number == ENOTDIR || number == EACCES) &&
      (stat(command.directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
       access(command.directory.c_str(), X_OK) != 0))
    return errno_error("start '" + command.argv[0] + "' in", command.directory, number);
  return errno_error("start", command.argv[0], number);
}

// posix_spawn and not fork: a large parent would pay for its page tables at every call.
Result<pid_t> spawn(const Command& command, Pipes& pipes, const sigset_t& mask) {
  std::vector<std::string> words = command.argv;
  std::vector<std::string> variables = environment_of(command);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);

  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &mask);
  if (!command.directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
  if (!command.terminal) {
    if (!command.foreground) {
      flags |= POSIX_SPAWN_SETPGROUP;
      posix_spawnattr_setpgroup(&attributes, 0);
    }
    if (pipes.in_reader.open())
      posix_spawn_file_actions_adddup2(&actions, pipes.in_reader.get(), STDIN_FILENO);
    else
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes.out_writer.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes.err_writer.get(), STDERR_FILENO);
  }
  const bool keeps = command.kept_open >= 0;
  if (keeps) posix_spawn_file_actions_adddup2(&actions, command.kept_open, STDERR_FILENO + 1);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + (keeps ? 2 : 1));
  posix_spawnattr_setflags(&attributes, flags);

  pid_t child = -1;
  const std::vector<char*> argv = pointers(words), env = pointers(variables);
  const int number = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (number != 0) return cannot_start(command, number);
  return child;
}

// One conversation with a child: feeds it, reads it, ends it at the deadline.
class Exchange {
 public:
  Exchange(const Command& command, pid_t child, Pipes& pipes, Outcome& outcome)
      : command_(command), child_(child), pipes_(pipes), outcome_(outcome), input_(command.input) {
    if (command.deadline) due_ = Clock::now() + *command.deadline;
    replied_ = !command.reply;
  }

  // False where the child wrote more than it may.
  bool converse() {
    if (pipes_.in_writer.open()) fcntl(pipes_.in_writer.get(), F_SETFL, O_NONBLOCK);
    while (pipes_.out_reader.open() || pipes_.err_reader.open() || pipes_.in_writer.open()) {
      const bool to_say = sent_ < input_.size();
      std::array<pollfd, 3> fds{pollfd{to_say ? pipes_.in_writer.get() : -1, POLLOUT, 0},
                                pollfd{pipes_.out_reader.get(), POLLIN, 0},
                                pollfd{pipes_.err_reader.get(), POLLIN, 0}};
      const int ready = poll(fds.data(), fds.size(), wait_time());
      enforce_deadline();
      // A background child of the child may keep the pipes open for ever.
      if (ready == 0 && gone()) break;
      if (ready <= 0) continue;
      if (fds[0].revents != 0) feed();
      if (fds[1].revents != 0 && !take(pipes_.out_reader, outcome_.output)) return false;
      if (fds[1].revents != 0) answer();
      if (fds[2].revents != 0 && !take(pipes_.err_reader, outcome_.error)) return false;
    }
    return true;
  }

  void reap() {
    int status = 0;
    errno = 0;
    while (waitpid(child_, &status, due_ ? WNOHANG : 0) != child_) {
      if (errno == ECHILD) return;  // SIGCHLD is ignored: nobody can know the status
      if (!due_) continue;
      enforce_deadline();
      usleep(1000);
    }
    outcome_.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  void end_group(int number) const {
    kill(command_.terminal || command_.foreground ? child_ : -child_, number);
  }

 private:
  int wait_time() const {
    if (!due_) return static_cast<int>(kQuiet.count());
    const auto left = std::chrono::ceil<milliseconds>(*due_ - Clock::now());
    return static_cast<int>(std::clamp(left, milliseconds(0), kQuiet).count());
  }

  void enforce_deadline() {
    if (!due_ || Clock::now() < *due_) return;
    end_group(outcome_.timed_out ? SIGKILL : SIGTERM);
    outcome_.timed_out = true;
    due_ = Clock::now() + kGrace;
  }

  bool gone() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  void feed() {
    const ssize_t count =
        write(pipes_.in_writer.get(), input_.data() + sent_, input_.size() - sent_);
    if (count > 0) sent_ += static_cast<std::size_t>(count);
    const bool all_said = sent_ == input_.size() && replied_;
    if (all_said || (count < 0 && errno != EAGAIN && errno != EINTR)) pipes_.in_writer.reset();
  }

  void answer() {
    if (replied_ || !outcome_.output.ends_with('\n')) return;
    const auto text = command_.reply(outcome_.output);
    if (!text) return;
    replied_ = true;
    input_ += *text;
    if (due_ && !outcome_.timed_out) due_ = Clock::now() + *command_.deadline;
    if (text->empty()) pipes_.in_writer.reset();
  }

  bool take(Descriptor& from, std::string& into) const {
    std::array<char, 65536> buffer;
    const ssize_t count = read(from.get(), buffer.data(), buffer.size());
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) from.reset();
    return into.size() <= command_.max_output;
  }

  const Command& command_;
  pid_t child_;
  Pipes& pipes_;
  Outcome& outcome_;
  std::optional<Clock::time_point> due_;
  std::string input_;
  std::size_t sent_ = 0;
  bool replied_ = false;
};

}  // namespace

Result<Outcome> run(const Command& command) {
  Pipes pipes;
  if (!command.terminal) {
    const bool piped =
        make_pipe(pipes.out_reader, pipes.out_writer) &&
        make_pipe(pipes.err_reader, pipes.err_writer) &&
        ((command.input.empty() && !command.reply) || make_pipe(pipes.in_reader, pipes.in_writer));
    if (!piped) return errno_error("start", command.argv[0], errno);
  }
  const PipeSignalHeld held;
  GITPLAN_TRY_ASSIGN(const pid_t child, spawn(command, pipes, held.before()));
  pipes.in_reader.reset();
  pipes.out_writer.reset();
  pipes.err_writer.reset();

  Outcome outcome;
  Exchange exchange(command, child, pipes, outcome);
  const bool bounded = exchange.converse();
  if (!bounded) exchange.end_group(SIGKILL);
  exchange.reap();
  if (!bounded)
    return failed("'" + command.argv[0] + "' wrote more than " +
                  std::to_string(command.max_output) + " bytes and was ended");
  return outcome;
}

std::string Outcome::words() const {
  std::string text = output + error;
  while (text.ends_with('\n')) text.pop_back();
  if (timed_out) text += (text.empty() ? "" : "\n") + std::string("it did not end in time");
  return text.empty() ? "it ended with " + std::to_string(exit_status) : text;
}

}  // namespace gitplan
