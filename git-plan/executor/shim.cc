#include "git-plan/executor/shim.h"

#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "refs/git/errno_error.h"
#include "refs/git/small_file.h"

namespace gitplan {
namespace {

constexpr const char* kName = "git-plan-attempt";
constexpr int kFirstLock = 3;  // the numbers that the shim expects: attempt, slot, named locks

bool runnable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

}  // namespace

Result<std::string> find_shim(const std::string& program_dir) {
  std::vector<std::string> candidates;
  if (!program_dir.empty()) {
    candidates.push_back(program_dir + "/" + kName);
    candidates.push_back(program_dir + "/../libexec/git-plan/" + kName);
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) candidates.push_back(std::string(rest.substr(0, end)) + "/" + kName);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const std::string& candidate : candidates)
    if (runnable(candidate)) return candidate;
  return failed("the program 'git-plan-attempt', which runs each task, was not found",
                "install git-plan again: it belongs in libexec/git-plan beside bin");
}

Result<pid_t> spawn_shim(const std::string& shim, const std::string& attempt_dir,
                         const ShimLocks& locks, ShimPlace place) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  // Through numbers that collide with none, as each may be where another belongs.
  const std::array held{locks.attempt, locks.slot, locks.named};
  const int count = static_cast<int>(held.size());
  const int aside = std::max(*std::max_element(held.begin(), held.end()), kFirstLock + count) + 1;
  for (int i = 0; i < count; ++i)
    if (held[i] >= 0) posix_spawn_file_actions_adddup2(&files, held[i], aside + i);
  for (int i = 0; i < count; ++i) {
    if (held[i] >= 0)
      posix_spawn_file_actions_adddup2(&files, aside + i, kFirstLock + i);
    else
      posix_spawn_file_actions_addclose(&files, kFirstLock + i);
  }

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // TERM waits until the shim can take it as what it means: an attempt that shall end.
  sigset_t blocked, all;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int group = place == ShimPlace::kTerminal ? POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(
      &attributes, static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  std::string name = kName, dir = attempt_dir;
  char* argv[] = {name.data(), dir.data(), nullptr};
  char* environment[] = {nullptr};  // the command's is in the spec
  pid_t pid = 0;
  const int code = ::posix_spawn(&pid, shim.c_str(), &files, &attributes, argv, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) return errno_error("start", shim, code);
  return pid;
}

void kill_strays(const std::string& brief) {
  const std::string variable = "PLAN_BRIEF=" + brief;
  for (bool found = true; found;) {
    found = false;
    DIR* proc = ::opendir("/proc");
    if (proc == nullptr) return;
    while (const dirent* entry = ::readdir(proc)) {
      const pid_t pid = std::atoi(entry->d_name);
      if (pid <= 1) continue;
      const std::string environment =
          read_small_file("/proc/" + std::to_string(pid) + "/environ").value_or("");
      const std::size_t at = environment.find(variable);
      if (at == std::string::npos || (at > 0 && environment[at - 1] != '\0') ||
          (at + variable.size() < environment.size() && environment[at + variable.size()] != '\0'))
        continue;
      found = ::kill(pid, SIGKILL) == 0 || found;
    }
    ::closedir(proc);
    if (found) ::usleep(20000);
  }
}

}  // namespace gitplan
