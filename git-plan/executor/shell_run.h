// Runs the plan's own commands (`checks`, `verify`) under the shim: with a deadline, a bounded log
// and nothing left running.
//
// Called on worker threads; stop_all() on the main one, so that Ctrl+C does not wait for a long
// check.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/timestamp.h"

namespace gitplan {

struct ShellCommand {
  std::string command, directory;
  std::vector<std::string> environment;
  Millis deadline = 0;
};

struct ShellOutcome {
  int exit_code = 0;
  std::string stopped_by;  // "", wall, cancel, abort
  std::string error;       // it could not be started
  std::string tail;        // the last of its output, for people
  bool ok() const { return exit_code == 0 && stopped_by.empty() && error.empty(); }
};

class ShellRuns {
 public:
  explicit ShellRuns(std::string shim) : shim_(std::move(shim)) {}

  // `dir` is its directory, made anew; what an executor that died left running there is ended
  // first.
  Result<ShellOutcome> run(const std::string& dir, const ShellCommand& command);
  // Those at work, and all that come later.
  void stop_all(const std::string& why);

 private:
  std::string shim_;
  std::mutex mutex_;
  std::set<std::string> at_work_;
  std::string stopped_;
};

// "'make test' failed with status 2", "'make test' took too long"; empty: it is fine.
std::string complaint(const std::string& command, const ShellOutcome& outcome);

}  // namespace gitplan
