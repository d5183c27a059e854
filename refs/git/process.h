// Runs a program and waits for it: how everything here calls `git`.
//
// Standard input is given or /dev/null, output and error are read without deadlock into bounded
// strings, every other descriptor is closed, and the child leads its own process group, which a
// deadline ends with TERM, then KILL. Plan tasks do not run through this: see git-plan/executor and
// git-plan/attempt.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace gitplan {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH
  std::string directory;          // empty: the current one
  std::vector<std::pair<std::string, std::optional<std::string>>>
      environment;    // set, or (nothing) unset
  std::string input;  // standard input
  // What is said after `input`, once the child has said enough: called after each line of its
  // output until it answers. Standard input then ends, and the deadline begins anew.
  std::function<std::optional<std::string>(const std::string& output)> reply;
  std::optional<std::chrono::milliseconds> deadline;
  bool terminal = false;  // inherit all three descriptors and the process group (editor, pager)
  bool foreground =
      false;           // stay in our process group: what asks for a password may read the terminal
  int kept_open = -1;  // a descriptor that the child inherits as well, as 3: a lock held
                       // by whatever still works under it when its taker was killed
  std::size_t max_output = 256u << 20;  // bytes of each stream; more ends the child with an error
};

struct Outcome {
  int exit_status = 0;  // 128 + signal where one ended it
  bool timed_out = false;
  std::string output;
  std::string error;
  bool ok() const { return exit_status == 0 && !timed_out; }
  // Of one that failed: all it printed, or how it ended where it said nothing.
  std::string words() const;
};

// An error only where the program could not be started.
Result<Outcome> run(const Command& command);

}  // namespace gitplan
