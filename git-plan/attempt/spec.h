// What the shim is told about one attempt.
//
// The executor writes it before it starts the shim, and nobody changes it afterwards. On disk, as
// `spec` in the attempt's directory: fields, each ended by a NUL byte, so that no value needs
// quoting and reading takes no library:
//
//     git-plan-attempt 1    the format and its version, first
//     key=value             each of the keys below at most once, but for env
//
// command: for sh -c. directory: where it runs. input: a file for its standard input; empty:
// nothing to read. terminal: 1, the shim's own standard streams are a terminal, which the command
// gets instead of input and log. window: the address where a shim in a tmux window gets its locks
// (window.h); others write its log. log_limit: bytes. wall_ms, idle_ms: 0 for no limit. grace_ms:
// from TERM to KILL. env=NAME=value: the whole environment, one field a variable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gitplan {

struct AttemptSpec {
  std::string command;
  std::string directory;
  std::string input;
  bool terminal = false;
  std::string window;
  std::int64_t log_limit = 64 << 20;
  std::int64_t wall_ms = 0;
  std::int64_t idle_ms = 0;
  std::int64_t grace_ms = 10000;
  std::vector<std::string> environment;
};

// False where the text is not of this format; `error` says why.
bool parse_spec(const std::string& text, AttemptSpec* spec, std::string* error);

}  // namespace gitplan
