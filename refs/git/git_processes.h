// Git at work in a tree, as the kernel sees it: by its working directory.
//
// Landing waits for it, collecting does not take a lock away from it. A user's editor open in
// `git commit` is found so, though no lock file says it.
#pragma once

#include <string>
#include <vector>

namespace gitplan {

struct GitProcess {
  int pid = 0;
  std::string command;  // "commit"; empty where it is not known
};

// Processes named git whose working directory lies in `tree` and in no repository below it. Left
// out: this process and those that started it, `git plan …`, and what only reads.
std::vector<GitProcess> git_processes_in(const std::string& tree);

// Whether any process named git runs that could write, wherever it stands. Left out: daemons, `git
// plan …`, this process and those that started it.
bool git_writes_somewhere();

// Whether some process holds this file open.
bool is_open_somewhere(const std::string& path);

}  // namespace gitplan
