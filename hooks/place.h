// Where our hooks may be put: the directory that git names, and who it belongs to.
//
// `git plan hooks` and `doctor` ask. Nothing is ever written where git would track it, and nothing
// where other repositories would run it unless that was asked for.
#pragma once

#include <string>

#include "hooks/hooks_path.h"

namespace gitplan {

enum class PlaceKind {
  kOwn,      // this repository's: in its git directory, or ignored in its work tree
  kShared,   // outside of it: other repositories run what is there
  kTracked,  // in a work tree, and git sees the files there
  kHusky,    // husky makes these anew; its own hooks are the tracked ones a folder up
  kOff,      // /dev/null, or another thing that is no folder
};

struct HooksPlace {
  HooksPath path;
  PlaceKind kind = PlaceKind::kOwn;
  std::string top;          // the work tree, or a bare repository's git directory
  std::string default_dir;  // <common>/hooks, where git looks without core.hooksPath
  // "core.hooksPath = '…' (global, file:/home/me/.gitconfig)"; empty: not set
  std::string set_by() const;
};

Result<HooksPlace> hooks_place(const Repository& repository);

// What would have to be done elsewhere: the error that `install` ends with. `shared` was asked for.
Status check_place(const HooksPlace& place, bool shared);

}  // namespace gitplan
