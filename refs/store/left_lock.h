// Locks of refs that a killed process left: files <ref>.lock that nobody holds any more.
//
// libgit2 and git make such a file before they move a ref and rename it over the ref; killed in
// between they leave it, and nobody can move the ref again. The store and the keep-alive refs call
// this while they wait for a lock, for refs of git plan's own only: locks of git's stay git's.
#pragma once

#include <string>

namespace gitplan {

// True: it was left, and is removed. Left is what no process has open and what is older than two
// seconds while no git runs that could be about to rename it, or older than thirty in any case: no
// git holds the lock of a ref for so long.
bool remove_left_lock(const std::string& lock);

}  // namespace gitplan
