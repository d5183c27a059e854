// The lines by which others' hooks call ours, where we write nothing ourselves.
//
// husky's hooks and lefthook's configuration are tracked files, and so is any hooks folder in a
// work tree: a person adds the lines. `install --print` and `status` show them.
#pragma once

#include <string>
#include <string_view>

#include "hooks/place.h"

namespace gitplan {

// For a hook of sh. A clone without git plan passes over it.
std::string line_for(std::string_view hook);
// For lefthook-local.yml, or lefthook.yml where all should have it.
std::string lefthook_lines(std::string_view hook);

// A file in which somebody has added such lines for this hook: <work tree>/.husky/<hook>, the hook
// itself, lefthook's configuration. Empty: none.
std::string joined_in(const HooksPlace& place, std::string_view hook);

// The repository has a configuration of lefthook's.
bool has_lefthook(const HooksPlace& place);

}  // namespace gitplan
