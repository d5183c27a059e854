// Makes the watch file (hooks/quick/watch.h) say what the plans are now.
//
// Only the full program does this, in a hook that found the file out of date, and when hooks are
// installed. Plans whose ref and write-ahead file are as they were are taken from the old file.
#pragma once

#include <chrono>

#include "hooks/quick/watch.h"
#include "refs/git/repository.h"
#include "refs/store/store.h"

namespace gitplan {

// What it says; written where it was not so before, and a failure to write is none. Past `time` no
// further plan is read: the file is not whole then, and the next hook goes on.
Result<Watch> current_watch(const Repository& repository, const Store& store,
                            std::chrono::milliseconds time);

// Where hooks were just installed: the very first of them works from the file. Where no plan is
// there is none, and what fails is left to the next hook.
void prepare_watch(Repository& repository);
// Where they were taken away.
void remove_watch(const Repository& repository);

}  // namespace gitplan
