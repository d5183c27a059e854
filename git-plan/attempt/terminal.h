// The terminal of an attempt whose command has one: who is in its foreground, and its settings.
//
// The shim stays in the background of it and lends it to the command. SIGTTOU is ignored here
// (take_over_signals()), so that the foreground can be changed from there.
#pragma once

#include <sys/types.h>
#include <termios.h>

namespace gitplan {

// Which standard descriptor is a terminal that this process's session controls; -1: none.
int own_terminal();

class Terminal {
 public:
  // Remembers how it is now; false where there is none.
  bool remember();
  int fd() const { return fd_; }

  // The command was stopped because it is in the background. True: nobody else has the terminal
  // now, and it has it again.
  bool lend_again(pid_t command) const;
  // Foreground and settings as they were, but where somebody else has the terminal by now: the
  // user's shell, after the executor was killed.
  void give_back(pid_t command) const;

 private:
  bool nobodys(pid_t command) const;

  int fd_ = -1;
  pid_t foreground_ = -1;
  termios settings_{};
};

}  // namespace gitplan
