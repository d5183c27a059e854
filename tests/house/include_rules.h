// Which folder may include what (CONTRIBUTING.md, "Layers"). The checker is a function so that a
// test can feed it bad input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gitplan::test {

// The faults in one file, each as "<file>:<line>: <what is wrong>". `file` is the name below the
// top.
std::vector<std::string> include_faults(std::string_view file, std::string_view text);

}  // namespace gitplan::test
