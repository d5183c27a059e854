#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "git-plan/attempt/command.h"
#include "git-plan/attempt/terminal.h"

namespace gitplan {
namespace {

// Only what may be done in the memory of the parent.
bool take_streams(bool terminal, int input, int output) {
  if (terminal) return true;
  return ::dup2(input, 0) == 0 && ::dup2(output, 1) == 1 && ::dup2(output, 2) == 2;
}

}  // namespace

pid_t start_command(const AttemptSpec& spec, int output, std::string* error) {
  std::vector<char*> environment;
  environment.reserve(spec.environment.size() + 1);
  for (const std::string& variable : spec.environment)
    environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  const char* const argv[] = {"sh", "-c", spec.command.c_str(), nullptr};

  const std::string& input_path = spec.input.empty() ? "/dev/null" : spec.input;
  const int input = ::open(input_path.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) {
    *error = std::string("its standard input cannot be opened: ") + std::strerror(errno);
    return -1;
  }
  const pid_t shim = ::getpid();
  // Shared with the child, which is in this memory until it runs the command.
  volatile int failure = 0;
  const char* volatile doing = "";
  const pid_t child = ::vfork();
  if (child == 0) {
    sigset_t none;
    sigemptyset(&none);
    ::setpgid(0, 0);
    // Before it reads from it; while SIGTTOU is ignored still.
    if (spec.terminal) ::tcsetpgrp(own_terminal(), ::getpid());
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // Should the shim be killed, the command does not go on without log and limits.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    doing = "its directory cannot be entered: ";
    if (::getppid() == shim && ::chdir(spec.directory.c_str()) == 0 &&
        take_streams(spec.terminal, input, output)) {
      doing = "sh cannot be started: ";
      ::execve("/bin/sh", const_cast<char* const*>(argv), environment.data());
    }
    failure = errno;
    ::_exit(127);
  }
  ::close(input);
  if (child < 0) {
    *error = std::string("no process can be started: ") + std::strerror(errno);
  } else if (failure != 0) {
    *error = std::string(doing) + std::strerror(failure);
    return -1;  // the child has gone and is reaped with the others
  }
  return child;
}

}  // namespace gitplan
