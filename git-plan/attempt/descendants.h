// The processes below this one, whatever session or group they moved to.
//
// This process is a subreaper: what loses its parent becomes a child of it, so the tree below it is
// complete.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace gitplan {

// Makes this process the one that orphans below it come to.
bool become_subreaper();

// In clock ticks since boot; 0 where it cannot be told.
std::int64_t own_start_time();

struct Descendants {
  std::vector<pid_t> pids;
  std::int64_t cpu_ms = 0;  // used by them and by those of them that have ended
};
Descendants descendants();

}  // namespace gitplan
