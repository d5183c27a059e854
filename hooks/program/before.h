// What was at the place of our hook before it: run with git's arguments and standard input.
#pragma once

#include <string>
#include <vector>

namespace gitplan {

// <hook>.before-git-plan beside our hook, where git would run it; empty: there is none. A copy of
// ours is none: the two would call each other for ever.
std::string hook_before(const std::string& ours, const std::string& hook);

// All of standard input.
std::string read_input();

// Its exit status, as a shell has it; 127 where it cannot be run, which is said.
int run_before(const std::string& path, const std::vector<std::string>& arguments,
               const std::string* input);

// A descriptor from which `text` can be read, and nothing behind it; -1: none could be made.
int readable(const std::string& text);

}  // namespace gitplan
