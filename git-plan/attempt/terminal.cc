#include "git-plan/attempt/terminal.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace gitplan {

int own_terminal() {
  for (int fd = 0; fd <= 2; ++fd)
    if (::tcgetpgrp(fd) >= 0) return fd;
  return -1;
}

bool Terminal::remember() {
  fd_ = own_terminal();
  if (fd_ < 0) return false;
  foreground_ = ::tcgetpgrp(fd_);
  return ::tcgetattr(fd_, &settings_) == 0;
}

// In the foreground is the command, or a group of which nobody lives any more.
bool Terminal::nobodys(pid_t command) const {
  const pid_t now = ::tcgetpgrp(fd_);
  return now == command || (now > 0 && ::kill(-now, 0) != 0 && errno == ESRCH);
}

bool Terminal::lend_again(pid_t command) const {
  return nobodys(command) && ::tcsetpgrp(fd_, command) == 0;
}

void Terminal::give_back(pid_t command) const {
  if (fd_ < 0 || !nobodys(command)) return;
  ::tcsetattr(fd_, TCSADRAIN, &settings_);
  ::tcsetpgrp(fd_, foreground_);
}

}  // namespace gitplan
