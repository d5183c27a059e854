// Runs a program to its end and keeps all it wrote. TempRepo and the tests of commands call this.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan::test {

struct ProcessResult {
  int exit_status = -1;  // 128 + signal where a signal ended it, as in a shell
  std::string out;
  std::string err;
  bool timed_out = false;
};

struct ProcessSpec {
  std::vector<std::string> argv;  // argv[0] is looked up in the PATH of `env`
  std::string cwd;
  std::vector<std::string> env;  // "NAME=value", all that the program gets
  std::string stdin_text;
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
};

// The program gets a process group of its own; at the timeout all of the group is killed.
ProcessResult run_process(const ProcessSpec& spec);

}  // namespace gitplan::test
