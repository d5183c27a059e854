#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "git-plan/attempt/descendants.h"

namespace gitplan {
namespace {

struct Stat {
  pid_t pid = 0, parent = 0;
  std::int64_t ticks = 0;
  std::int64_t start_time = 0;
};

// /proc/<pid>/stat. The name in parentheses may itself hold spaces and parentheses.
bool read_stat(const char* pid, Stat* out) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%s/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[1024];
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return false;
  text[n] = '\0';
  const char* rest = std::strrchr(text, ')');
  if (!rest) return false;
  int parent = 0;
  unsigned long long user = 0, system = 0, start = 0;
  long long child_user = 0, child_system = 0;
  if (std::sscanf(rest + 2,
                  "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %*d %*d "
                  "%llu",
                  &parent, &user, &system, &child_user, &child_system, &start) != 6)
    return false;
  out->pid = static_cast<pid_t>(std::atoi(text));
  out->parent = static_cast<pid_t>(parent);
  out->ticks = static_cast<std::int64_t>(user + system) + child_user + child_system;
  out->start_time = static_cast<std::int64_t>(start);
  return true;
}

}  // namespace

bool become_subreaper() { return ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

std::int64_t own_start_time() {
  Stat own;
  return read_stat("self", &own) ? own.start_time : 0;
}

Descendants descendants() {
  std::vector<Stat> all;
  if (DIR* proc = ::opendir("/proc")) {
    while (const dirent* entry = ::readdir(proc)) {
      Stat stat;
      if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) &&
          read_stat(entry->d_name, &stat))
        all.push_back(stat);
    }
    ::closedir(proc);
  }
  Descendants found;
  rusage ended{};
  ::getrusage(RUSAGE_CHILDREN, &ended);
  found.cpu_ms = (ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) * 1000 +
                 (ended.ru_utime.tv_usec + ended.ru_stime.tv_usec) / 1000;
  const std::int64_t tick_ms = 1000 / ::sysconf(_SC_CLK_TCK);
  std::vector<pid_t> parents{::getpid()};
  for (std::size_t next = 0; next < parents.size(); ++next) {
    for (const Stat& stat : all) {
      if (stat.parent != parents[next]) continue;
      parents.push_back(stat.pid);
      found.pids.push_back(stat.pid);
      found.cpu_ms += stat.ticks * tick_ms;
    }
  }
  return found;
}

}  // namespace gitplan
