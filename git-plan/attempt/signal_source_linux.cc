#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "git-plan/attempt/signal_source.h"

namespace gitplan {
namespace {

sigset_t listened() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGCHLD);
  return set;
}

}  // namespace

void take_over_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU})
    ::signal(signal, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  const sigset_t set = listened();
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
}

SignalSource::SignalSource() {
  const sigset_t set = listened();
  fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

SignalSource::~SignalSource() {
  if (fd_ >= 0) ::close(fd_);
}

bool SignalSource::take_terminate() {
  bool terminate = false;
  signalfd_siginfo info{};
  while (::read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
    terminate = terminate || info.ssi_signo == SIGTERM;
  return terminate;
}

}  // namespace gitplan
