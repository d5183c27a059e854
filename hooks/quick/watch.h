// The watch file: what active plans refer to, so that a hook knows in a millisecond whether it has
// anything to say. hooks/FILES.md describes it.
//
// Written by `git plan hooks run` (hooks/watch_build.h), read by git-plan-hook as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

// A file or folder as it was; all 0: it was not there.
struct Stamp {
  std::string name;  // below the common directory
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, changed = 0;  // changed: ns since 1970
  bool operator==(const Stamp&) const = default;
};

struct WatchedPath {
  std::string path;
  std::string id;     // of the content that was noted; empty: it was not there
  std::string tasks;  // that refer to it, "a, b"; empty: the plan's text
};
struct WatchedScope {  // of a task that runs
  std::string task, pathspec;
};
struct WatchedWave {
  std::string run;
  int number = 0;
  std::string commit;  // the wave's own, or what was made of it
};
struct WatchedPlan {
  std::string id, tip;
  std::string identity;  // names its write-ahead file
  std::string ahead;     // the stamp of its write-ahead file, as text; empty: none
  std::vector<WatchedPath> paths;
  std::vector<WatchedScope> scopes;
  std::vector<WatchedWave> waves;
};

struct Watch {
  bool whole = true;  // false: not every plan was read, or not all of one
  std::vector<Stamp> stamps;
  std::vector<WatchedPlan> plans;
};

std::string watch_path(const std::string& common_dir);

// The state of refs/plans: packed-refs, the folder of loose refs (git writes by rename, which
// changes the folder), the write-ahead files.
std::vector<Stamp> stamps_of(const std::string& common_dir);
std::string to_text(const Stamp& stamp);

std::string to_text(const Watch& watch);
std::optional<Watch> parse_watch(std::string_view text);

// What its first lines say, and whether they are about the refs as they are.
struct WatchHead {
  bool current = false;  // and whole
  std::size_t paths = 0, scopes = 0, waves = 0;
  std::string text;  // all of the file
  // One of these commits is a wave's.
  bool has_wave(const std::vector<std::string>& commits) const;
};
WatchHead read_watch_head(const std::string& common_dir);

}  // namespace gitplan
