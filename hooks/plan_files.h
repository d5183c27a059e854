// Plan files in the commit that is being made: Markdown whose front matter has `orchestration`, the
// form that `git plan create -F` takes.
//
// pre-commit asks where the repository has plans. A file that says it is a plan and is none is
// noticed where it is written, and not when somebody wants to use it.
#pragma once

#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// Everything that is wrong with those that were added or changed in this index, file by file.
Result<std::vector<Diagnostic>> plan_file_faults(const Repository& repository,
                                                 const std::string& index);

}  // namespace gitplan
