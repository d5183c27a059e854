#include "git-plan/executor/terminal_loan.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace gitplan {

TerminalLoan::TerminalLoan() : remembered_(::tcgetattr(STDIN_FILENO, &settings_) == 0) {}

TerminalLoan::~TerminalLoan() {
  const pid_t now = ::tcgetpgrp(STDIN_FILENO);
  if (!remembered_ || now <= 0 || now == ::getpgrp()) return;
  if (::kill(-now, 0) == 0 || errno != ESRCH) return;
  sigset_t background, before;  // or the change itself would stop us
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &background, &before);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &settings_);
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace gitplan
