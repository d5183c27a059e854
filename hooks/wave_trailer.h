// The `Wave:` line of a commit message: only waves of plans have one, and tools rely on its form.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "refs/git/repository.h"

namespace gitplan {

// What is wrong with the trailers of the message in this file, and the line to write; nothing:
// nothing. Where a trailer begins and what is a comment, git says.
Result<std::optional<Error>> wave_trailer_fault(const Repository& repository,
                                                const std::string& file);

}  // namespace gitplan
