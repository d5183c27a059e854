// What several commands of the work group ask first: is there such a task, does a number make
// sense.
#pragma once

#include <string>

#include "core/base/error.h"
#include "refs/store/store.h"

namespace gitplan {

// kNotFound with "did you mean" where the plan has no such task.
Result<const Task*> task_of(const PlanView& view, const std::string& name);

// A whole number from 1 to `most`; the error names the option.
Result<int> count_of(const std::string& option, const std::string& text, int most);

}  // namespace gitplan
