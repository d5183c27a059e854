// The terminal of this process while the command of an attempt has it (Execution::begin).
//
// The shim gives it back itself; this is for a shim that was killed. Used by Execution.
#pragma once

#include <termios.h>

namespace gitplan {

class TerminalLoan {
 public:
  TerminalLoan();
  // Does nothing where it is back, or where somebody alive has it.
  ~TerminalLoan();
  TerminalLoan(const TerminalLoan&) = delete;
  TerminalLoan& operator=(const TerminalLoan&) = delete;

 private:
  termios settings_{};
  bool remembered_;
};

}  // namespace gitplan
