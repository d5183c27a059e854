// The directory of one attempt as the executor sees it (git-plan/executor/FILES.md).
//
// Whether an attempt lives is told by its lock, never by a number; how it ended by exit.json. Both
// are true after any crash, so every executor that comes finds out the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/timestamp.h"
#include "git-plan/attempt/spec.h"

namespace gitplan {

struct AttemptExit {
  int exit_code = 0;
  std::string stopped_by;
  Millis started = 0, ended = 0;
  std::string error;
};

std::string attempt_dir(const std::string& plan_dir, std::string_view task,
                        std::string_view attempt);

class AttemptFiles {
 public:
  explicit AttemptFiles(std::string dir) : dir_(std::move(dir)) {}

  const std::string& dir() const { return dir_; }
  std::string path(std::string_view name) const { return dir_ + "/" + std::string(name); }
  // Where it works: its worktree, or the user's working tree. Empty: not made yet, or released.
  std::string tree() const;

  bool alive() const;                       // a shim holds the lock
  bool started() const;                     // a shim was there, once
  std::optional<AttemptExit> exit() const;  // nothing: not over, or what is there cannot be read
  std::optional<pid_t> shim() const;        // the living shim's pid
  bool log_is_written() const;              // by the one that tmux pipes a window into
  bool on_terminal() const;                 // its command has a terminal

  // The lock, to be handed to the shim (close-on-exec). kBusy where one is alive.
  Result<int> take_lock() const;
  Status write_spec(const AttemptSpec& spec) const;
  // Asks the shim to end the command: "end" or "cancel" (with grace), or "abort".
  Status request_stop(std::string_view why) const;

  std::uint64_t log_size() const;
  std::string last_line() const;  // of the log, raw; without the newline
  std::string end_of_log(std::uint64_t bytes) const;

 private:
  bool held(const char* name, int access) const;

  std::string dir_;
};

// The same lock, held by this process itself: around what takes an attempt in that is worked on by
// hand, so that its end is recorded once.
class AttemptLock {
 public:
  // kBusy where another process has it. Makes the directory.
  static Result<AttemptLock> take(const std::string& attempt_dir);
  AttemptLock(AttemptLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  AttemptLock& operator=(AttemptLock&&) = delete;
  ~AttemptLock();

 private:
  explicit AttemptLock(int fd) : fd_(fd) {}
  int fd_;
};

// Not synced: after a loss of power the attempt is lost with it, and is started again.
Status write_file(const std::string& path, std::string_view content, mode_t mode = 0666);

}  // namespace gitplan
