#include "git-plan/terminal/pager.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace gitplan {

int spawn_pager(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return 0;
  const pid_t pid = fork();
  if (pid < 0) {
    close(ends[0]);
    close(ends[1]);
    return 0;
  }
  if (pid == 0) {
    dup2(ends[0], STDIN_FILENO);
    // git's defaults: quit where all fits on one screen, pass colours on, leave the screen as it
    // is.
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  dup2(ends[1], STDOUT_FILENO);
  if (isatty(STDERR_FILENO) == 1) dup2(ends[1], STDERR_FILENO);
  close(ends[0]);
  close(ends[1]);
  // Ctrl+C is for the pager; we end when it does.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  return pid;
}

void wait_for_pager(int pid) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace gitplan
