// Who writes here: one clone, 12 random hex digits.
//
// On disk: <common>/git-plan/actor, JSON {"actor","device","inode","machine"}. The identity belongs to this common
// directory: where device, inode or machine id differ, this is a copy, and a new actor is minted and said.
#pragma once

#include <string>

#include "core/base/error.h"

namespace gitplan {

struct Actor {
  std::string id;
  bool minted_for_copy = false;  // an old identity was found that belongs to another directory
};

Result<Actor> actor_of(const std::string& local_dir);

}  // namespace gitplan
