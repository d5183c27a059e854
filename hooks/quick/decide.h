// Whether a hook has anything to do, by what a few files say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gitplan {

struct HookCall {
  std::string hook;
  std::vector<std::string> arguments;  // git's
  std::string input;                   // all of standard input; of post-rewrite only
};

// False: nothing, for sure. Fills in the input of a post-rewrite whose caller kept it to itself.
bool has_work(HookCall& call);

// The old ids of post-rewrite's lines "old SP new …".
std::vector<std::string> old_ids(std::string_view input);

}  // namespace gitplan
