// How long ago something was, for people: "just now", "5 minutes ago", "3 days ago"; a date where
// it is more than a year. `list` prints it.
#pragma once

#include <string>

#include "core/base/timestamp.h"

namespace gitplan {

std::string time_ago(Millis then, Millis now);

}  // namespace gitplan
