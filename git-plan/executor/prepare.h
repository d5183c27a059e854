// A fork made ready for its task: ignored files copied, submodules checked out, `setup` run; and
// `teardown` before it goes.
//
// Part of the effects Fork and Release; runs on worker threads. On disk, in the attempt's
// directory: `prepared`, when all of it is done; `setup/`, `teardown/` as of a command run by the
// shim (shell_run.h), `setup.log` with what all commands printed.
#pragma once

#include <string>
#include <vector>

#include "core/base/timestamp.h"
#include "core/plan/definition.h"
#include "git-plan/executor/shell_run.h"
#include "refs/git/repository.h"

namespace gitplan {

struct PrepareJob {
  std::string tree, attempt_dir;
  std::vector<std::string> copy, setup, teardown;  // of the plan
  std::vector<std::string> environment;            // of the task
  Millis deadline = 0;                             // of each command
};

// What failed, for people. Done already: nothing happens.
Status prepare(const PrepareJob& job, Repository& repository, ShellRuns& shell);

// Empty, or what a `teardown` command complained about; the others are run all the same.
std::string tear_down(const PrepareJob& job, ShellRuns& shell);

}  // namespace gitplan
