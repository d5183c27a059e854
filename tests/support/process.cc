#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace gitplan::test {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe2");
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { shut(ends_[0]); }
  void close_write() { shut(ends_[1]); }

 private:
  static void shut(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

std::string find_program(const std::string& name, const std::vector<std::string>& env) {
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : env)
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  while (!path.empty()) {
    const size_t colon = path.find(':');
    std::string candidate = std::string(path.substr(0, colon)) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    path = colon == std::string_view::npos ? "" : path.substr(colon + 1);
  }
  throw std::runtime_error("no program named " + name);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// Between fork and exec: only what is safe there.
[[noreturn]] void become(const char* program, char* const* argv, char* const* env, const char* cwd,
                         int in, int out, int err) {
  setpgid(0, 0);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (cwd[0] != '\0' && chdir(cwd) != 0) _exit(126);
  execve(program, argv, env);
  _exit(127);
}

// Reads what is there; false at the end of the stream.
bool drain(int from, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// Feeds standard input and collects both outputs at once, so that nobody waits for a full pipe.
// False when the deadline passed first.
bool exchange(const std::string& text, Pipe& in, Pipe& out, Pipe& err, ProcessResult& result,
              Clock::time_point deadline) {
  size_t sent = 0;
  if (text.empty()) in.close_write();
  while (in.write_end() >= 0 || out.read_end() >= 0 || err.read_end() >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 3> fds{pollfd{in.write_end(), POLLOUT, 0}, pollfd{out.read_end(), POLLIN, 0},
                              pollfd{err.read_end(), POLLIN, 0}};
    if (poll(fds.data(), fds.size(), static_cast<int>(left)) <= 0) continue;
    if (fds[0].revents != 0) {
      const ssize_t count = write(in.write_end(), text.data() + sent, text.size() - sent);
      if (count > 0) sent += static_cast<size_t>(count);
      if ((count < 0 && errno != EAGAIN) || sent == text.size()) in.close_write();
    }
    if (fds[1].revents != 0 && !drain(out.read_end(), result.out)) out.close_read();
    if (fds[2].revents != 0 && !drain(err.read_end(), result.err)) err.close_read();
  }
  return true;
}

// Waits for the child; false when the deadline passed first.
bool reap(pid_t child, int& status, Clock::time_point deadline) {
  while (true) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return true;
    if (done < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "waitpid");
    if (Clock::now() >= deadline) return false;
    usleep(1000);
  }
}

}  // namespace

ProcessResult run_process(const ProcessSpec& spec) {
  signal(SIGPIPE, SIG_IGN);  // a program that does not read its input is not our end
  const std::string program = find_program(spec.argv.at(0), spec.env);
  const std::vector<char*> argv = pointers(spec.argv);
  const std::vector<char*> env = pointers(spec.env);
  Pipe in, out, err;
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0)
    become(program.c_str(), argv.data(), env.data(), spec.cwd.c_str(), in.read_end(),
           out.write_end(), err.write_end());
  setpgid(child, child);  // in both processes, so that it is done before either goes on
  in.close_read();
  out.close_write();
  err.close_write();
  fcntl(in.write_end(), F_SETFL, O_NONBLOCK);

  ProcessResult result;
  int status = 0;
  const auto deadline = Clock::now() + spec.timeout;
  if (!exchange(spec.stdin_text, in, out, err, result, deadline) ||
      !reap(child, status, deadline)) {
    result.timed_out = true;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
  }
  result.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace gitplan::test
