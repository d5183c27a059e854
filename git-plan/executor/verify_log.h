// What the plan's verify commands printed, kept for each wave: the directory in which they run
// (<plan dir>/verify) is made anew for every command.
//
// The run writes it when a command has ended; decision panels and `output --verify` read it, `gc`
// removes old ones. On disk: git-plan/executor/FILES.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

// Wave 0 is the merge that lands.
std::string verify_log_path(const std::string& plan_dir, int wave);

// Appends what `command` printed in `from` (a log); `first`: of a verification that begins, which
// replaces the one before it. Never fails: what the verification says does not depend on its log.
void keep_verify_log(const std::string& plan_dir, int wave, std::string_view command,
                     const std::string& from, bool first);

// The waves of which there is one, in their order; the landing (0) last.
std::vector<int> waves_with_verify_log(const std::string& plan_dir);

}  // namespace gitplan
