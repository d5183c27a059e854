// A plan of this clone under another name, and a plan that goes from it without a trace.
//
// Pull renames where another clone's plan has the name, and forgets what was purged elsewhere;
// `delete --purge` forgets, too.
#pragma once

#include <string>

#include "refs/store/store.h"

namespace gitplan {

// The plan remembers its old name; its ref, its branches plan/<id>/… and its keep-alive refs go
// with it. kBusy while a run is at work on it.
Status rename_plan(Repository& repository, Store& store, const std::string& id,
                   const std::string& name);

// A deleted plan gives way to a tombstone that names its root and holds nothing of it; what else is
// here of the plan goes, as in forget_plan().
Status purge_plan(Repository& repository, Store& store, const std::string& id);

// The ref, what was seen of it at remotes, its branches and keep-alive refs, and all files of it in
// <common>/git-plan. Its objects go with the next `git gc --prune=now`.
Status forget_plan(Repository& repository, Store& store, const std::string& id);

}  // namespace gitplan
