// A failed system call as an Error: the one place that translates errno.
#pragma once

#include <string_view>

#include "core/base/error.h"

namespace gitplan {

// "cannot <doing> <path>: No space left on device", with what to do where that is known.
Error errno_error(std::string_view doing, std::string_view path, int number);

}  // namespace gitplan
