#include "git-plan/executor/prepare.h"

#include "core/base/plain_text.h"
#include "git-plan/executor/attempt_files.h"
#include "refs/fork/copied_files.h"
#include "refs/fork/setup_files.h"
#include "refs/fork/submodules.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

std::string last_line(std::string text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return one_line(text.substr(text.find_last_of("\n\r") + 1));
}

// Nothing: it is fine.
Result<std::string> run_one(const PrepareJob& job, ShellRuns& shell, const std::string& command,
                            const std::string& dir, std::string& log) {
  ShellCommand one;
  one.command = command;
  one.directory = job.tree;
  one.environment = job.environment;
  one.deadline = job.deadline;
  GITPLAN_TRY_ASSIGN(const ShellOutcome outcome, shell.run(dir, one));
  log += "$ " + command + "\n" + read_small_file(dir + "/log").value_or("") + "\n";
  std::string fault = complaint(command, outcome);
  if (!fault.empty() && !outcome.tail.empty()) fault += ": " + last_line(outcome.tail);
  return fault;
}

}  // namespace

Status prepare(const PrepareJob& job, Repository& repository, ShellRuns& shell) {
  const std::string done = job.attempt_dir + "/prepared";
  if (exists(done)) return {};
  const auto fork = worktree_at(repository, job.tree);
  if (!fork) return failed("the worktree '" + job.tree + "' is gone");
  GITPLAN_TRY(copy_ignored_files(repository, *fork, job.copy));
  GITPLAN_TRY(check_out_submodules(repository, *fork));
  std::string log, fault;
  for (const std::string& command : job.setup) {
    GITPLAN_TRY_ASSIGN(fault, run_one(job, shell, command, job.attempt_dir + "/setup", log));
    if (!fault.empty()) break;
  }
  if (!log.empty()) GITPLAN_TRY(write_file(job.attempt_dir + "/setup.log", log));
  if (!fault.empty()) return failed("setup " + fault);
  if (!job.setup.empty()) GITPLAN_TRY(note_setup_files(repository, *fork));
  return write_file(done, "");
}

std::string tear_down(const PrepareJob& job, ShellRuns& shell) {
  std::string all, log;
  for (const std::string& command : job.teardown) {
    const auto fault = run_one(job, shell, command, job.attempt_dir + "/teardown", log);
    const std::string said = fault ? *fault : fault.error().message;
    if (!said.empty()) all += (all.empty() ? "teardown " : "; ") + said;
  }
  return all;
}

}  // namespace gitplan
