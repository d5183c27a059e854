// Who writes here: one clone, 12 random hex digits.
//
// On disk: <common>/git-plan/actor, JSON {"actor","device","inode","machine"}. The identity belongs
// to this common directory: where device, inode or machine id differ, this is a copy, and a new
// actor is minted and said.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"

namespace gitplan {

struct Actor {
  std::string id;
  bool minted_for_copy = false;  // an old identity was found that belongs to another directory
};

// Mints one where there is none for this directory.
Result<Actor> actor_of(const std::string& local_dir);

// The next actor_of() mints another one, and says that this is a copy: an older state of this
// directory was put back, and events came that it had written after that.
Status forget_actor(const std::string& local_dir);

// Only what is there: readers write nothing.
Result<std::optional<Actor>> known_actor(const std::string& local_dir);

}  // namespace gitplan
