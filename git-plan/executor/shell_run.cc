#include "git-plan/executor/shell_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "git-plan/executor/attempt_files.h"
#include "git-plan/executor/shim.h"
#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"
#include "refs/store/local_file.h"

namespace gitplan {
namespace {

constexpr std::size_t kTail = 4096;
constexpr std::int64_t kLog = 4 << 20;

Status end_leftover(const AttemptFiles& files) {
  if (!files.alive()) return {};
  GITPLAN_TRY(files.request_stop("abort"));
  for (int tries = 0; tries < 1500 && files.alive(); ++tries) ::usleep(20000);
  if (files.alive())
    return error(ErrorCode::kBusy,
                 "a command of an earlier run still works in '" + files.dir() + "'");
  return {};
}

std::string shown(const std::string& command) {
  const std::size_t line = command.find('\n');
  const bool cut = line != std::string::npos || command.size() > 60;
  return "'" + command.substr(0, std::min<std::size_t>(line, 60)) + (cut ? "…'" : "'");
}

}  // namespace

Result<ShellOutcome> ShellRuns::run(const std::string& dir, const ShellCommand& command) {
  const AttemptFiles files(dir);
  GITPLAN_TRY(end_leftover(files));
  std::error_code code;
  std::filesystem::remove_all(dir, code);
  GITPLAN_TRY(make_directories(dir));
  AttemptSpec spec;
  spec.command = command.command;
  spec.directory = command.directory;
  spec.environment = command.environment;
  spec.wall_ms = command.deadline;
  spec.log_limit = kLog;
  GITPLAN_TRY(files.write_spec(spec));
  GITPLAN_TRY_ASSIGN(const int lock, files.take_lock());
  pid_t pid = 0;
  {
    const std::lock_guard guard(mutex_);
    if (!stopped_.empty()) {
      ::close(lock);
      return ShellOutcome{143, stopped_, "", ""};
    }
    auto started = spawn_shim(shim_, dir, {.attempt = lock});
    ::close(lock);
    if (!started) return std::move(started).error();
    pid = *started;
    at_work_.insert(dir);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  {
    const std::lock_guard guard(mutex_);
    at_work_.erase(dir);
  }
  const auto exit = files.exit();
  if (!exit) return failed("the program that ran " + shown(command.command) + " was killed");
  ShellOutcome outcome{exit->exit_code, exit->stopped_by, exit->error, ""};
  std::string log = read_small_file(files.path("log")).value_or("");
  if (log.size() > kTail) log.erase(0, log.size() - kTail);
  outcome.tail = std::move(log);
  return outcome;
}

void ShellRuns::stop_all(const std::string& why) {
  const std::lock_guard guard(mutex_);
  stopped_ = why;
  for (const std::string& dir : at_work_) {
    const Status asked = AttemptFiles(dir).request_stop(why);
    if (!asked) continue;  // it ends by its deadline
  }
}

std::string complaint(const std::string& command, const ShellOutcome& outcome) {
  if (outcome.ok()) return {};
  if (!outcome.error.empty()) return shown(command) + " could not be run: " + outcome.error;
  if (outcome.stopped_by == "wall") return shown(command) + " took too long";
  if (!outcome.stopped_by.empty()) return shown(command) + " was stopped";
  if (outcome.exit_code > 128)
    return shown(command) + " was ended by signal " + std::to_string(outcome.exit_code - 128);
  return shown(command) + " failed with status " + std::to_string(outcome.exit_code);
}

}  // namespace gitplan
