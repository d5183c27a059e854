// git-plan-attempt <attempt dir>: runs one attempt and outlives whoever started it. --window: in a
// window of tmux; --log <attempt dir> <bytes>: writes the log of such a one (window.h).
//
// Descriptor 3 is the attempt's lock, 4 the slot's and 5 that of its named locks where it has them;
// they stay locked for as long as this program lives, and the command does not get them. Files:
// git-plan/executor/FILES.md.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "git-plan/attempt/descendants.h"
#include "git-plan/attempt/files.h"
#include "git-plan/attempt/signal_source.h"
#include "git-plan/attempt/spec.h"
#include "git-plan/attempt/supervise.h"
#include "git-plan/attempt/window.h"

namespace {

constexpr int kAttemptLock = 3;
constexpr int kLastLock = 5;

// Nothing of the starter's stays open here, or its own locks would outlive it.
void keep_only_locks(bool terminal) {
  ::close_range(kLastLock + 1, ~0u, 0);
  for (int fd = kAttemptLock; fd <= kLastLock; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (terminal) return;
  // Standard input to error may belong to a terminal or a pipe that goes away.
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2 && null >= 0; ++fd) ::dup2(null, fd);
  if (null > 2) ::close(null);
}

// Holds the lock that was handed over, or takes it: never two shims for one attempt.
bool hold_lock(const std::string& dir) {
  const int own = ::open((dir + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (own < 0) return false;
  // A starter may leave anything open as 3: only the lock file itself counts.
  struct stat wanted {
  }, given{};
  const bool handed_over = own != kAttemptLock && ::fstat(own, &wanted) == 0 &&
                           ::fstat(kAttemptLock, &given) == 0 && wanted.st_dev == given.st_dev &&
                           wanted.st_ino == given.st_ino;
  if (own != kAttemptLock && !handed_over && ::dup2(own, kAttemptLock) < 0) return false;
  if (own != kAttemptLock) ::close(own);
  return ::flock(kAttemptLock, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 2 ? argv[1] : "";
  if (argc == 4 && how == "--log") return gitplan::write_log(argv[2], std::atoll(argv[3]));
  const bool window = argc == 3 && how == "--window";
  if (argc != 2 && !window) {
    std::fputs("usage: git-plan-attempt [--window] <attempt directory>\n", stderr);
    return 129;
  }
  const std::string dir = argv[argc - 1];
  std::string text, error;
  gitplan::AttemptSpec spec;
  if (!gitplan::read_small_file(dir + "/spec", &text))
    error = "it has no spec";
  else
    gitplan::parse_spec(text, &spec, &error);
  if (!spec.terminal) ::setsid();  // fails where the starter has seen to it
  gitplan::take_over_signals();
  if (window) {  // an executor that gave up waiting starts another shim, and this one is not wanted
    if (!gitplan::receive_locks(spec.window)) return 75;
    gitplan::take_window_environment(&spec);
  }
  if (!hold_lock(dir)) return 75;
  keep_only_locks(spec.terminal);
  if (!gitplan::become_subreaper()) return gitplan::give_up(dir, "the system has no subreapers");
  if (!error.empty()) return gitplan::give_up(dir, error);
  ::unlink((dir + "/spec").c_str());  // it holds the environment, and with it the user's secrets
  return gitplan::supervise(dir, spec);
}
