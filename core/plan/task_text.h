// The canonical text of a task, and its hash: the same for the same meaning.
//
// parse_plan() fills Task::text_hash with it. An attempt records the hash, so it must not change
// between versions: a new key adds a line only where it is set.
#pragma once

#include <string>

#include "core/plan/definition.h"

namespace gitplan {

// One line for each key that is not at its default, sorted; independent of comments, the order of
// keys, quoting and positions. Order counts in lists, but not in depends_on and locks.
std::string canonical_text(const Task& task);

// The first 20 hex digits of the canonical text's SHA-256.
std::string text_hash(const Task& task);

}  // namespace gitplan
