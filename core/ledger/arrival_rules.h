// What an event from elsewhere may say: names, ids and paths in the shapes that writers give them.
//
// Whoever takes a journal from another clone (refs/sync/validate.h) asks this of each event, since
// names and paths of events become names of refs, folders and files here.
#pragma once

#include <string>

#include "core/journal/event.h"

namespace gitplan {

// Why the event is not one that a careful writer wrote, as a clause ("names the attempt '../x'");
// empty: it may come in. An unknown type may.
std::string arrival_fault(const Event& event);

}  // namespace gitplan
