// What tasks of other plans of the clone do just now, and did meanwhile: soft locks.
//
// Told to agents, in their briefs, and to people; nobody is held up by them. The executor asks when
// an attempt starts and when it has ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "refs/store/store.h"

namespace gitplan {

struct SoftLock {
  std::string plan, task;
  std::vector<std::string> files;  // its scope, as pathspecs
};

// Of all tasks that run, by a run or by hand, in plans other than `id`.
Result<std::vector<SoftLock>> soft_locks(const Store& store, std::string_view id);

// Files among `paths` that a task of another plan finished changing since then; a sentence for each
// task: "src/a.cc was changed by task 'draw' of plan 'x' meanwhile".
Result<std::vector<std::string>> changed_meanwhile(const Store& store, std::string_view id,
                                                   Millis since,
                                                   const std::vector<std::string>& paths);

}  // namespace gitplan
